// Writes cards as bytes. Nothing in a value can be mistaken for a line of its own: values are one line, names are
// restricted to letters, digits and hyphens.

/// Writes cards as vCard.
package enum CardWriter {
  /// Appends `card` to `bytes`.
  package static func write(_ card: Card, to bytes: inout [UInt8]) {
    ContentLine.write("BEGIN:VCARD", to: &bytes)
    ContentLine.write("VERSION:\(card.version.rawValue)", to: &bytes)
    for property in card.properties { ContentLine.write(text(of: property), to: &bytes) }
    ContentLine.write("END:VCARD", to: &bytes)
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
}
