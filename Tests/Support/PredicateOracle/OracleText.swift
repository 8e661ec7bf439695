import _FoundationICU

/// Searches in texts, given as lists of folded scalars.
enum OracleText {
  /// Returns whether `text` contains the scalars of `part`, consecutively.
  static func contains(_ text: [UInt32], _ part: [UInt32]) -> Bool {
    guard part.count <= text.count else { return false }
    return (0...text.count - part.count).contains { text[$0...].starts(with: part) }
  }

  /// Returns whether `text` matches `pattern`, by filling a table row by row.
  static func matches(_ text: [UInt32], pattern: [UInt32]) -> Bool {
    var reached = [Bool](repeating: false, count: text.count + 1)
    reached[0] = true
    for step in steps(pattern) {
      var next = [Bool](repeating: false, count: text.count + 1)
      switch step {
      case .anyText:
        guard let first = reached.firstIndex(of: true) else { return false }
        for index in first...text.count { next[index] = true }
      case .anyScalar:
        for index in text.indices where reached[index] { next[index + 1] = true }
      case .scalar(let scalar):
        for index in text.indices where reached[index] && text[index] == scalar {
          next[index + 1] = true
        }
      }
      reached = next
    }
    return reached[text.count]
  }

  private enum Step {
    case anyText, anyScalar
    case scalar(UInt32)
  }

  /// Splits a pattern. A backslash makes the next scalar literal; a final backslash is literal itself.
  private static func steps(_ pattern: [UInt32]) -> [Step] {
    var steps: [Step] = []
    var index = 0
    while index < pattern.count {
      switch pattern[index] {
      case 0x2A: steps.append(.anyText)
      case 0x3F: steps.append(.anyScalar)
      case 0x5C where index + 1 < pattern.count:
        index += 1
        steps.append(.scalar(pattern[index]))
      case let scalar: steps.append(.scalar(scalar))
      }
      index += 1
    }
    return steps
  }

  /// Returns the words of a text: runs of letters, numbers and marks, folded for case and diacritics.
  static func words(_ text: String) -> [[UInt32]] {
    OracleFolding(ignoresCase: true, ignoresMarks: true).scalars(text)
      .split { !isWordScalar($0) }.map(Array.init)
  }

  private static func isWordScalar(_ scalar: UInt32) -> Bool {
    let categories = [
      U_UPPERCASE_LETTER, U_LOWERCASE_LETTER, U_TITLECASE_LETTER, U_MODIFIER_LETTER,
      U_OTHER_LETTER, U_DECIMAL_DIGIT_NUMBER, U_LETTER_NUMBER, U_OTHER_NUMBER, U_NON_SPACING_MARK,
      U_COMBINING_SPACING_MARK, U_ENCLOSING_MARK,
    ]
    let category = UInt32(swift_u_charType(UChar32(scalar)))
    return categories.contains { $0.rawValue == category }
  }
}
