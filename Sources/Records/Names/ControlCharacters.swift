// Names hold no control characters. A zero byte ends a text for whoever counts no bytes – SQLite's
// bindings among them –, so that two names would be one to somebody; and the others are obeyed by the
// terminals on which names are shown. What fields hold may have them: it is bytes to everybody.

extension String {
  /// Whether the text has a character of Unicode's category Cc: U+0000 to U+001F, U+007F to U+009F.
  /// Cost: one pass over its bytes.
  package var hasControlCharacters: Bool {
    var text = self
    return text.withUTF8 { bytes in
      var isBehindC2 = false
      for byte in bytes {
        if byte < 0x20 || byte == 0x7F || isBehindC2 && byte < 0xA0 { return true }
        isBehindC2 = byte == 0xC2
      }
      return false
    }
  }
}
