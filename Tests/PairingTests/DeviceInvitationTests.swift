import Pairing
import Records
import Testing

@Suite("R3 device invitations")
struct DeviceInvitationTests {
  private let code = InvitationCode(0xABCD)

  @Test(arguments: [["server:7433"], ["192.0.2.1:1", "[2001:db8::1]:7433"]])
  func `a link reads back to the same invitation`(addresses: [String]) throws {
    let invitation = DeviceInvitation(code: code, addresses: addresses)
    #expect(invitation.link.hasPrefix("contacts-device:"))
    #expect(try DeviceInvitation(text: " \(invitation.link)\n") == invitation)
    #expect("\(invitation)" == "a device invitation")
  }

  @Test func `a typed code has no addresses`() throws {
    #expect(try DeviceInvitation(text: code.text).addresses == [])
  }

  @Test(arguments: ["contacts-device:", "contacts-device:ABC@server", "contacts-device:@server:1"])
  func `an incomplete link is malformed`(text: String) {
    let error = #expect(throws: RecordsError.self) { try DeviceInvitation(text: text) }
    #expect(error?.reason == "malformedCode")
  }

  @Test func `a link without an address is malformed`() {
    #expect(throws: RecordsError.self) {
      try DeviceInvitation(text: "contacts-device:\(code.text)")
    }
  }

  @Test func `names of accounts are not taken for invitations, and mistyped ones are`() {
    for name in [
      "ada", "user-1000", "user-1000-ab3d", "jean-marie-le-blanc", "Ada Lovelace", "a-b-c-d-e-f",
    ] {
      #expect(!DeviceInvitation.isLikely(name), "\(name)")
    }
    for text in [
      code.text, String(code.text.dropLast()), "contacts-device:x",
      code.text.replacing("-", with: " "), code.text.lowercased(), code.text + "A",
    ] {
      #expect(DeviceInvitation.isLikely(text), "\(text)")
    }
  }
}
