// Entries by the beginning of their ids.

import Contacts
import PredicateWorld
import Testing

@testable import ControlCommands

@Suite("C4 entries by the beginning of their ids")
struct EntryIndexTests {
  /// Ids in the three lists, many of which begin alike.
  private struct RandomEntries {
    var ids: [ContactList: [String]] = [:]

    init(seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      var known: Set<String> = []
      for list in EntryIndex.lists {
        for _ in 0..<random.below(6) {
          let id =
            String(repeating: "a", count: random.below(12))
            + (0..<20).map { _ in String(random.one(of: Array("0123456789abcdef"))) }.joined()
          if known.insert(id).inserted { ids[list, default: []].append(id) }
        }
      }
    }

    var contact: FormValue {
      .object(
        Dictionary(
          uniqueKeysWithValues: ids.map { list, ids in
            (list.rawValue, FormValue.list(ids.map { .object(["id": .text($0)]) }))
          }))
    }

    var all: [String] { ids.values.flatMap(\.self) }
  }

  @Test func `the short length is the least of eight and more that keeps all ids apart`() {
    for seed in 0..<200 {
      let random = RandomEntries(seed: UInt64(seed))
      let length = EntryIndex(random.contact).shortLength
      let apart = { (length: Int) in
        Set(random.all.map { $0.prefix(length) }).count == random.all.count
      }
      #expect(length >= 8 && apart(length), "seed \(seed)")
      #expect(length == 8 || !apart(length - 1), "seed \(seed)")
    }
  }

  @Test func `a beginning finds the one entry of the named lists that has it, or none`() {
    for seed in 0..<200 {
      var random = SeededGenerator(seed: UInt64(seed) ^ 0xFF)
      let entries = RandomEntries(seed: UInt64(seed))
      guard !entries.all.isEmpty else { continue }
      let index = EntryIndex(entries.contact)
      let prefix = String(random.one(of: entries.all.sorted()).prefix(1 + random.below(14)))
      let lists = EntryIndex.lists.filter { _ in random.percent(60) }
      let meant = lists.flatMap { list in
        (entries.ids[list] ?? []).filter { $0.hasPrefix(prefix) }.map { (list, $0) }
      }
      do throws(ControlFailure) {
        let found = try index.find(prefix.uppercased(), in: lists)
        #expect(meant.count == 1 && meant[0] == (found.list, found.id), "seed \(seed)")
      } catch {
        #expect(error.exitCode == (meant.isEmpty ? .notFound : .content), "seed \(seed)")
        #expect(meant.count != 1, "seed \(seed): \(error.message)")
      }
    }
  }

  @Test func `a contact without entries has none to find`() {
    for contact in [FormValue.null, .object([:]), .object(["phones": .list([.null])])] {
      let index = EntryIndex(contact)
      #expect(index.shortLength == 8)
      let error = #expect(throws: ControlFailure.self) {
        try index.find("a\u{1B}", in: EntryIndex.lists)
      }
      #expect(error?.exitCode == .notFound)
      #expect(error?.message.contains("\u{1B}") == false)
    }
  }

  @Test func `a label that only one entry has names it, and the beginning of an id precedes it`()
    throws
  {
    let index = EntryIndex(
      .object([
        "phones": .list([
          .object(["id": .text("aa11"), "label": .text("Boat")]),
          .object(["id": .text("bb22"), "label": .text("home")]),
          .object(["id": .text("b0a7"), "label": .text("home")]),
          .object(["id": .text("cc33"), "label": .text("aa")]),
        ])
      ]))
    #expect(try index.find("boat", in: [.phones]).id == "aa11")
    #expect(try index.find("aa", in: [.phones]).id == "aa11")
    let error = #expect(throws: ControlFailure.self) { try index.find("home", in: [.phones]) }
    #expect(error?.message == "“home” matches 2 entries.")
    #expect(throws: ControlFailure.self) { try index.find("boat", in: [.emails]) }
  }
}
