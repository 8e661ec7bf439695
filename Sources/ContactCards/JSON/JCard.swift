// jCard (RFC 7095): a 4.0 card as JSON. Values with components are arrays there instead of texts with
// separators. Unknown properties have the type `unknown` and are converted unchanged.

import Contacts

/// Conversion between cards and jCard.
package enum JCard {
  /// Returns the card in `node`; `nil` if it is not one.
  static func card(_ node: JSONNode, line: Int) -> Card? {
    guard node.items.count == 2, node.items[0].text?.isSame(as: "vcard") == true else {
      return nil
    }
    var card = Card(line: line, version: .four)
    for item in node.items[1].items {
      guard card.properties.count < CardLimits.propertiesPerCard else {
        let sentence =
          "Not imported: the limit of a card is \(CardLimits.propertiesPerCard) properties."
        card.findings.insert(CardFinding(line: line, outcome: .lost, sentence), at: 0)
        break
      }
      guard let property = property(item.items, line: line) else {
        card.findings.append(
          CardFinding(
            line: line, outcome: .lost,
            "An item of the card is not a property and was not imported."))
        continue
      }
      if property.key != "VERSION" { card.properties.append(property) }
    }
    card.findings = Array(card.findings.prefix(CardLimits.findingsPerCard))
    return card
  }

  /// Returns `card` as JSON.
  package static func node(_ card: Card) -> JSONNode {
    let version = JSONNode.array([
      .string("version"), .object([]), .string("text"), .string("4.0"),
    ])
    return .array([.string("vcard"), .array([version] + card.properties.map(node))])
  }

  // MARK: Reading

  private static func property(_ items: [JSONNode], line: Int) -> CardProperty? {
    guard items.count >= 4, let name = items[0].text, let type = items[2].text,
      isName(name)
    else { return nil }
    var property = CardProperty(line: line, name: name.uppercased())
    for member in items[1].members where isName(member.key) {
      let values = member.value.items.isEmpty ? [member.value] : member.value.items
      let texts = values.compactMap(\.text)
      if member.key.isSame(as: "group") {
        property.group = texts.first.flatMap { isName($0) ? $0 : nil } ?? ""
      } else {
        property.parameters.append(CardParameter(member.key.uppercased(), texts))
      }
    }
    let kind = CardText.withoutControls(type.lowercased())
    let isDefault = kind == "unknown" || kind == "text" || kind == valueType(property.key)
    if !isDefault { property.parameters.insert(CardParameter("VALUE", [kind]), at: 0) }
    if kind == "text", ["uri", "date-and-or-time"].contains(valueType(property.key)) {
      property.parameters.insert(CardParameter("VALUE", ["text"]), at: 0)
    }
    let isRaw = kind == "unknown" || kind == "uri"
    property.value = items[3...].map { value($0, isRaw: isRaw) }.joined(separator: ",")
    return property
  }

  private static func value(_ node: JSONNode, isRaw: Bool) -> String {
    switch node {
    case .string(let text): isRaw ? CardText.withoutLineEnds(text) : CardText.escaped(text)
    case .number(let text): text
    case .boolean(let flag): flag ? "TRUE" : "FALSE"
    case .array(let parts):
      parts.map { part in
        part.items.isEmpty
          ? value(part, isRaw: isRaw)
          : part.items.map { value($0, isRaw: isRaw) }.joined(separator: ",")
      }.joined(separator: ";")
    case .null, .object: ""
    }
  }

  private static func isName(_ text: String) -> Bool {
    (1...128).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte.asciiLowercased)
      }
  }

  // MARK: Writing

  private static func node(_ property: CardProperty) -> JSONNode {
    var rest = property
    let declared = rest.take("VALUE").first?.lowercased()
    var parameters = rest.parameters.map { parameter in
      let values = parameter.values.map { JSONNode.string($0) }
      return JSONNode.Member(
        key: parameter.name.lowercased(),
        value: values.count == 1 ? values[0] : .array(values))
    }
    if !property.group.isEmpty {
      parameters.append(JSONNode.Member(key: "group", value: .string(property.group)))
    }
    let type = declared ?? valueType(property.key)
    return .array(
      [.string(property.name.lowercased()), .object(parameters), .string(type)]
        + values(property, type))
  }

  private static func values(_ property: CardProperty, _ type: String) -> [JSONNode] {
    switch property.key {
    case _ where type == "unknown" || type == "uri": [.string(property.value)]
    case "N", "ADR", "ORG", "GENDER":
      [
        .array(
          CardText.pieces(property.value, at: UInt8(ascii: ";")).map { part in
            let texts = CardText.pieces(part, at: UInt8(ascii: ",")).map(text)
            return texts.count == 1 ? texts[0] : .array(texts)
          })
      ]
    case "CATEGORIES", "NICKNAME":
      CardText.pieces(property.value, at: UInt8(ascii: ",")).map(text)
    case "BDAY", "ANNIVERSARY":
      [.string(PartialDate(property.value)?.description ?? CardText.unescaped(property.value))]
    case "REV": [.string(extendedTime(property.value))]
    default: [text(property.value)]
    }
  }

  /// Converts the basic form of ISO 8601 in vCard 4.0 to the extended form that jCard requires.
  private static func extendedTime(_ value: String) -> String {
    guard let parts = value.wholeMatch(of: /(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/)?.output
    else { return value }
    return "\(parts.1)-\(parts.2)-\(parts.3)T\(parts.4):\(parts.5):\(parts.6)Z"
  }

  private static func text(_ value: String) -> JSONNode { .string(CardText.unescaped(value)) }

  /// Returns the default type of a property.
  private static func valueType(_ key: String) -> String {
    switch key {
    case "URL", "IMPP", "SOURCE", "PHOTO", "LOGO", "SOUND", "KEY", "MEMBER", "FBURL", "CALURI",
      "CALADRURI", "UID", "RELATED", "GEO":
      "uri"
    case "BDAY", "ANNIVERSARY": "date-and-or-time"
    case "REV": "timestamp"
    case "FN", "N", "NICKNAME", "ORG", "TITLE", "ROLE", "NOTE", "TEL", "EMAIL", "ADR",
      "CATEGORIES", "KIND", "GENDER":
      "text"
    default: "unknown"
    }
  }
}
