// Pages of selected properties: what they have, and that a client reads them as whole contacts.

import Foundation
import PredicateWorld
import Records
import Testing

@testable import AgentAPI

@Suite("C1, C10 pages of contacts")
struct ContactsPageWriterTests {
  private static func page(_ generator: inout SeededGenerator) -> ContactsView {
    ContactsView(
      contacts: (0..<3).map { _ in .random(&generator) }, language: "en",
      next: generator.percent(50) ? "12" : nil)
  }

  private static func selection(_ generator: inout SeededGenerator) -> ContactSelection {
    ContactSelection(Set(ContactItem.CodingKeys.allCases.filter { _ in generator.percent(30) }))
  }

  private static func json(
    _ page: ContactsView, _ selection: ContactSelection
  ) throws -> [UInt8] {
    var writer = ContactsPageWriter()
    for contact in page.contacts { writer.add(try selection.json(of: contact)) }
    return writer.finish(language: page.language, next: page.next)
  }

  @Test(arguments: 0..<30 as Range<UInt64>)
  func `all properties are the whole contact`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let page = Self.page(&generator)
    #expect(try Self.json(page, .all) == OrderedJSON.bytes(of: page), "seed \(seed)")
  }

  @Test(arguments: 0..<30 as Range<UInt64>)
  func `a contact has the selected properties and its id, as the whole one has them`(
    seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed)
    let page = Self.page(&generator)
    let selection = Self.selection(&generator)
    let whole = try Self.object(OrderedJSON.bytes(of: page))
    let selected = try Self.object(Self.json(page, selection))
    #expect(Set(selected.keys) == Set(whole.keys), "seed \(seed)")
    let contacts = try #require(whole["contacts"] as? [[String: Any]])
    let expected = contacts.map { contact in
      contact.filter { selection.names.contains($0.key) } as NSDictionary
    }
    #expect(selected["contacts"] as? [NSDictionary] == expected, "seed \(seed)")
    #expect(expected.allSatisfy { $0["id"] != nil })
  }

  private static func object(_ json: [UInt8]) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])
  }

  @Test(arguments: 0..<30 as Range<UInt64>)
  func `a client reads the same lines in a selected page as in a whole one`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let page = Self.page(&generator)
    let selected = try Self.json(page, ContactItem.Line.selection)
    #expect(
      try ContactsView.lines(ofPage: selected)
        == ContactsView.lines(ofPage: OrderedJSON.bytes(of: page)), "seed \(seed)")
  }

  @Test func `a page without contacts is a page`() throws {
    let page = ContactsView(contacts: [], language: "en", next: nil)
    #expect(try Self.json(page, .all) == OrderedJSON.bytes(of: page))
  }
}
