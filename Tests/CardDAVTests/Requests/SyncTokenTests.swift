// Tokens that clients store.

import Testing

@testable import CardDAV

@Suite("D1 sync tokens")
struct SyncTokenTests {
  @Test func `a token is read back`() throws {
    for place in [nil, 7 as Int64] {
      let token = SyncToken(incarnation: "00ff", position: 42, touches: 3, place: place)
      #expect(SyncToken(token.text) == token)
      #expect(token.text.contains(":"))
    }
  }

  @Test(arguments: [
    "", "42", "urn:contacts:sync/", "urn:contacts:sync/a", "urn:contacts:sync/a/-1",
    "urn:contacts:sync/a/1", "urn:contacts:sync//1/2", "urn:contacts:sync/a/1/2/3/4",
    "urn:contacts:sync/a/1/x", "http://radicale.org/ns/sync/abc",
  ])
  func `another server's token is none`(text: String) { #expect(SyncToken(text) == nil) }
}
