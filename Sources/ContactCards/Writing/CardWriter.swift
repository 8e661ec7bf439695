// Writes cards as bytes: line ends of two bytes, lines of at most 75 bytes, never folded within a character.
// Nothing in a value can be mistaken for a line of its own: values are one line, names are restricted to
// letters, digits and hyphens.

/// Writes cards as vCard.
package enum CardWriter {
  /// Appends `card` to `bytes`.
  package static func write(_ card: Card, to bytes: inout [UInt8]) {
    line("BEGIN:VCARD", to: &bytes)
    line("VERSION:\(card.version.rawValue)", to: &bytes)
    for property in card.properties { line(text(of: property), to: &bytes) }
    line("END:VCARD", to: &bytes)
  }

  /// Returns a property as one line, not folded.
  package static func text(of property: CardProperty) -> String {
    let group = word(property.group, and: ".")
    let name = word(property.name, and: property.name.lowercased().hasPrefix("x-") ? " " : "")
    var text = group.isEmpty ? "" : group + "."
    // A property named like the frame of a card would end the card.
    let isFrame = group.isEmpty && ["BEGIN", "END", "VERSION"].contains { name.isSame(as: $0) }
    text += name.isEmpty ? "X-UNNAMED" : isFrame ? "X-" + name : name
    let parameters = property.parameters.map { CardParameter(word($0.name, and: ""), $0.values) }
      .filter { !$0.name.isEmpty && !isUndone($0) }
    if !parameters.isEmpty { text += ";" + CardText.text(of: parameters) }
    return text + ":" + CardText.withoutLineEnds(property.value)
  }

  /// Whether a parameter names an encoding. Written values are always plain text.
  static func isUndone(_ parameter: CardParameter) -> Bool {
    if parameter.name.isSame(as: "CHARSET") { return true }
    return parameter.name.isSame(as: "ENCODING")
      && !parameter.values.contains { $0.isSame(as: "B") || $0.isSame(as: "BASE64") }
  }

  /// Removes what a name cannot contain. Names also come from other programs by way of JSON, with any
  /// content.
  private static func word(_ text: String, and more: String) -> String {
    let isWord = text.utf8.allSatisfy { PropertyParser.isWord($0) || more.utf8.contains($0) }
    guard !isWord || text.utf8.count > PropertyParser.nameBytesMax else { return text }
    let kept = text.utf8.filter { PropertyParser.isWord($0) || more.utf8.contains($0) }
    return String(decoding: kept.prefix(PropertyParser.nameBytesMax), as: UTF8.self)
  }

  private static func line(_ text: String, to bytes: inout [UInt8]) {
    var room = 75
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
        room = 74
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
