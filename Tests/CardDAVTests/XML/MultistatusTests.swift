// Answers about several resources.

import Testing

@testable import CardDAV

@Suite("D1 multistatus")
struct MultistatusTests {
  private func properties() -> Multistatus.Properties {
    var properties = Multistatus.Properties()
    properties.found = [XMLTree(.dav("displayname"), text: "Friends")]
    properties.missing = [.dav("owner")]
    return properties
  }

  @Test func `a resource answers what it has and what it does not have`() throws {
    var multistatus = Multistatus()
    multistatus.add("/books/a/", properties())
    multistatus.add("/books/a/b.vcf", status: 404)
    let tree = try XMLTree(document: multistatus.finish(token: "urn:x"))
    #expect(tree.name == .dav("multistatus"))
    let responses = tree.all(.dav("response"))
    #expect(responses.map { $0[.dav("href")]?.text } == ["/books/a/", "/books/a/b.vcf"])
    let parts = responses[0].all(.dav("propstat"))
    #expect(
      parts.map { $0[.dav("status")]?.text } == ["HTTP/1.1 200 OK", "HTTP/1.1 404 Not Found"])
    #expect(parts[0][.dav("prop")]?[.dav("displayname")]?.text == "Friends")
    #expect(parts[1][.dav("prop")]?.children.map(\.name) == [.dav("owner")])
    #expect(responses[1][.dav("status")]?.text == "HTTP/1.1 404 Not Found")
    #expect(tree[.dav("sync-token")]?.text == "urn:x")
  }

  @Test func `a minimal answer leaves out what is missing`() throws {
    var multistatus = Multistatus(isMinimal: true)
    multistatus.add("/", properties())
    var none = Multistatus.Properties()
    none.missing = [.dav("owner")]
    multistatus.add("/books/", none)
    let tree = try XMLTree(document: multistatus.finish())
    let parts = tree.all(.dav("response")).map { $0.all(.dav("propstat")).count }
    #expect(parts == [1, 1])
    #expect(tree[.dav("sync-token")] == nil)
  }

  @Test func `a refused change has its reason`() throws {
    var multistatus = Multistatus()
    var properties = Multistatus.Properties()
    properties.refused = [
      (
        .dav("getetag"),
        DAVError(
          .forbidden, "It cannot be set.",
          condition: XMLTree(.dav("cannot-modify-protected-property")))
      )
    ]
    multistatus.add("/books/a/", properties)
    let tree = try XMLTree(document: multistatus.finish())
    let part = try #require(tree[.dav("response")]?[.dav("propstat")])
    #expect(part[.dav("status")]?.text == "HTTP/1.1 403 Forbidden")
    #expect(part[.dav("error")]?[.dav("cannot-modify-protected-property")] != nil)
  }
}
