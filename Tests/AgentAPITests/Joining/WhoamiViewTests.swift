import Records
import Testing

@testable import AgentAPI

@Suite("K1 the account, the device and joining as JSON")
struct WhoamiViewTests {
  @Test func `ids and names are null until they are known`() throws {
    try expectCoding(
      WhoamiView(
        account: WhoamiView.Account(
          id: nil, name: "", displayName: nil, discoverability: "ask", status: "noAccount"),
        device: WhoamiView.Device(id: nil, name: "laptop")),
      as: #"{"schema":1,"account":{"id":null,"name":"","displayName":null,"#
        + #""discoverability":"ask","status":"noAccount"},"device":{"id":null,"name":"laptop"}}"#)
  }

  @Test func `new names are in the object of what they name`() throws {
    try expectBody(WhoamiForm(), as: "{}")
    try expectBody(
      WhoamiForm(
        device: WhoamiForm.Device(name: ""), account: WhoamiForm.Account(displayName: "Ada")),
      as: #"{"account":{"displayName":"Ada"},"device":{"name":""}}"#)
    let reset = try decoded(WhoamiForm.self, #"{"device":{"name":null}}"#.utf8)
    #expect(reset == WhoamiForm(device: WhoamiForm.Device(name: nil)))
  }

  @Test func `a sign-in has an account, a key or an invitation`() throws {
    try expectBody(SignInForm(account: "ada"), as: #"{"account":"ada"}"#)
    #expect(SignInForm(account: "ada").join == nil)
    let join = JoinForm(invitation: "i", address: "h:1", mode: .replace)
    try expectBody(join, as: #"{"address":"h:1","invitation":"i","mode":"replace"}"#)
    try expectBody(
      SignInForm(join), as: #"{"address":"h:1","invitation":"i","mode":"replace"}"#)
    #expect(SignInForm(join).join == join)
    #expect(throws: DecodingError.self) {
      try decoded(JoinForm.self, #"{"invitation":"i","mode":"keep"}"#.utf8)
    }
    try expectBody(SignOutForm(discard: true), as: #"{"discard":true}"#)
    #expect(try decoded(SignOutForm.self, "{}".utf8).discard == nil)
  }

  @Test func `an invitation has a link, a code and its time`() throws {
    let expires = Timestamp(microseconds: 5)
    try expectCoding(
      InvitationView(link: "l", code: "c", expires: expires, seconds: 600),
      as: #"{"schema":1,"link":"l","code":"c","expires":"\#(expires)","seconds":600}"#)
    try expectCoding(
      ExaminedInvitationView(account: "ada", broker: "h:1", contacts: 3),
      as: #"{"schema":1,"account":"ada","broker":"h:1","contacts":3}"#)
  }
}
