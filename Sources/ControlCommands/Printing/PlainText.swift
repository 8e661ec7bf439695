// Values come from other people's devices. They must not move the cursor, clear the screen or break a table,
// so control characters never reach a terminal or a column.

/// Text made safe to print.
enum PlainText {
  /// Returns `text` without control characters and direction marks; line breaks and tabs become blanks.
  static func clean(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
    var kept = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if isBlankLike(scalar) {
        kept.append(" ")
      } else if scalar.properties.generalCategory != .control, !isDirectional(scalar) {
        kept.append(scalar)
      }
    }
    return String(kept)
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
