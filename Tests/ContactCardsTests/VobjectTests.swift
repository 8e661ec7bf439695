// A second implementation of the format, the Python library vobject, reads the cards that are written here, and
// its cards are read here. Each direction starts one process for all contacts.

import Contacts
import Foundation
import Processes
import Records
import TestTiers
import Testing

@testable import ContactCards

@Suite("A2, F3 vobject reads and writes the same cards", .timeLimit(.minutes(5)))
struct VobjectTests {
  /// One contact as vobject describes it.
  struct Person: Codable, Equatable {
    struct Entry<Value: Codable & Equatable>: Codable, Equatable {
      var value: Value
      var types: [String]
      var label: String
    }

    var version: String?
    var uid, fn, title, role, note, bday: String?
    var n, org: [String]
    var tel, email: [Entry<String>]
    var adr: [Entry<[String]>]
    var photo: [String]
  }

  private let vobject = CardTool("Oracle/vobject_cards.py", nextTo: #filePath)

  @Test(.onlyInCheck, arguments: [CardVersion.three, .four])
  func `vobject reads every card as it was meant`(version: CardVersion) async throws {
    var random = RandomContacts(seed: version == .three ? 3 : 4)
    let contacts = try (0..<80).map { _ in try random.contact() }
    let directory = try TemporaryDirectory()
    try directory.write(contacts.flatMap { Array(written($0, version).utf8) }, to: "cards.vcf")
    let lines = try await vobject.run("read", directory.file("cards.vcf")).split(separator: "\n")
    try #require(lines.count == contacts.count)
    for (line, contact) in zip(lines, contacts) {
      var read = try JSONDecoder().decode(Person.self, from: Data(line.utf8))
      // vobject takes the comma of a data: URI for a separator.
      if version == .four { read.photo = Self.person(contact, version).photo }
      #expect(Self.bytes(read) == Self.bytes(Self.person(contact, version)), "\(contact.id)")
    }
  }

  @Test(.onlyInCheck) func `every card of vobject is read as it was meant`() async throws {
    var random = RandomContacts(seed: 5)
    let people = try (0..<80).map { _ in Self.person(try random.contact(), .three) }
    let directory = try TemporaryDirectory()
    let encoder = JSONEncoder()
    try directory.write(
      people.flatMap { Array(try encoder.encode($0)) + [0x0A] }, to: "people.jsonl")
    let text = try await vobject.run("write", directory.file("people.jsonl"))
    let read = cards(text).map { ImportedContact($0) }
    try #require(read.count == people.count)
    for (imported, person) in zip(read, people) {
      let again = Self.person(try kept(imported), .three)
      #expect(Self.bytes(again) == Self.bytes(person), "\(person.uid ?? "")")
    }
  }

  // MARK: The contact as vobject should see it

  private static func person(_ contact: Contact, _ version: CardVersion) -> Person {
    let draft = ContactDraft(contact).asCard
    func text(_ text: ContactText) -> String? { draft[text].isEmpty ? nil : draft[text] }
    let parts: [ContactText] = [.lastName, .firstName, .middleName, .namePrefix, .nameSuffix]
    let spoken: [ContactText] = [.namePrefix, .firstName, .middleName, .lastName, .nameSuffix]
    let name = spoken.compactMap(text).joined(separator: " ")
    let company = [draft[.company]] + draft.departments
    let street: [EntryText] = [.poBox, .street2, .street1, .city, .state, .zipcode, .country]
    func entries(_ list: ContactList) -> [Person.Entry<String>] {
      draft[list].map { entry(of: $0, $0[.value], version) }
    }
    var phones = entries(.phones)
    // Version 4.0 does not have the type, which has another name there.
    if version == .four {
      for index in phones.indices { phones[index].types.removeAll { $0 == "msg" } }
    }
    return Person(
      version: version.rawValue, uid: text(.uid), fn: text(.displayName) ?? name,
      title: text(.title), role: text(.role), note: text(.note),
      bday: text(.birthday).flatMap { day($0, version) }, n: parts.map { draft[$0] },
      org: company == [""] ? [] : company, tel: phones, email: entries(.emails),
      adr: draft[.addresses].map { address in
        entry(of: address, street.map { address[$0] }, version)
      },
      photo: draft.photo.map { photo in
        guard case .inline(let bytes) = photo.media else { return [] }
        return [Data(bytes).base64EncodedString()]
      } ?? [])
  }

  private static func entry<Value>(
    of entry: ContactDraft.DraftEntry, _ value: Value, _ version: CardVersion
  ) -> Person.Entry<Value> {
    let known = [
      "": [], "home": ["home"], "work": ["work"], "mobile": ["cell"], "work fax": ["work", "fax"],
    ]
    let label = entry[.label]
    var types = known[label] ?? []
    types += entry[.kinds].split(separator: ",").map { String($0) }
    if version == .three, entry[.preference] == "1" { types.append("pref") }
    let own = label == "school" ? "_$!<School>!$_" : label
    return Person.Entry(value: value, types: types, label: known[label] == nil ? own : "")
  }

  /// Version 3.0 has whole dates only; others have another name there.
  private static func day(_ text: String, _ version: CardVersion) -> String? {
    let isYearless = text.count == 7 && text.hasPrefix("--")
    let isWhole = isYearless || text.count == 10 && text.first?.isNumber == true
    return switch version {
    case .two, .three: !isWhole ? nil : isYearless ? "1604" + text.dropFirst() : text
    case .four: isWhole ? text.prefix { $0 == "-" } + text.filter { $0 != "-" } : text
    }
  }

  /// The description in ASCII, so that canonically equal texts differ.
  private static func bytes(_ person: Person) -> String {
    String(describing: person).unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
  }
}
