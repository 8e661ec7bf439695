// Quoted-printable and base-64, as lenient as real exporters require: an invalid escape is literal, but
// invalid base-64 is not decoded at all.

import FoundationEssentials

enum QuotedPrintable {
  /// Decodes `bytes`, from which soft line breaks have been removed.
  static func decode(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      if bytes[index] == UInt8(ascii: "="), index + 2 < bytes.endIndex,
        let high = digit(bytes[index + 1]), let low = digit(bytes[index + 2])
      {
        result.append(high << 4 | low)
        index += 3
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return result
  }

  /// The value of a hexadecimal digit.
  static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}

enum Base64 {
  /// Decodes `text`; blanks are ignored, padding may be missing. `nil` if it contains anything else, or
  /// nothing.
  static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    var kept = [UInt8](text.filter { !$0.isBlank })
    while kept.last == UInt8(ascii: "=") { kept.removeLast() }
    guard !kept.isEmpty, kept.allSatisfy(isDigit), kept.count % 4 != 1 else { return nil }
    while kept.count % 4 != 0 { kept.append(UInt8(ascii: "=")) }
    return Data(base64Encoded: Data(kept)).map { [UInt8]($0) }
  }

  /// Encodes `bytes`.
  static func encode(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString()
  }

  /// Whether a byte is a base-64 digit, not padding.
  static func isDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
      true
    default: false
    }
  }
}
