// What an import says at its end.

import AgentAPI
import Testing

@testable import ControlCommands

@Suite("C4 import")
struct ImportCommandTests {
  private static func pair(_ first: String, _ second: String) -> DuplicatesView.Pair {
    DuplicatesView.Pair(
      contacts: [first, second].map { DuplicatesView.Contact(id: $0, name: "Greta") }, reasons: [])
  }

  @Test(
    arguments: [
      ([], nil), (["c"], nil), (["n1"], "1 likely duplicate. To see them: contactsctl dedupe"),
      (["n1", "n2", "n3"], "3 likely duplicates. To see them: contactsctl dedupe"),
    ] as [(Set<String>, String?)])
  func `an import says how many duplicates the added contacts have, if any`(
    added: Set<String>, sentence: String?
  ) {
    let pairs = [
      Self.pair("a", "b"), Self.pair("a", "n1"), Self.pair("n2", "b"), Self.pair("n2", "n3"),
    ]
    #expect(ImportCommand.sentence(duplicates: pairs, added: added) == sentence)
  }
}
