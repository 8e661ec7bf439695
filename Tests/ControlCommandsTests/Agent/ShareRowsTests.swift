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

  @Test func `an invitation says whether the account takes part already`() {
    func outcome(_ status: String) -> String {
      var bob = Self.participant("Bob B.")
      bob.status = status
      let share = ShareView(
        id: "g", title: "Rowing", anyone: "none", link: nil, linkStanding: nil, linkExpires: nil,
        linkUsesLeft: nil, linkIsElsewhere: false, participants: [bob], requests: [])
      return share.outcome(ofInviting: "bob", as: nil)
    }
    #expect(outcome("invited") == "Invited bob to “Rowing”.")
    #expect(
      outcome("accepted") == "bob already takes part in “Rowing”, with the permission “write”.")
  }
}
