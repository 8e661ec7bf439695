import Testing

@testable import CardDAV

@Suite("D1 markup that is not read")
struct PlainMarkupTests {
  @Test(arguments: [
    "<a/>",
    "<a><!-- <!DOCTYPE b> <?c?> --></a>", "<a><![CDATA[<!DOCTYPE b><?c d?>]]></a>", "<a>?!</a>",
  ])
  func `documents of clients are read`(text: String) throws {
    #expect(!PlainMarkup.hasOther(text.utf8))
    _ = try XMLTree(document: Array(text.utf8))
  }

  // Each of these ended the process, or took a thousand times its size in memory.
  @Test(arguments: [
    "<?x?><a/>", "<a><?x?></a>", "<a/><?x?>", "<?xml-stylesheet href='a'?><a/>",
    "<!DOCTYPE a [<!NOTATION n SYSTEM 'x'>]><a/>", "<!DOCTYPE a [<!NOTATION n PUBLIC 'x'>]><a/>",
    "<!DOCTYPE a [<!ATTLIST a b CDATA #IMPLIED>]><a/>",
    "<!DOCTYPE a [<!ATTLIST a b CDATA 'long'>]><a/>", "<!doctype a><a/>",
    "<!-- --><!DOCTYPE a><a/>", "<a><![CDATA[]]]]><!DOCTYPE a></a>",
  ])
  func `document types and instructions are refused`(text: String) {
    let error = #expect(throws: DAVError.self) { try XMLTree(document: Array(text.utf8)) }
    #expect(error?.status == .badRequest)
  }
}
