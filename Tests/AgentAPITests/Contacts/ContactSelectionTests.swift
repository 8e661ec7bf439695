// The selection of properties in a request.

import Records
import Testing

@testable import AgentAPI

@Suite("C1, C10 selected properties of contacts")
struct ContactSelectionTests {
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
