// The lines of cards and calendars (RFC 6350, section 3.2; RFC 5545, section 3.1): line ends of two bytes, at most 75
// bytes, never folded within a character.

/// Writes lines, and folds those that are too long.
package enum ContentLine {
  private static let bytesMaximum = 75

  /// Appends a line to `bytes`, without the line ends and zero bytes in it.
  package static func write(_ text: String, to bytes: inout [UInt8]) {
    var room = bytesMaximum
    // NB: By bytes, because a line of base-64 has millions of them; a line is folded only before the first
    // byte of a character. A line end within a line would end the card's property, or the card.
    let isClean = text.utf8.allSatisfy { $0 != 0x0D && $0 != 0x0A && $0 != 0 }
    var text = isClean ? text : withoutEnds(text)
    text.withUTF8 { all in
      var start = 0
      while all.count - start > room {
        var end = start + room
        while end > start + 1, all[end] & 0xC0 == 0x80 { end -= 1 }
        bytes += all[start..<end]
        bytes += [0x0D, 0x0A, 0x20]
        start = end
        // The blank before it belongs to the line.
        room = bytesMaximum - 1
      }
      bytes += all[start...]
    }
    bytes += [0x0D, 0x0A]
  }

  private static func withoutEnds(_ text: String) -> String {
    let kept = text.unicodeScalars.filter { $0 != "\r" && $0 != "\n" && $0 != "\u{0}" }
    return String(String.UnicodeScalarView(kept))
  }
}
