// The difference between two states, applied to the first by the rules of the agent's PATCH, is the second.

import Contacts
import PredicateWorld
import Testing

@testable import ControlCommands

/// Random contacts as the agent prints them.
struct RandomContact {
  static let texts = ["firstName", "lastName", "company", "note", "nickname", "title", "role"]
  static let lists = ["phones", "emails", "urls"]

  var properties: [String: FormValue] = [:]
  private var entryCount = 0

  /// Creates a contact with some properties and entries.
  init(_ random: inout SeededGenerator) {
    for name in Self.texts where random.percent(60) {
      properties[name] = .text(random.hostile(upTo: 5))
    }
    properties["emergency"] = .flag(random.percent(50))
    if random.percent(50) {
      properties["categories"] = .list(
        (0...random.below(3)).map { _ in .text("x" + random.hostile(upTo: 4)) })
    }
    for list in Self.lists {
      properties[list] = .list((0..<random.below(4)).map { _ in entry(&random, isNew: false) })
    }
  }

  private mutating func entry(_ random: inout SeededGenerator, isNew: Bool) -> FormValue {
    entryCount += 1
    var entry: [String: FormValue] = [
      "label": .text(random.hostile(upTo: 2)), "value": .text("v" + random.hostile(upTo: 4)),
    ]
    if !isNew { entry["id"] = .text("e\(entryCount)") }
    return .object(entry)
  }

  var value: FormValue { .object(properties) }

  /// Changes, adds and removes some properties and entries.
  mutating func edit(_ random: inout SeededGenerator) {
    for name in Self.texts where random.percent(30) {
      properties[name] = random.percent(30) ? nil : .text(random.hostile(upTo: 5))
    }
    if random.percent(30) { properties["emergency"] = .flag(random.percent(50)) }
    for list in Self.lists where random.percent(50) {
      var entries = properties[list]?.items ?? []
      entries = entries.compactMap { entry in
        guard case .object(var parts) = entry else { return entry }
        if random.percent(25) { return nil }
        if random.percent(40) { parts["value"] = .text("w" + random.hostile(upTo: 4)) }
        if random.percent(20) { parts["label"] = nil }
        return .object(parts)
      }
      for _ in 0..<random.below(3) { entries.append(entry(&random, isNew: true)) }
      properties[list] = .list(entries)
    }
  }
}

@Suite("A4 differences of contacts")
struct ContactDifferenceTests {
  /// Applies `changes` as docs/openapi.yaml says: a property replaces another and an empty one clears it; an
  /// entry with an id changes or removes the entry that has it, another is added at the end.
  private static func apply(_ changes: [String: FormValue], to base: FormValue) -> FormValue {
    guard case .object(var properties) = base else { return base }
    for (name, change) in changes {
      guard RandomContact.lists.contains(name) else {
        properties[name] = change
        continue
      }
      var entries = properties[name]?.items ?? []
      for edit in change.items {
        guard case .object(var parts) = edit else { continue }
        guard let id = parts["id"] else {
          entries.append(edit)
          continue
        }
        let place = entries.firstIndex { $0["id"] == id }
        guard let place, case .object(let old) = entries[place] else { continue }
        guard parts.removeValue(forKey: "removed") == nil else {
          entries.remove(at: place)
          continue
        }
        entries[place] = .object(old.merging(parts) { $1 })
      }
      properties[name] = .list(entries)
    }
    return .object(properties)
  }

  /// The contact without what means nothing: empty values, and blanks around a text.
  private static func plain(_ value: FormValue) -> FormValue {
    switch value {
    case .text(let text):
      let characters = Array(text)
      let start = characters.firstIndex { !$0.isWhitespace } ?? characters.endIndex
      let end = characters.lastIndex { !$0.isWhitespace } ?? start - 1
      return .text(start <= end ? String(characters[start...end]) : "")
    case .list(let items): return .list(items.map(plain))
    case .object(let parts):
      return .object(
        parts.mapValues(plain).filter { !$0.value.isEmpty && $0.value != .flag(false) })
    default: return value
    }
  }

  @Test func `applied to the first state it gives the second`() {
    for seed in 0..<300 {
      var random = SeededGenerator(seed: UInt64(seed))
      var contact = RandomContact(&random)
      let base = contact.value
      contact.edit(&random)
      let difference = ContactDifference(from: base, to: contact.value)
      let result = Self.apply(difference.changes, to: base)
      #expect(Self.plain(result) == Self.plain(contact.value), "seed \(seed)")
      #expect(difference.isEmpty == difference.places.isEmpty, "seed \(seed)")
    }
  }

  @Test func `equal states differ in nothing, also with other keys that cannot be edited`() {
    for seed in 0..<100 {
      var random = SeededGenerator(seed: UInt64(seed))
      let contact = RandomContact(&random)
      var other = contact.properties
      for name in ContactDifference.readOnly { other[name] = .text(random.words(upTo: 3)) }
      #expect(ContactDifference(from: contact.value, to: .object(other)).isEmpty, "seed \(seed)")
      #expect(ContactDifference(from: .object(other), to: contact.value).isEmpty, "seed \(seed)")
    }
  }

  @Test func `the text of an editor, not touched, is the contact, and as a new one has all of it`()
    throws
  {
    for seed in 0..<150 {
      var random = SeededGenerator(seed: UInt64(seed))
      let contact = RandomContact(&random).value
      let text = ContactTemplate(contact: contact).text
      let document = try ContactDocument(text, place: "The text")
      let read = try #require(document.contacts.first, "seed \(seed)")
      let difference = ContactDifference(from: contact, to: read)
      #expect(difference.isEmpty, "seed \(seed): \(difference.changes)\n\(text)")
      #expect(Self.plain(read) == Self.plain(contact), "seed \(seed): \(text)")
    }
  }

  @Test func `an edit of the text is the same edit of the contact`() throws {
    for seed in 0..<150 {
      var random = SeededGenerator(seed: UInt64(seed))
      var contact = RandomContact(&random)
      let base = contact.value
      contact.edit(&random)
      let text = ContactTemplate(contact: contact.value).text
      let read = try #require(try ContactDocument(text, place: "The text").contacts.first)
      let difference = ContactDifference(from: base, to: read)
      #expect(
        Self.plain(Self.apply(difference.changes, to: base)) == Self.plain(contact.value),
        "seed \(seed): \(text)")
    }
  }

  @Test func `an entry that was left empty is none, and a group that was taken out stays`() {
    let base = FormValue.object(["group": .text("g"), "phones": .list([])])
    let edited = FormValue.object([
      "phones": .list([.object(["label": .text("home"), "value": .null]), .text(" ")])
    ])
    #expect(ContactDifference(from: base, to: edited).isEmpty)
    let moved = ContactDifference(from: base, to: .object(["group": .text("h")]))
    #expect(moved.changes == ["group": .text("h")])
  }

  @Test(arguments: [FormValue.null, .text("x"), .list([])])
  func `what is no contact differs in nothing`(value: FormValue) {
    #expect(ContactDifference(from: value, to: .object(["a": .text("b")])).isEmpty)
    #expect(ContactDifference(from: .object(["a": .text("b")]), to: value).isEmpty)
  }
}
