// The names of columns on the command line.

import AgentAPI
import PredicateWorld
import Testing

@testable import ControlCommands

@Suite("C3 columns of a list")
struct ContactColumnsTests {
  @Test func `every column can be chosen, alone and with any others in any order`() throws {
    for name in ContactColumns.names {
      #expect(try ContactColumns(name).identifiers == (name == "id" ? [0] : []))
    }
    for seed in 0..<100 {
      var random = SeededGenerator(seed: UInt64(seed))
      let names = (0...random.below(8)).map { _ in random.one(of: ContactColumns.names) }
      let ids = names.indices.filter { names[$0] == "id" }
      #expect(
        try ContactColumns(names.joined(separator: ",")).identifiers == Set(ids), "seed \(seed)")
    }
  }

  @Test func `a column needs only the property that it is made of`() throws {
    #expect(try ContactColumns(nil).properties == [.id, .name, .phones, .emails])
    #expect(try ContactColumns("phone,phones,last").properties == [.phones, .lastName])
    for name in ContactColumns.names {
      let properties = try ContactColumns(name).properties
      #expect(ContactItem.Line.selection.names.contains(try #require(properties.first).rawValue))
    }
  }

  @Test(arguments: ["nmae", "Name", "phones ", " id", "id;name", "id,,x", "\u{1B}[2J", "李"])
  func `an unknown column is one line of a usage error without control characters`(text: String) {
    let error = #expect(throws: ControlFailure.self) { try ContactColumns(text) }
    #expect(error?.exitCode == .usage)
    #expect(error?.message.contains("\u{1B}") == false)
    #expect(error?.message.contains("\n") == false)
  }

  @Test(arguments: ["nmae": "name", "emial": "email", "phon": "phone", "compny": "company"])
  func `a mistyped column is answered with the nearest`(typed: String, meant: String) {
    let error = #expect(throws: ControlFailure.self) { try ContactColumns("id,\(typed)") }
    #expect(error?.message.contains("Did you mean “\(meant)”?") == true)
  }

  @Test(arguments: ["", ",", ",,,"])
  func `a list without columns would print blank lines, and is refused`(text: String) {
    let error = #expect(throws: ControlFailure.self) { try ContactColumns(text) }
    #expect(error?.exitCode == .usage)
  }
}
