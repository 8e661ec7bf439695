// Documents in other encodings than UTF-8. A check of bytes sees nothing in them that a parser would find.

import Foundation
import Testing

@testable import CardDAV

@Suite("D1 the encoding of a document")
struct XMLDeclarationTests {
  private static let notation = "<!DOCTYPE a [<!NOTATION n SYSTEM 'x'>]><a/>"

  private func status(_ bytes: [UInt8]) -> DAVError.Status? {
    do throws(DAVError) {
      _ = try XMLTree(document: bytes)
      return nil
    } catch {
      return error.status
    }
  }

  @Test(arguments: [
    "<?xml version='1.0' encoding='UTF-8'?><a>ü</a>",
    "<?xml version=\"1.0\" encoding = \"utf-8\" ?><a>ü</a>",
    "\u{FEFF}<?xml\tversion='1.0'\n standalone='yes'?><a>ü</a>",
    "<?xml version='1.0' encoding='US-ASCII'?><a>ü</a>",
  ])
  func `UTF-8 is read, with and without a declaration`(text: String) throws {
    #expect(try XMLTree(document: Array(text.utf8)).text == "ü")
  }

  // The first two ended the process: without a byte order mark they are valid UTF-8.
  @Test(arguments: [
    String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf16, .utf32LittleEndian, .utf32BigEndian,
    .utf32,
  ])
  func `documents with zero bytes are refused`(encoding: String.Encoding) throws {
    for text in [
      "<a/>", "<a><?b?></a>", Self.notation, "<?xml version='1.0' encoding='UTF-16'?><a/>",
    ] {
      let bytes = try #require(text.data(using: encoding))
      #expect(status(Array(bytes)) == .unsupportedMediaType, "\(text)")
    }
  }

  @Test(arguments: [
    "UTF-7", "utf7", "CSUNICODE11UTF7", "ISO-8859-1", "ISO-2022-JP", "EBCDIC-CP-US", "UTF-16", "HZ",
    "x", "",
  ])
  func `a document that names another encoding is refused`(encoding: String) {
    for quote in ["\"", "'"] {
      let declaration = "<?xml version='1.0' encoding=\(quote)\(encoding)\(quote)?>"
      // Both are a document type with a notation, in UTF-7.
      for body in [
        "+ADwAIQ-DOCTYPE a +AFsAPAAh-NOTATION n SYSTEM 'x'+AD4AXQA+-<a/>",
        "+ADw-!DOCTYPE a+AD4-<a/>",
      ] {
        #expect(status(Array("\(declaration)\(body)".utf8)) == .unsupportedMediaType)
      }
    }
  }

  @Test(arguments: [
    "<?xml version='1.0'", "<?xml \(String(repeating: " ", count: 300))?><a/>", "<?xml?><a/>",
    " <?xml version='1.0'?><a/>", "<?xml version='1.0'?><?xml version='1.0'?><a/>",
  ])
  func `a declaration without an end, or in another place, is refused`(text: String) {
    #expect(status(Array(text.utf8)) == .badRequest)
  }
}
