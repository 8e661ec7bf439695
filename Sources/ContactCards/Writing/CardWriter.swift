// Cards → bytes: line ends of two bytes, lines of at most 75, never folded inside a character. What
// could be taken for a line of its own cannot get out: values are one line, names are words.

/// Writes cards as vCard.
package enum CardWriter {
  /// Appends `card` to `bytes`.
  package static func write(_ card: Card, to bytes: inout [UInt8]) {
    line("BEGIN:VCARD", to: &bytes)
    line("VERSION:\(card.version.rawValue)", to: &bytes)
    for property in card.properties { line(text(of: property), to: &bytes) }
    line("END:VCARD", to: &bytes)
  }

  /// A property as one line, not folded.
  package static func text(of property: CardProperty) -> String {
    var text = property.group.isEmpty ? "" : property.group + "."
    text += property.name
    if !property.parameters.isEmpty { text += ";" + CardText.text(of: property.parameters) }
    return text + ":" + property.value
  }

  private static func line(_ text: String, to bytes: inout [UInt8]) {
    var room = 75
    // NB: by bytes, for a line of base-64 has millions of them; a fold goes before the first byte
    // of a character only.
    var text = text
    text.withUTF8 { all in
      var start = 0
      while all.count - start > room {
        var end = start + room
        while end > start + 1, all[end] & 0xC0 == 0x80 { end -= 1 }
        append(all[start..<end], to: &bytes)
        bytes += [0x0D, 0x0A, 0x20]
        start = end
        room = 74
      }
      append(all[start...], to: &bytes)
    }
    bytes += [0x0D, 0x0A]
  }

  /// A line end inside a line would end the card's property, or the card.
  private static func append(_ part: Slice<UnsafeBufferPointer<UInt8>>, to bytes: inout [UInt8]) {
    for byte in part where byte != 0x0D && byte != 0x0A && byte != 0 { bytes.append(byte) }
  }
}
