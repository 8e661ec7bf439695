import Records
import Testing

@testable import AgentAPI

@Suite("Z6 shares as JSON")
struct ShareViewTests {
  private static let bob = ParticipantItem(
    id: "b0b", name: "bob", displayName: "Bob B.", role: "member", permission: "readWrite",
    status: "accepted", upToDate: nil)
  private static let bobText =
    #"{"id":"b0b","name":"bob","displayName":"Bob B.","role":"member","#
    + #""permission":"readWrite","status":"accepted","upToDate":null}"#
  private static let eve = AccessRequestItem(
    id: "e", name: "eve", displayName: "Eve", asked: Timestamp(microseconds: 0),
    standing: "waiting")
  private static let eveText =
    #"{"id":"e","name":"eve","displayName":"Eve","asked":"\#(Timestamp(microseconds: 0))","#
    + #""standing":"waiting"}"#

  @Test func `a share without a link has a null for each property of the link`() throws {
    try expectCoding(
      ShareView(id: "g", title: "Rowing", anyone: "none"),
      as: #"{"schema":1,"id":"g","title":"Rowing","anyone":"none","link":null,"#
        + #""linkStanding":null,"linkExpires":null,"linkUsesLeft":null,"#
        + #""linkIsElsewhere":false,"participants":[],"requests":[]}"#)
  }

  @Test func `a share with a link has its participants and requests`() throws {
    let expires = Timestamp(microseconds: 1_000_000)
    try expectCoding(
      ShareView(
        id: "g", title: "Rowing", anyone: "readOnly", link: "contacts://join/x",
        linkStanding: "valid", linkExpires: expires, linkUsesLeft: 3, participants: [Self.bob],
        requests: [Self.eve]),
      as: #"{"schema":1,"id":"g","title":"Rowing","anyone":"readOnly","#
        + #""link":"contacts://join/x","linkStanding":"valid","linkExpires":"\#(expires)","#
        + #""linkUsesLeft":3,"linkIsElsewhere":false,"participants":[\#(Self.bobText)],"#
        + #""requests":[\#(Self.eveText)]}"#)
  }

  @Test func `lists of participants, requests and accounts have one list each`() throws {
    try expectCoding(
      ParticipantsView(participants: [Self.bob]),
      as: #"{"schema":1,"participants":[\#(Self.bobText)]}"#)
    try expectCoding(
      AccessRequestsView(requests: [Self.eve]), as: #"{"schema":1,"requests":[\#(Self.eveText)]}"#)
    try expectCoding(
      AccountsView(accounts: [AccountItem(id: "b0b", name: "bob", displayName: "B")], next: nil),
      as: #"{"schema":1,"accounts":[{"id":"b0b","name":"bob","displayName":"B"}],"next":null}"#)
  }

  @Test func `a share can be read where only its participants are asked for`() throws {
    let share = ShareView(id: "g", title: "Rowing", anyone: "none", participants: [Self.bob])
    let view = try decoded(ParticipantsView.self, OrderedJSON.bytes(of: share))
    #expect(view.participants == [Self.bob])
  }

  @Test func `a preview has the owner's two names`() throws {
    let preview = PreviewView(
      id: "b0b.g", title: "Rowing", owner: "bob", ownerDisplayName: "Bob B.",
      permission: "readOnly", contacts: 2, accepted: false)
    try expectCoding(
      preview,
      as: #"{"schema":1,"id":"b0b.g","title":"Rowing","owner":"bob","#
        + #""ownerDisplayName":"Bob B.","permission":"readOnly","contacts":2,"accepted":false}"#)
  }

  @Test func `bodies have only the keys that are set`() throws {
    try expectBody(SharingForm(), as: "{}")
    try expectBody(
      SharingForm(
        anyone: "none", permission: "readOnly", invite: ["bob"], expiresSeconds: 60, uses: 2),
      as:
        #"{"anyone":"none","expiresSeconds":60,"invite":["bob"],"permission":"readOnly","uses":2}"#
    )
    try expectBody(ShareLinkForm(expiresSeconds: 60), as: #"{"expiresSeconds":60}"#)
    try expectBody(ParticipantInvitationForm(name: "bob"), as: #"{"name":"bob"}"#)
    try expectBody(
      ParticipantForm(permission: "readWrite", administrator: true),
      as: #"{"administrator":true,"permission":"readWrite"}"#)
    try expectBody(DecisionForm(decision: "deny"), as: #"{"decision":"deny"}"#)
    try expectBody(
      FollowedLinkForm(link: "contacts://join/x"), as: #"{"link":"contacts://join/x"}"#)
    let form = SharingForm(anyone: "none", expiresSeconds: 60, uses: 2)
    #expect(form.link == ShareLinkForm(expiresSeconds: 60, uses: 2))
  }

  @Test func `paths below a group have the group and the account`() {
    #expect(AgentPath.share().pattern == "/v1/groups/:id/share")
    #expect(AgentPath.link(ofGroup: "g").segments == ["groups", "g", "share", "link"])
    #expect(AgentPath.leave(group: "g").segments == ["groups", "g", "leave"])
    #expect(AgentPath.participant().pattern == "/v1/groups/:id/participants/:name")
    #expect(
      AgentPath.participant("bob", ofGroup: "g").segments == ["groups", "g", "participants", "bob"])
    #expect(
      AgentPath.request(of: "bob", forGroup: "g").segments == ["groups", "g", "requests", "bob"])
  }
}
