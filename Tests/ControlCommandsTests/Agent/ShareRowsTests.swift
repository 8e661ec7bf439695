import AgentAPI
import Records
import Testing

@testable import ControlCommands

@Suite("Z4, Z6 participants and requests in lists")
struct ShareRowsTests {
  private static func participant(_ displayName: String) -> ParticipantItem {
    ParticipantItem(
      id: "b0b", name: "bob", displayName: displayName, role: "member", permission: "readWrite",
      status: "accepted", upToDate: true)
  }

  @Test func `on a terminal people have their display names, and the names that commands take`() {
    let bob = Self.participant("Bob B.")
    #expect(bob.row(in: .terminal).first == "Bob B. (bob)")
    #expect(bob.row(in: .plain) == ["bob", "member", "write", "accepted", "up to date"])
    #expect(Self.participant("bob").row(in: .terminal).first == "bob")
    let request = AccessRequestItem(
      id: "b0b", name: "bob", displayName: "Bob B.", asked: Timestamp(microseconds: 0),
      standing: "waiting")
    #expect(request.row(in: .terminal).first == "Bob B. (bob)")
    #expect(request.row(in: .plain).first == "bob")
  }
}
