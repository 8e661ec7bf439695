// Values come from other people's devices. They must not move the cursor, clear the screen or break a table,
// so control characters never reach a terminal or a column.

/// Text made safe to print.
enum PlainText {
  /// Returns `text` without control characters and direction marks; line breaks and tabs become blanks.
  static func clean(_ text: String) -> String {
    var text = text
    // NB: names in other scripts are long lists of scalars, and almost none has anything to remove.
    guard text.withUTF8(mayHaveObeyed) else { return text }
    var kept = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if isBlankLike(scalar) {
        kept.append(" ")
      } else if !isObeyed(scalar) {
        kept.append(scalar)
      }
    }
    return String(kept)
  }

  /// Whether the bytes may have a character that a terminal obeys: one of ASCII's, one of U+0080 to U+009F, which begin
  /// with the byte C2, or one of U+2000 to U+207F, which begin with E2 80 or E2 81.
  private static func mayHaveObeyed(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    for index in bytes.indices {
      switch bytes[index] {
      case 0..<0x20, 0x7F, 0xC2: return true
      case 0xE2 where bytes[index + 1] <= 0x81: return true
      default: continue
      }
    }
    return false
  }

  /// Whether a terminal obeys a character instead of showing it: a control character, or a mark that turns text around.
  static func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control || isDirectional(scalar)
  }

  private static func isBlankLike(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A, 0x0D, 0x2028, 0x2029: true
    default: false
    }
  }

  private static func isDirectional(_ scalar: Unicode.Scalar) -> Bool {
    (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
  }
}
