// Names contain no control characters. Some C interfaces, SQLite's bindings among them, end a text
// at a zero byte, so two names could become equal. Terminals that display names obey other control
// characters. Field values may contain them, because no component interprets their bytes.

extension String {
  /// Whether the text has a character of Unicode's category Cc: U+0000 to U+001F, U+007F to U+009F.
  /// Reads each byte once.
  package var hasControlCharacters: Bool {
    var text = self
    return text.withUTF8 { bytes in
      var followsC2 = false
      for byte in bytes {
        if byte < 0x20 || byte == 0x7F || followsC2 && byte < 0xA0 { return true }
        followsC2 = byte == 0xC2
      }
      return false
    }
  }
}
