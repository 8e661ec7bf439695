// Names of books that clients set.

import Testing

@testable import CardDAV

@Suite("D5 properties that clients set")
struct PropertyUpdateTests {
  private let names = #"xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:carddav""#

  @Test func `properties are set and removed in order`() throws {
    let update = try PropertyUpdate(
      proppatch: Array(
        """
        <d:propertyupdate \(names)>
        <d:set><d:prop><d:displayname>One</d:displayname></d:prop></d:set>
        <d:remove><d:prop><d:owner/></d:prop></d:remove>
        <d:set><d:prop><d:displayname>Two</d:displayname></d:prop></d:set>
        </d:propertyupdate>
        """.utf8))
    #expect(update.changes.map(\.name.local) == ["displayname", "owner", "displayname"])
    #expect(update[.dav("displayname")]?.text == "Two")
    #expect(update[.dav("owner")] == nil)
  }

  private func made(_ types: String) throws -> PropertyUpdate {
    try PropertyUpdate(
      mkcol: Array(
        """
        <d:mkcol \(names)><d:set><d:prop><d:resourcetype>\(types)</d:resourcetype>
        <d:displayname>Boat</d:displayname></d:prop></d:set></d:mkcol>
        """.utf8))
  }

  @Test func `only books are made`() throws {
    #expect(try made("<d:collection/><c:addressbook/>")[.dav("displayname")]?.text == "Boat")
    #expect(try PropertyUpdate(mkcol: []).changes.isEmpty)
    let error = try #require(throws: DAVError.self) {
      try made("<d:collection/><d:calendar/>")
    }
    #expect(error.condition?.name == .dav("valid-resourcetype"))
    #expect(throws: DAVError.self) { try PropertyUpdate(mkcol: Array("text".utf8)) }
  }
}
