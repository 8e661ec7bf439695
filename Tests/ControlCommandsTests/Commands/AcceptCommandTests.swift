// What `accept` rejects before it sends a request.

import Records
import Testing

@testable import ControlCommands

@Suite("Z3 accepting a link")
struct AcceptCommandTests {
  @Test(arguments: [
    "contacts-device:ABCDE@localhost:7799", " contacts-device:", "contacts-device:x",
  ])
  func `the invitation of a device is explained and not used`(link: String) throws {
    let error = try #require(
      #expect(throws: ControlFailure.self) { try AcceptCommand.requireShareLink(link) })
    #expect(error.code == RecordsError.Code.invalidArguments.rawValue)
    #expect(error.message.contains("invitation for a device"))
    #expect(error.hint.contains("contactsctl signin"))
    #expect(!"\(error.message) \(error.hint)".contains("ABCDE"), "the code is a secret")
  }

  @Test(arguments: ["contacts://join/AAECAwQFBgcICQoLDA0ODw", "", "nope", "contacts://join/x"])
  func `any other text goes to the agent, which knows share links`(link: String) {
    #expect(throws: Never.self) { try AcceptCommand.requireShareLink(link) }
  }
}
