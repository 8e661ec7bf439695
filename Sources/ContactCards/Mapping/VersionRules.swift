// What a version of the format has. A property, a parameter or a type that a version lacks goes into a card of that version
// with `X-` before its name: strict programs refuse a card for a name that its version does not define, and ignore one that
// begins with `X-`. Reading such a card here gives the property its own name again. A second property of a kind that a card
// has once is written in the same way.
//
// Sources: RFC 2426 and RFC 4770 (3.0); RFC 6350, RFC 6474, RFC 6715, RFC 8605 and RFC 9554 (4.0).

import Contacts

extension Card {
  /// Gives the properties that the card's version does not have other names, so that strict programs read the card.
  /// - Parameter isStrict: Whether the properties of calendars (RFC 2739) are renamed in 3.0, too. Evolution reads them in these
  ///   cards; ez-vcard refuses them.
  mutating func conform(isStrict: Bool) {
    let isGroup = isGroup
    var seen: Set<String> = []
    for index in properties.indices {
      let key = CardProperty.keptName(properties[index].name)
      properties[index].conform(to: version, key: key)
      let isForeign =
        (isStrict || !VersionRules.calendars.contains(key))
        && isForeign(properties[index], named: key, isGroup: isGroup, after: seen)
      properties[index].name = isForeign ? "X-" + key : key
      if !isForeign, VersionRules.once.contains(key) { seen.insert(key) }
    }
  }

  /// The properties with their own names, whatever the card's version lacks, and whether each is one more of a kind that a card
  /// has once.
  var restoredProperties: [(property: CardProperty, isFurther: Bool)] {
    let isGroup = isGroup
    // Each card that is written has these, so that others of their kinds have `X-` before their names.
    var seen: Set = ["FN", "N", "UID"]
    return properties.map { property in
      var own = property.restored(from: version)
      var isFurther = false
      if own.name.hasPrefix("X-") {
        let key = String(own.name.dropFirst(2))
        let isHidden =
          VersionRules.standard.contains(key)
          && isForeign(own, named: key, isGroup: isGroup, after: seen)
        if isHidden {
          own.name = key
          isFurther = seen.contains(key)
        }
      }
      if VersionRules.once.contains(own.name) { seen.insert(own.name) }
      return (own, isFurther)
    }
  }

  private var isGroup: Bool { CardGroup.isGroup(properties.lazy.map { ($0.key, $0.value) }) }

  /// Whether a property cannot have the name `key` in this card.
  /// - Parameter seen: The properties before it that a card has once.
  private func isForeign(
    _ property: CardProperty, named key: String, isGroup: Bool, after seen: Set<String>
  ) -> Bool {
    if !VersionRules.has(key, version) || key == "MEMBER" && !isGroup { return true }
    if seen.contains(key) {
      return version != .four || key == "FN" || property.value(of: "ALTID") == nil
    }
    return !property.hasForm(of: version, as: key)
  }
}

/// The names of each version.
enum VersionRules {
  /// The properties of both versions that can have `X-` before their names.
  static let standard = missing[.three, default: []].union(missing[.four, default: []]).union(once)
    .union(["PHOTO", "LOGO", "SOUND", "KEY", "IMPP"])

  /// The properties that a card has once. In 4.0, those with an `ALTID` are variants of one. It may have several `FN`, which
  /// sabre's vobject refuses.
  static let once: Set = [
    "ANNIVERSARY", "BDAY", "BIRTHPLACE", "DEATHDATE", "DEATHPLACE", "FN", "GENDER", "KIND", "N",
    "PRODID", "UID",
  ]

  /// The properties of RFC 2739, which extends 3.0. They are a part of 4.0.
  static let calendars: Set = ["CALADRURI", "CALURI", "FBURL"]

  /// The properties that may have any text: a column of a table can be one.
  static let freeTexts: Set = ["EXPERTISE", "GENDER", "HOBBY", "INTEREST", "PRONOUNS"]

  /// The properties that a version does not have.
  private static let missing: [CardVersion: Set<String>] = [
    .three: [
      "ANNIVERSARY", "BIRTHPLACE", "CALADRURI", "CALURI", "CLIENTPIDMAP", "CONTACT-URI", "CREATED",
      "DEATHDATE", "DEATHPLACE", "EXPERTISE", "FBURL", "GENDER", "GRAMGENDER", "HOBBY", "INTEREST",
      "JSPROP", "KIND", "LANG", "LANGUAGE", "MEMBER", "ORG-DIRECTORY", "PRONOUNS", "RELATED",
      "SOCIALPROFILE", "XML",
    ],
    .four: ["AGENT", "CLASS", "LABEL", "MAILER", "NAME", "PROFILE", "SORT-STRING"],
  ]

  /// The parameters that a version does not have.
  fileprivate static let missingParameters: [CardVersion: Set<String>] = [
    .three: [
      "ALTID", "CALSCALE", "GEO", "INDEX", "LEVEL", "MEDIATYPE", "PID", "PREF", "SORT-AS", "TZ",
    ],
    .four: ["ENCODING"],
  ]

  /// The types of a property that a version does not have.
  private static let missingTypes: [CardVersion: [String: Set<String>]] = [
    .three: ["TEL": ["text", "textphone"], "EMAIL": networks],
    .four: [
      "TEL": ["bbs", "car", "isdn", "modem", "msg", "pcs"],
      "ADR": ["dom", "intl", "postal", "parcel"],
      "EMAIL": networks.union(["internet", "x400"]),
    ],
  ]

  /// The networks of version 2.1.
  private static let networks: Set = [
    "aol", "applelink", "attmail", "cis", "eworld", "ibmmail", "mcimail", "powershare", "prodigy",
    "tlx",
  ]

  /// Whether a version has a property.
  static func has(_ key: String, _ version: CardVersion) -> Bool {
    missing[version]?.contains(key) != true
  }

  /// Whether a version has a type, in lower case, of a property.
  static func has(type: String, of key: String, _ version: CardVersion) -> Bool {
    missingTypes[version]?[key]?.contains(type) != true
  }
}

extension CardProperty {
  /// Whether the value is one that the version allows for a property of this name.
  fileprivate func hasForm(of version: CardVersion, as key: String) -> Bool {
    switch (version, key) {
    case (.three, "BDAY"): value(of: "VALUE")?.isSame(as: "text") != true && CardDate.isWhole(value)
    case (.three, "KEY"):
      value(of: "VALUE").map { !$0.isSame(as: "uri") && !$0.isSame(as: "url") } ?? true
    case (.four, "PHOTO"), (.four, "LOGO"), (.four, "SOUND"), (.four, "KEY"):
      value(of: "ENCODING") == nil && value(of: "X-ENCODING") == nil
    case (.four, "GENDER"): Self.isGender(value)
    case (_, "IMPP"): Self.isURI(value)
    default: true
    }
  }

  /// Whether a text has the characters of a URI, and a scheme before a colon (RFC 3986).
  private static func isURI(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"\"<>\\^`{|}[]".utf8.contains($0) }),
      bytes.indices.allSatisfy({ bytes[$0] != UInt8(ascii: "%") || isEscape(bytes[$0...]) })
    else { return false }
    guard let colon = text.firstIndex(where: { ":/?#".contains($0) }), text[colon] == ":" else {
      return true
    }
    let scheme = text[..<colon]
    return scheme.first?.isLetter == true && text.index(after: colon) < text.endIndex
      && scheme.allSatisfy { $0.isLetter || $0.isNumber || "+-.".contains($0) }
  }

  private static func isEscape(_ bytes: ArraySlice<UInt8>) -> Bool {
    let digits = bytes.dropFirst().prefix(2)
    return digits.count == 2 && digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
  }

  /// RFC 6350, section 6.2.7: a letter or none, then any text.
  private static func isGender(_ value: String) -> Bool {
    let sex = value.prefix { $0 != ";" }
    return sex.isEmpty || (sex.count == 1 && "MFONUmfonu".contains(sex))
  }

  /// Gives parameters and types that the version does not have other names.
  fileprivate mutating func conform(to version: CardVersion, key: String) {
    guard !parameters.isEmpty else { return }
    let missing = VersionRules.missingParameters[version, default: []]
    parameters = parameters.flatMap { parameter in
      let values = parameter.plainValues
      if parameter.name.isSame(as: "TYPE") { return Self.types(values, of: key, version) }
      let isMissing = missing.contains(parameter.name.uppercased())
      return [CardParameter(isMissing ? "X-" + parameter.name : parameter.name, values)]
    }
  }

  fileprivate static let foreignTypes = "X-TYPE"

  /// Returns the parameters for types in their order, which is that of a contact's kinds.
  private static func types(
    _ types: [String], of key: String, _ version: CardVersion
  ) -> [CardParameter] {
    types.reduce(into: []) { parameters, type in
      let isKnown = VersionRules.has(type: type.lowercased(), of: key, version)
      let name = isKnown ? "TYPE" : foreignTypes
      if parameters.last?.name == name {
        parameters[parameters.count - 1].values.append(type)
      } else {
        parameters.append(CardParameter(name, [type]))
      }
    }
  }

  /// Returns the property in the form in which a contact keeps it, whatever the format: with names of its own, in upper case,
  /// and values in one of the forms that mean the same.
  fileprivate func restored(from version: CardVersion) -> CardProperty {
    var property = self
    property.name = Self.keptName(name)
    if property.name == "GEO" { property = CardPosition.converted(property, to: .four) }
    if Self.binaries.contains(property.name), content == nil, value(of: "VALUE") == nil, hasAddress
    {
      property.set(CardParameter("VALUE", ["uri"]))
    }
    guard !property.parameters.isEmpty else { return property }
    // A type without a name is in no card that is written.
    property.parameters.removeAll { $0.name.isSame(as: "TYPE") && $0.values.allSatisfy(\.isEmpty) }
    let missing = VersionRules.missingParameters[version, default: []]
    for index in property.parameters.indices {
      property.parameters[index] = property.parameters[index].restored(missing: missing)
    }
    // jCard has the kind of the value before all parameters.
    if let kind = property.value(of: "VALUE") { property.set(CardParameter("VALUE", [kind])) }
    return property
  }

  /// The properties whose values are bytes in 3.0 and URIs in 4.0, unless a parameter says otherwise.
  private static let binaries: Set = ["PHOTO", "LOGO", "SOUND", "KEY"]

  private var hasAddress: Bool {
    ["http:", "https:", "ldap:", "ftp:"].contains(where: value.prefix(6).lowercased().hasPrefix)
  }

  /// jCard has no letter case, and some programs have a blank or an underscore in names of their own, for which strict ones
  /// refuse the card.
  fileprivate static func keptName(_ name: String) -> String {
    let key = name.uppercased()
    if key == "X-ABLABEL" { return "X-ABLabel" }
    guard key.utf8.contains(where: { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "_") }) else {
      return key
    }
    return key.replacing(" ", with: "-").replacing("_", with: "-")
  }
}

extension CardParameter {
  /// The values without quotes and line breaks: no version has a form for these that all programs read. An address label has
  /// lines (RFC 6350, section 6.3.1).
  fileprivate var plainValues: [String] {
    guard values.contains(where: { $0.utf8.contains { $0 == 0x22 || $0 == 0x0A } }) else {
      return values
    }
    let plain = values.map { $0.replacing("\"", with: "'") }
    return name.isSame(as: "LABEL") ? plain : plain.map { $0.replacing("\n", with: " ") }
  }

  /// Returns the parameter under its own name, without quotes in its values.
  /// - Parameter missing: The parameters that the version of the card does not have.
  fileprivate func restored(missing: Set<String>) -> CardParameter {
    let values = plainValues
    if name.isSame(as: "ENCODING"), !CardWriter.isUndone(self) { return CardParameter(name, ["b"]) }
    if name.isSame(as: CardProperty.foreignTypes) { return CardParameter("TYPE", values) }
    let own = String(name.dropFirst(2)).uppercased()
    let isForeign = name.prefix(2).isSame(as: "X-") && missing.contains(own)
    return CardParameter(isForeign ? own : name.uppercased(), values)
  }
}
