// Properties that become entries of a contact's lists: phones, e-mail addresses, addresses and so on. Names
// that other programs use for the same thing are read too, and written again under the original name.

import Contacts
import Records

/// A property of a card that corresponds to an entry of a contact's list.
struct EntryProperty {
  /// The list.
  let list: ContactList
  /// The URI scheme of the value: `skype:`.
  var scheme = ""
  /// The label that the property's name implies.
  var label = ""
  /// Whether exports use this name.
  var isOwn = false

  /// The label of an entry that another program gives a property of its own: its role, or its network.
  var impliedLabel: String { label.isEmpty ? String(scheme.dropLast()) : label }

  /// Returns the property for `key`, in upper case; `nil` if it corresponds to no list.
  static func named(_ key: String) -> EntryProperty? { table[key] }

  /// Returns the name under which a list's entries are written.
  static func name(of list: ContactList, _ version: CardVersion) -> String {
    switch list {
    case .phones: "TEL"
    case .emails: "EMAIL"
    case .addresses: "ADR"
    case .urls: "URL"
    case .instantMessages: "IMPP"
    case .dates: "X-ABDATE"
    case .related: version == .four ? "RELATED" : "X-ABRELATEDNAMES"
    case .other: ""
    }
  }

  private static let table: [String: EntryProperty] = {
    var table: [String: EntryProperty] = [
      "TEL": .init(list: .phones, isOwn: true), "EMAIL": .init(list: .emails, isOwn: true),
      "ADR": .init(list: .addresses, isOwn: true), "URL": .init(list: .urls, isOwn: true),
      "IMPP": .init(list: .instantMessages, isOwn: true),
      "X-ABDATE": .init(list: .dates, isOwn: true),
      "RELATED": .init(list: .related, isOwn: true),
      "X-ABRELATEDNAMES": .init(list: .related, isOwn: true),
    ]
    for (name, scheme) in [
      ("AIM", "aim:"), ("ICQ", "icq:"), ("JABBER", "xmpp:"), ("MSN", "msnim:"),
      ("YAHOO", "ymsgr:"), ("SKYPE", "skype:"), ("SKYPE-USERNAME", "skype:"), ("QQ", "qq:"),
      ("GTALK", "gtalk:"), ("GOOGLE-TALK", "gtalk:"), ("GOOGLE TALK", "gtalk:"),
      ("GADUGADU", "gg:"), ("GROUPWISE", "groupwise:"), ("MATRIX", "matrix:"),
      ("TELEGRAM", "telegram:"), ("MS-IMADDRESS", ""), ("KADDRESSBOOK-X-IMADDRESS", ""),
    ] {
      table["X-" + name] = .init(list: .instantMessages, scheme: scheme)
    }
    table["X-MS-CHILD"] = .init(list: .related, label: "child")
    for (role, label) in [
      ("SPOUSE", "spouse"), ("MANAGER", "manager"), ("ASSISTANT", "assistant"),
    ] {
      for prefix in ["X-", "X-EVOLUTION-", "X-MS-"] {
        table[prefix + role] = .init(list: .related, label: label)
      }
      let suffix = role == "SPOUSE" ? role : role + "S"
      table["X-KADDRESSBOOK-X-" + suffix + "NAME"] = .init(list: .related, label: label)
    }
    return table
  }()

  // MARK: Reading

  /// Reads an entry from `property`, with the label of its group.
  func read(_ property: CardProperty, appleLabel: String?) -> ContactDraft.DraftEntry {
    var rest = property
    var entry = ContactDraft.DraftEntry(texts: [:])
    var types = rest.take("TYPE").map { EntryLabel.type($0.trimmingBlanks()) }.filter {
      !$0.isEmpty
    }
    if types.contains("pref") {
      types.removeAll { $0 == "pref" }
      entry[.preference] = "1"
    }
    if let number = rest.value(of: "PREF").flatMap({ Int($0.trimmingBlanks()) }),
      (1...100).contains(number)
    {
      rest.take("PREF")
      entry[.preference] = String(number)
    }
    readValue(&rest, into: &entry)
    let plain = EntryLabel.read(types, list)
    let appleText = appleLabel.map(EntryLabel.fromApple)
    let typed =
      plain.label.isEmpty ? types.lazy.compactMap(EntryLabel.custom).first ?? "" : plain.label
    entry[.label] = appleText ?? (label.isEmpty ? typed : label)
    // Types that the label implies are not repeated.
    let said = EntryLabel.types(of: entry[.label], list) ?? []
    entry[.kinds] = types.compactMap { type in
      guard !said.contains(type), !EntryLabel.says(type, entry[.label]) else { return nil }
      guard EntryLabel.isEncoded(type), let text = EntryLabel.custom(type) else { return type }
      // A comma separates types.
      return "X-" + text.replacing(",", with: " ")
    }.joined(separator: ",")
    if !isOwn { entry[.name] = property.name }
    entry[.parameters] = CardText.text(of: rest.parameters)
    return entry
  }

  private func readValue(_ property: inout CardProperty, into entry: inout ContactDraft.DraftEntry)
  {
    if list == .addresses { return readAddress(&property, into: &entry) }
    let text = CardText.unescaped(property.value).trimmingBlanks()
    let kind = property.value(of: "VALUE") ?? ""
    switch list {
    case .phones:
      // The URI of a number contains nothing but the number.
      if kind.isSame(as: "text") || kind.isSame(as: "uri") { property.take("VALUE") }
      entry[.value] = Self.number(text)
    case .dates:
      let omitted = property.take("X-APPLE-OMIT-YEAR").first
      if kind.isSame(as: "date") || kind.isSame(as: "date-and-or-time") { property.take("VALUE") }
      let found = CardDate.read(text, omittedYear: omitted)
      entry[.value] = found.flatMap { $0.isExact ? $0.date.description : nil } ?? text
    case .related, .urls, .instantMessages, .emails:
      if kind.isSame(as: "text") || kind.isSame(as: "uri") || kind.isSame(as: "url") {
        property.take("VALUE")
      }
      entry[.value] = scheme + text
    case .addresses, .other: break
    }
  }

  /// Returns the number of a `tel` URI.
  private static func number(_ text: String) -> String {
    var rest = text[...]
    while rest.prefix(4).lowercased() == "tel:" { rest = rest.dropFirst(4) }
    return String(rest).trimmingBlanks()
  }

  private static let addressParts: [EntryText] = [
    .poBox, .street2, .street1, .city, .state, .zipcode, .country,
  ]

  /// Box; extended; street; city; region; code; country. Components that a newer standard appends are stored
  /// in a parameter.
  private func readAddress(
    _ property: inout CardProperty, into entry: inout ContactDraft.DraftEntry
  ) {
    let parts = CardText.pieces(property.value, at: UInt8(ascii: ";"))
    for (text, part) in zip(Self.addressParts, parts) { entry[text] = Self.addressPart(part) }
    if parts.prefix(Self.addressParts.count).contains(where: Self.isList) {
      property.parameters.append(CardParameter(Self.listParts, [property.value]))
    }
    let further = parts.dropFirst(Self.addressParts.count)
    if further.contains(where: { !$0.isEmpty }) {
      property.parameters.append(
        CardParameter(Self.furtherParts, [further.joined(separator: ";")]))
    }
  }

  private static let furtherParts = "X-FURTHER-COMPONENTS"

  /// The parameter with the whole value of an address of which a part is a list. It is in no card.
  private static let listParts = "X-LIST-COMPONENTS"

  private static func isList(_ part: String) -> Bool {
    CardText.pieces(part, at: UInt8(ascii: ",")).count > 1
  }

  /// Returns the text of a part, which may be a list.
  private static func addressPart(_ part: String) -> String {
    CardText.pieces(part, at: UInt8(ascii: ",")).map { CardText.unescaped($0).trimmingBlanks() }
      .filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// Returns the parts of an address as a card has them. A part that was a list and still has the same text is a list.
  private static func written(
    _ entry: ContactDraft.DraftEntry, _ property: inout CardProperty
  ) -> [String] {
    let lists =
      property.take(listParts).first.map { CardText.pieces($0, at: UInt8(ascii: ";")) } ?? []
    return addressParts.enumerated().map { index, part in
      guard index < lists.count, isList(lists[index]), addressPart(lists[index]) == entry[part]
      else { return CardText.escaped(entry[part]) }
      return lists[index]
    }
  }

  // MARK: Writing

  /// Returns the property for `entry`, without its group and custom label.
  /// - Parameter hasCustomTypes: whether a custom label becomes a type too, for phones that read no `X-ABLabel`.
  static func property(
    _ entry: ContactDraft.DraftEntry, in list: ContactList, _ version: CardVersion,
    hasCustomTypes: Bool = false
  ) -> CardProperty {
    let own = name(of: list, version)
    var property = CardProperty(name: own)
    property.parameters = CardText.parameters(of: entry[.parameters])
    let came = table[entry[.name].uppercased()].flatMap { kind in
      let fits = kind.list == list && entry[.value].hasPrefix(kind.scheme)
      return fits && (kind.label.isEmpty || kind.label == entry[.label]) ? kind : nil
    }
    if let came {
      property.name = entry[.name]
      property.value = CardText.escaped(String(entry[.value].dropFirst(came.scheme.count)))
    } else {
      writeValue(entry, in: list, version, into: &property)
    }
    let isSaid = saysLabel(property, entry)
    let custom =
      hasCustomTypes && list.hasCustomTypes ? EntryLabel.customType(of: entry[.label]) : nil
    let types =
      isSaid ? [] : types(of: entry[.label], list, version) ?? [custom].compactMap(\.self)
    writeTypes(entry, types, version, &property)
    return property
  }

  /// Whether the property's name implies the label, or never has one.
  private static func saysLabel(
    _ property: CardProperty, _ entry: ContactDraft.DraftEntry
  ) -> Bool {
    property.key == "X-ABRELATEDNAMES" || table[property.key]?.label == entry[.label]
  }

  /// Whether the label of `entry` needs a property of its own next to `property`.
  static func needsLabel(
    _ property: CardProperty, _ entry: ContactDraft.DraftEntry, _ list: ContactList,
    _ version: CardVersion
  ) -> Bool {
    guard !entry[.label].isEmpty, table[property.key]?.label != entry[.label] else { return false }
    return property.key == "X-ABRELATEDNAMES" || types(of: entry[.label], list, version) == nil
  }

  /// Returns the types for a label; `nil` if the version does not have them.
  private static func types(
    of label: String, _ list: ContactList, _ version: CardVersion
  ) -> [String]? {
    let types = EntryLabel.types(of: label, list)
    let key = name(of: list, version)
    return types?.allSatisfy { VersionRules.has(type: $0, of: key, version) } == true ? types : nil
  }

  private static func writeTypes(
    _ entry: ContactDraft.DraftEntry, _ said: [String], _ version: CardVersion,
    _ property: inout CardProperty
  ) {
    var types = said
    let kinds = entry[.kinds].split(separator: ",").map { String($0) }
    types += kinds.filter { !said.contains($0) }
    let preference = entry[.preference]
    if preference == "1", version != .four { types.append("pref") }
    var leading: [CardParameter] = types.isEmpty ? [] : [CardParameter("TYPE", types)]
    if !preference.isEmpty, preference != "1" || version == .four {
      leading.append(CardParameter("PREF", [preference]))
    }
    property.parameters = leading + property.parameters
  }

  private static func writeValue(
    _ entry: ContactDraft.DraftEntry, in list: ContactList, _ version: CardVersion,
    into property: inout CardProperty
  ) {
    let value = entry[.value]
    switch list {
    case .addresses:
      var parts = written(entry, &property)
      if let further = property.take(furtherParts).first { parts.append(further) }
      property.value = parts.joined(separator: ";")
    case .dates:
      let date = CardDate.property(property.name, value, version == .four ? .three : version)
      for parameter in date.parameters { property.set(parameter) }
      property.value = date.value
    case .related:
      let isAddress = ["urn:", "http:", "https:", "mailto:", "tel:", "data:"].contains {
        value.lowercased().hasPrefix($0)
      }
      if version == .four, !isAddress {
        property.set(CardParameter("VALUE", ["text"]))
      }
      property.value = CardText.escaped(value)
    // NB: URIs are not escaped in any version; a comma in them is literal.
    case .urls, .instantMessages: property.value = addressValue(value)
    case .phones: property.value = CardText.escaped(number(value))
    case .emails, .other: property.value = CardText.escaped(value)
    }
  }

  /// A backslash in a URI would be read as an escape.
  private static func addressValue(_ text: String) -> String {
    text.utf8.contains { $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "\n") }
      ? CardText.escaped(text) : text
  }
}

extension ContactList {
  /// Whether phones read a type of a person's own in this list.
  fileprivate var hasCustomTypes: Bool {
    switch self {
    case .phones, .emails, .addresses, .instantMessages: true
    case .urls, .dates, .related, .other: false
    }
  }
}
