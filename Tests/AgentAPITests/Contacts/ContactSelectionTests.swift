// Lists of selected properties: what they have, and that a client reads them as whole contacts.

import Foundation
import PredicateWorld
import Records
import Testing

@testable import AgentAPI

@Suite("C1, C10 selected properties of contacts")
struct ContactSelectionTests {
  private static func page(_ generator: inout SeededGenerator) -> ContactsView {
    ContactsView(
      contacts: (0..<3).map { _ in .random(&generator) }, language: "en",
      next: generator.percent(50) ? "12" : nil)
  }

  private static func selection(_ generator: inout SeededGenerator) -> ContactSelection {
    ContactSelection(Set(ContactItem.CodingKeys.allCases.filter { _ in generator.percent(30) }))
  }

  @Test(arguments: 0..<30 as Range<UInt64>)
  func `all properties are the whole contact`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let page = Self.page(&generator)
    let all = ContactSelection(Set(ContactItem.CodingKeys.allCases))
    #expect(
      try OrderedJSON.bytes(of: SelectedContactsView(page, selection: all))
        == OrderedJSON.bytes(of: page), "seed \(seed)")
  }

  @Test(arguments: 0..<30 as Range<UInt64>)
  func `a contact has the selected properties and its id, as the whole one has them`(
    seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed)
    let page = Self.page(&generator)
    let selection = Self.selection(&generator)
    let whole = try Self.object(OrderedJSON.bytes(of: page))
    let selected = try Self.object(
      OrderedJSON.bytes(of: SelectedContactsView(page, selection: selection)))
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
    let selected = SelectedContactsView(page, selection: ContactItem.Line.selection)
    #expect(
      try ContactsView.lines(ofPage: OrderedJSON.bytes(of: selected))
        == ContactsView.lines(ofPage: OrderedJSON.bytes(of: page)), "seed \(seed)")
  }

  @Test func `names are read in any order, and each counts once`() throws {
    let selection = try ContactSelection("phones,name,phones")
    #expect(selection.text == "id,name,phones")
    #expect(selection == ContactSelection([.name, .phones]))
    #expect(selection.contains(.id) && selection.contains(.phones) && !selection.contains(.note))
    #expect(try ContactSelection(ContactItem.Line.selection.text) == ContactItem.Line.selection)
  }

  @Test(arguments: [
    ("", ""), ("name,", ""), ("Name", "Name"), ("name;id", "name;id"), ("name, id", " id"),
    ("schema", "schema"), (String(repeating: "x", count: 300), String(repeating: "x", count: 40)),
  ])
  func `an unknown name is refused with a sentence`(text: String, shown: String) {
    let error = #expect(throws: RecordsError.self) { try ContactSelection(text) }
    #expect(error?.code == .invalidArguments)
    #expect(error?.field == "properties")
    #expect(error?.message == "A contact has no property “\(shown)”.")
  }
}
