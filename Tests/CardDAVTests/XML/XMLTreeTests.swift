// Documents of clients, and of those who mean harm.

import Testing

@testable import CardDAV

@Suite("D1 documents of requests")
struct XMLTreeTests {
  private func read(_ text: String) throws -> XMLTree { try XMLTree(document: Array(text.utf8)) }

  private func status(_ text: String) -> DAVError.Status? {
    do throws(DAVError) {
      _ = try XMLTree(document: Array(text.utf8))
      return nil
    } catch {
      return error.status
    }
  }

  @Test func `elements have names, texts and children`() throws {
    let tree = try read(
      """
      <?xml version="1.0"?>
      <d:propfind xmlns:d="DAV:" xmlns="urn:ietf:params:xml:ns:carddav">
        <d:prop><d:displayname/><address-data version="4.0" content-type="text/vcard"/></d:prop>
        <note>a &lt;b&gt; &#252;<![CDATA[ <c> ]]></note>
      </d:propfind>
      """)
    #expect(tree.name == .dav("propfind"))
    let selected = try #require(tree[.dav("prop")])
    #expect(selected.children.map(\.name) == [.dav("displayname"), .card("address-data")])
    #expect(selected.children[1].attributes == ["version": "4.0", "content-type": "text/vcard"])
    #expect(tree[.card("note")]?.text == "a <b> ü <c> ")
  }

  @Test(arguments: [
    "", " ", "no xml", "<a>", "<a><b></a>", "<a/><b/>", "<a", "<a>\u{1}</a>", "{\"a\":1}",
    "<d:a xmlns:d='DAV:'><d:b></d:b>",
  ])
  func `what is not a complete document is rejected`(text: String) {
    #expect(status(text) == .badRequest)
  }

  @Test func `entities and files are not expanded`() throws {
    let expansion = """
      <!DOCTYPE a [<!ENTITY b "0123456789"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]>
      <a>&c;</a>
      """
    #expect((try? read(expansion))?.text.contains("0123456789") != true)
    let file = "<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><a>&b;</a>"
    #expect((try? read(file))?.text.contains("root") != true)
  }

  @Test func `depth, number and size are bounded`() {
    let deep = 100_000
    #expect(
      status(String(repeating: "<a>", count: deep) + String(repeating: "</a>", count: deep))
        == .tooLarge)
    #expect(
      status("<a>" + String(repeating: "<b/>", count: XMLLimits.elements) + "</a>") == .tooLarge)
    #expect(
      status("<a>" + String(repeating: " ", count: XMLLimits.documentBytes) + "</a>") == .tooLarge)
    let attributes = (0...XMLLimits.attributes).map { " a\($0)='1'" }.joined()
    #expect(status("<a\(attributes)/>") == .tooLarge)
    #expect(status("<a>" + String(repeating: "<b/>", count: 99_998) + "</a>") == nil)
  }
}
