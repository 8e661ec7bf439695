// QR codes of links and invitations for the web page, which only draws them. They are those that contactsctl prints.

import QRCodes
import Records

/// A QR code as the page reads it.
struct WebCode: Encodable, Sendable {
  /// The body of a request for a code.
  struct Form: Decodable {
    var text: String
  }

  /// The rows of modules, the top one first. In each, `1` is a dark module and `0` a light one.
  let rows: [String]

  /// Makes the code of a text.
  /// - Throws: `invalidArguments` for an empty text, and for one that is too long for a code.
  init(of text: String) throws(RecordsError) {
    guard let code = QRCode(Array(text.utf8)) else {
      throw .invalid("A QR code needs a text of 1 to 106 bytes.", field: "text")
    }
    rows = (0..<code.size).map { row in
      String((0..<code.size).map { code[$0, row] ? "1" : "0" })
    }
  }
}
