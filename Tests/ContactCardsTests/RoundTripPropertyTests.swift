// What is written is read back the same, up to what the format cannot carry, for contacts with every property.

import Contacts
import Records
import Testing

@testable import ContactCards

@Suite("A2 every format carries a contact")
struct RoundTripPropertyTests {
  private static let seeds = 1...15

  private func inline(_ media: ContactMedia) -> [UInt8]? {
    guard case .inline(let bytes) = media else { return nil }
    return bytes
  }

  private func contacts(seed: Int, forTable: Bool = false) throws -> [Contact] {
    var random = RandomContacts(seed: seed, forTable: forTable)
    return try (0..<3).map { _ in try random.contact() }
  }

  private func read(
    _ bytes: [UInt8], _ format: ContactFileFormat?, chunkBytes: Int = .max
  ) -> [ImportedContact] {
    var file = ContactFile(format: format)
    var contacts: [ImportedContact] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      contacts += file.feed(rest.prefix(chunkBytes))
      rest = rest.dropFirst(chunkBytes)
    }
    return contacts + file.finish()
  }

  /// A card carries everything but control characters, and blanks at the ends of a text.
  @Test(arguments: [CardVersion.three, .four])
  func `a card carries every property`(version: CardVersion) throws {
    for seed in Self.seeds {
      let contacts = try contacts(seed: seed)
      let bytes = contacts.flatMap { Array(written($0, version).utf8) }
      let read = read(bytes, .vcard, chunkBytes: 1 + seed * 7)
      try #require(read.count == contacts.count, "seed \(seed)")
      for (contact, imported) in zip(contacts, read) {
        #expect(
          imported.draft.lines == ContactDraft(contact).asCard.lines, "seed \(seed) \(contact.id)")
      }
    }
  }

  @Test(arguments: [CardVersion.three, .four])
  func `a card written twice is the same, byte for byte`(version: CardVersion) throws {
    for seed in Self.seeds {
      for contact in try contacts(seed: seed) {
        let first = written(contact, version)
        let second = written(try kept(ImportedContact(try #require(cards(first).first))), version)
        #expect(Array(second.utf8) == Array(first.utf8), "seed \(seed) \(contact.id)")
      }
    }
  }

  @Test func `jCard carries what a card of 4.0 carries`() throws {
    for seed in Self.seeds {
      let contacts = try contacts(seed: seed)
      let nodes = contacts.map { contact in
        JCard.node(CardComposer(version: .four).card(of: contact, bytes: inline))
      }
      var bytes: [UInt8] = []
      JSONNode.array(nodes).write(to: &bytes)
      let read = read(bytes, nil)
      #expect(
        read.map(\.draft.lines) == contacts.map { ContactDraft($0).asCard.lines }, "seed \(seed)")
    }
  }

  @Test func `JSON carries every scalar of every text`() throws {
    for seed in Self.seeds {
      let contacts = try contacts(seed: seed)
      var bytes: [UInt8] = []
      JSONNode.array(contacts.map { ContactNode.node($0, bytes: inline) }).write(to: &bytes)
      let read = read(bytes, nil, chunkBytes: 1 + seed * 11)
      #expect(read.map(\.draft.lines) == contacts.map { ContactDraft($0).lines }, "seed \(seed)")
      #expect(read.allSatisfy(\.findings.isEmpty) || read.contains { $0.draft.photo != nil })
    }
  }

  /// A table carries texts, and of entries the label and the values.
  @Test func `a table carries texts, labels and values`() throws {
    for seed in Self.seeds {
      let contacts = try contacts(seed: seed, forTable: true)
      var bytes: [UInt8] = []
      CSVWriter.writeHeader(to: &bytes)
      for contact in contacts { CSVWriter.write(contact, to: &bytes) }
      let read = read(bytes, nil, chunkBytes: 1 + seed * 13)
      try #require(read.count == contacts.count, "seed \(seed)")
      for (contact, imported) in zip(contacts, read) {
        #expect(imported.draft.lines == Self.tabled(contact).lines, "seed \(seed) \(contact.id)")
      }
    }
  }

  private static func tabled(_ contact: Contact) -> ContactDraft {
    func field(_ text: String) -> String {
      let scalars = text.unicodeScalars.filter(isWrittenToTable)
      return trimmed(withUnixEnds(String(String.UnicodeScalarView(scalars))))
    }
    let all = ContactDraft(contact)
    var draft = ContactDraft()
    for text in ContactText.allCases { draft[text] = field(all[text]) }
    for list in ContactList.allCases where list != .other {
      let parts: [EntryText] = list == .addresses ? [.label] + list.substance : [.label, .value]
      draft[list] = all[list].preferredFirst.enumerated().map { index, entry in
        var tabled = ContactDraft.DraftEntry(
          texts: CaseValues(parts.map { ($0, field(entry[$0])) }))
        // Google's star is for one entry.
        if index == 0, entry[.preference] == "1" { tabled[.preference] = "1" }
        return tabled
      }
    }
    draft.departments = all.departments.map(field)
    draft.categories = all.categories
    draft.isEmergency = all.isEmergency
    return draft
  }

  /// A file whose format is not given is read as it is when the format is given, however it arrives.
  @Test func `a file's format is found in chunks of any size`() throws {
    let made = try kept(
      contact(card("UID:tame", "FN:Ada Quill", "N:Quill;Ada;;;", "TEL;TYPE=CELL:+1 555")))
    var table: [UInt8] = []
    CSVWriter.writeHeader(to: &table)
    CSVWriter.write(made, to: &table)
    var json: [UInt8] = []
    ContactNode.node(made, bytes: inline).write(to: &json)
    var jCard: [UInt8] = []
    JCard.node(CardComposer(version: .four).card(of: made, bytes: inline)).write(to: &jCard)
    let files: [(ContactFileFormat, [UInt8])] = [
      (.vcard, Array(written(made).utf8)), (.csv, table), (.json, json), (.jcard, jCard),
    ]
    for (format, bytes) in files {
      for mark in [[], [0xEF, 0xBB, 0xBF]] as [[UInt8]] where mark.isEmpty || format == .vcard {
        for size in [1, 2, 3, 5, 64, 4096] {
          let found = read(mark + bytes, nil, chunkBytes: size)
          #expect(found == read(bytes, format), "\(format) in chunks of \(size)")
          #expect(found.map { $0.draft[.lastName] } == ["Quill"], "\(format)")
        }
      }
    }
  }
}
