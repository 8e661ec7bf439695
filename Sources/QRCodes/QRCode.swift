// QR codes of ISO/IEC 18004 for links, made by libqrencode.

import CQREncode

/// A QR code.
package struct QRCode: Hashable, Sendable {
  /// The largest content. It gives a code of version 5, which with its border fits a terminal of 24 lines.
  private static let bytesMax = 106

  /// Modules of a side.
  package let size: Int
  private let dark: [Bool]

  /// The smallest code of these bytes, with error correction level L; `nil` for none or more than 106.
  package init?(_ content: [UInt8]) {
    guard content.count <= Self.bytesMax,
      let code = QRcode_encodeData(CInt(content.count), content, 0, QR_ECLEVEL_L)
    else { return nil }
    defer { QRcode_free(code) }
    let size = Int(code.pointee.width)
    // The lowest bit of a module is its color; the others tell what it is for.
    dark = UnsafeBufferPointer(start: code.pointee.data, count: size * size).map { $0 & 1 == 1 }
    self.size = size
  }

  /// Whether a module is dark; outside of the code none is.
  package subscript(column: Int, row: Int) -> Bool {
    guard (0..<size).contains(column), (0..<size).contains(row) else { return false }
    return dark[row * size + column]
  }
}
