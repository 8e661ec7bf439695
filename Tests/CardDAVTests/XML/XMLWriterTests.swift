// Documents of responses: whatever they contain, they can be read.

import Testing

@testable import CardDAV

@Suite("D1 documents of responses")
struct XMLWriterTests {
  @Test func `what is written is read back`() throws {
    let tree = XMLTree(
      .dav("prop"),
      children: [
        XMLTree(.dav("displayname"), text: "A & B <c> \"d\"\r\nÜ 😀"), XMLTree(.card("empty")),
        XMLTree(XMLName("urn:own", "mine"), text: "x"), XMLTree(XMLName("", "none")),
      ])
    var writer = XMLWriter()
    writer.write(tree)
    #expect(try XMLTree(document: writer.bytes) == tree)
  }

  @Test func `characters that XML does not allow are left out`() throws {
    var writer = XMLWriter()
    writer.element(.dav("a"), text: "a\u{0}b\u{1}c\u{B}d\u{FFFE}e\u{FFFF}f\tg")
    #expect(try XMLTree(document: writer.bytes).text == "abcdef\tg")
    var tree = XMLTree(.card("address-data"), text: "a\u{FFFF}b")
    tree.attributes = ["version": "4\u{1}.\u{FFFE}0"]
    var second = XMLWriter()
    second.write(tree)
    let read = try XMLTree(document: second.bytes)
    #expect(read.text == "ab")
    #expect(read.attributes["version"] == "4.0")
  }

  @Test func `an error names its condition and says what to do`() throws {
    let error = DAVError(
      .forbidden, "The UID is that of another card.", condition: XMLTree(.card("no-uid-conflict")))
    let tree = try XMLTree(document: error.document)
    #expect(tree.name == .dav("error"))
    #expect(tree[.card("no-uid-conflict")] != nil)
    #expect(tree[.dav("responsedescription")]?.text == "The UID is that of another card.")
  }
}
