// The width of text on a terminal. The number of characters is not enough: Chinese characters and emoji take
// two columns, combining accents none. The system's function has no data in the C locale, so the ranges of
// Unicode's East Asian Width are listed here; they rarely change, and only in reserved blocks.

/// The width of text on a terminal.
enum TextWidth {
  /// Returns the width of `text`, which must be clean.
  static func columns(of text: String) -> Int {
    let bytes = text.utf8
    if bytes.allSatisfy({ $0 < 0x80 }) { return bytes.count }
    return text.reduce(0) { $0 + columns(of: $1) }
  }

  /// Returns the width of one character: usually 0, 1 or 2. A syllable of Thai or of an Indian script takes
  /// the columns of all its letters and vowel signs.
  static func columns(of character: Character) -> Int {
    let scalars = character.unicodeScalars
    if let first = scalars.first, isWideEmoji(first, followedBy: scalars.dropFirst()) { return 2 }
    return scalars.reduce(0) { $0 + columns(of: $1) }
  }

  /// Whether an emoji is shown in its colored, wide form: by default, or because variation selector 16 or a
  /// skin tone follows.
  private static func isWideEmoji(
    _ first: Unicode.Scalar, followedBy rest: Substring.UnicodeScalarView
  ) -> Bool {
    first.properties.isEmojiPresentation
      || first.properties.isEmoji
        && rest.contains { $0.value == 0xFE0F || $0.properties.isEmojiModifier }
  }

  /// Returns the beginning of `text` that takes at most `limit` columns, with an ellipsis in the last column
  /// if it is truncated.
  static func cut(_ text: String, to limit: Int) -> String {
    guard columns(of: text) > limit else { return text }
    guard limit > 0 else { return "" }
    var kept = ""
    var width = 0
    for character in text {
      let next = columns(of: character)
      guard width + next <= limit - 1 else { break }
      kept.append(character)
      width += next
    }
    return kept + "…"
  }

  /// Returns `text` in lines of at most `limit` columns, broken between words if possible.
  static func lines(of text: String, limit: Int) -> [String] {
    guard limit > 0, columns(of: text) > limit else { return [text] }
    var lines: [String] = []
    var line = ""
    var width = 0
    for word in text.split(separator: " ", omittingEmptySubsequences: true) {
      for piece in pieces(of: word, limit: limit) {
        let pieceWidth = columns(of: piece)
        if width > 0, width + 1 + pieceWidth > limit {
          lines.append(line)
          (line, width) = ("", 0)
        }
        if width > 0 {
          line.append(" ")
          width += 1
        }
        line += piece
        width += pieceWidth
      }
    }
    lines.append(line)
    return lines
  }

  /// The minimum width of text after a lead.
  private static let narrowest = 8

  /// Returns `text` in lines of at most `limit` columns if `lead` leaves room. The first line begins with
  /// `lead`, the others with as many blanks.
  static func lines(of text: String, after lead: String, limit: Int) -> [String] {
    let indent = columns(of: lead)
    let pieces = lines(of: text, limit: max(narrowest, limit - indent))
    let blanks = String(repeating: " ", count: indent)
    return pieces.enumerated().map { index, piece in (index == 0 ? lead : blanks) + piece }
  }

  private static func pieces(of word: Substring, limit: Int) -> [String] {
    guard columns(of: String(word)) > limit else { return [String(word)] }
    var pieces = [""]
    var width = 0
    for character in word {
      let next = columns(of: character)
      if width + next > limit {
        pieces.append("")
        width = 0
      }
      pieces[pieces.count - 1].append(character)
      width += next
    }
    return pieces
  }

  private static func columns(of scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break
    }
    if scalar.properties.isEmojiPresentation { return 2 }
    // The vowels and final consonants of a Korean syllable, which are below its first consonant.
    if (0x1160...0x11FF).contains(scalar.value) || (0xD7B0...0xD7FF).contains(scalar.value) {
      return 0
    }
    return wide.contains { $0.contains(scalar.value) } ? 2 : 1
  }

  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF,
    0x4E00...0x9FFF, 0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
    0xFE10...0xFE19,
    0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF,
    0x1F200...0x1F2FF, 0x20000...0x3FFFD,
  ]
}
