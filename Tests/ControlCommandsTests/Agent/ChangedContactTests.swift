import Testing

@testable import ControlCommands

@Suite("C4, C7 a command says whom it changed")
struct ChangedContactTests {
  private let greta = ChangedContact(id: "abcdefghijklmnop", name: "Greta Halm")

  @Test func `programs get the full id, and a terminal the short one`() {
    #expect(greta.shown(in: .plain) == "“Greta Halm” (abcdefghijklmnop)")
    #expect(greta.shown(in: .terminal) == "“Greta Halm” (abcdef)")
  }

  @Test func `a response about a contact names it`() throws {
    let reply = AgentReply(
      bytes: Array(#"{"schema":1,"id":"a","name":"Ann","firstName":"A"}"#.utf8))
    #expect(try ChangedContact(reply) == ChangedContact(id: "a", name: "Ann"))
  }

  @Test(
    arguments: [
      (0, "0 contacts"), (1, "“N1”"), (2, "2 contacts (“N1”, “N2”)"),
      (3, "3 contacts (“N1”, “N2”, “N3”)"), (1200, "1,200 contacts (“N1”, “N2”, “N3”, …)"),
    ])
  func `one contact is named, and of several the first`(count: Int, phrase: String) {
    let contacts = (0..<count).map { ChangedContact(id: "\($0)", name: "N\($0 + 1)") }
    #expect(ChangedContact.phrase(for: contacts) == phrase)
  }

  @Test func `a change without an action has nothing to undo`() {
    var reply = AgentReply(bytes: [])
    #expect(reply.undoSentence.isEmpty)
    reply.action = "7"
    #expect(reply.undoSentence == " Undo: contactsctl undo 7")
  }
}
