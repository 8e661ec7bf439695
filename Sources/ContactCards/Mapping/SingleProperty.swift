// Properties that a contact has once: name, company, birthday and so on. Each case defines how a card's
// property becomes texts of a contact, and how those become the property again. If the result would differ
// from the original (parameters, lists within a name, a time after a birthday), the original property is
// stored too, and written as long as both agree.

import Contacts
import Records

/// A property of a card that corresponds to one or several texts of a contact.
enum SingleProperty: String, CaseIterable {
  case uid = "UID"
  case formattedName = "FN"
  case name = "N"
  case nickname = "NICKNAME"
  case organization = "ORG"
  case title = "TITLE"
  case role = "ROLE"
  case birthday = "BDAY"
  case anniversary = "ANNIVERSARY"
  case note = "NOTE"
  case phoneticFirstName = "X-PHONETIC-FIRST-NAME"
  case phoneticMiddleName = "X-PHONETIC-MIDDLE-NAME"
  case phoneticLastName = "X-PHONETIC-LAST-NAME"

  /// Returns the property for `name`, in any case; several programs have their own anniversary.
  init?(name: String) {
    let key = name.uppercased()
    if let found = SingleProperty(rawValue: key) {
      self = found
    } else if Self.anniversaries.contains(key) {
      self = .anniversary
    } else {
      return nil
    }
  }

  private static let anniversaries: Set = [
    "X-ANNIVERSARY", "X-EVOLUTION-ANNIVERSARY", "X-MS-ANNIVERSARY",
    "X-KADDRESSBOOK-X-ANNIVERSARY",
  ]

  /// Whether its value is a date.
  var isDate: Bool { self == .birthday || self == .anniversary }

  /// The corresponding texts of a contact, the leading one first.
  var texts: [ContactText] {
    switch self {
    case .uid: [.uid]
    case .formattedName: [.displayName]
    case .name: [.lastName, .firstName, .middleName, .namePrefix, .nameSuffix]
    case .nickname: [.nickname]
    case .organization: [.company]
    case .title: [.title]
    case .role: [.role]
    case .birthday: [.birthday]
    case .anniversary: [.anniversary]
    case .note: [.note]
    case .phoneticFirstName: [.phoneticFirstName]
    case .phoneticMiddleName: [.phoneticMiddleName]
    case .phoneticLastName: [.phoneticLastName]
    }
  }

  /// Reads `property` into `draft`. Returns whether writing would produce the same property, and whether the
  /// value is plausible.
  func read(_ property: CardProperty, into draft: inout ContactDraft) -> (
    isExact: Bool, isSound: Bool
  ) {
    switch self {
    case .name: return (readName(property, into: &draft), true)
    case .organization:
      let parts = CardText.pieces(property.value, at: UInt8(ascii: ";")).map(Self.text)
      draft[.company] = parts.first ?? ""
      draft.departments = parts.dropFirst().filter { !$0.isEmpty }
      return (property.parameters.isEmpty && !parts.dropFirst().dropLast().contains(""), true)
    case .nickname:
      let names = CardText.pieces(property.value, at: UInt8(ascii: ",")).map(Self.text)
      draft[.nickname] = names.filter { !$0.isEmpty }.joined(separator: ", ")
      return (property.parameters.isEmpty && !names.contains { $0.contains(",") }, true)
    case .birthday, .anniversary: return readDate(property, into: &draft)
    case .uid, .formattedName, .title, .role, .note, .phoneticFirstName, .phoneticMiddleName,
      .phoneticLastName:
      draft[texts[0]] = Self.text(property.value)
      return (property.parameters.isEmpty, true)
    }
  }

  /// Returns the property for the texts of `draft`; `nil` if they are empty.
  func property(of draft: ContactDraft, _ version: CardVersion) -> CardProperty? {
    let lead = draft[texts[0]]
    switch self {
    case .name:
      let parts = texts.map { CardText.escaped(draft[$0]) }
      guard parts.contains(where: { !$0.isEmpty }) else { return nil }
      return CardProperty(name: rawValue, value: parts.joined(separator: ";"))
    case .organization:
      let parts = ([lead] + draft.departments).map(CardText.escaped)
      guard parts.contains(where: { !$0.isEmpty }) else { return nil }
      return CardProperty(name: rawValue, value: parts.joined(separator: ";"))
    case .nickname:
      guard !lead.isEmpty else { return nil }
      let names = lead.split(separator: ",").map { CardText.escaped(String($0).trimmingBlanks()) }
      return CardProperty(name: rawValue, value: names.joined(separator: ","))
    case .birthday: return lead.isEmpty ? nil : CardDate.property(rawValue, lead, version)
    case .anniversary:
      let name = version == .four ? rawValue : "X-ANNIVERSARY"
      return lead.isEmpty ? nil : CardDate.property(name, lead, version)
    case .uid, .formattedName, .title, .role, .note, .phoneticFirstName, .phoneticMiddleName,
      .phoneticLastName:
      return lead.isEmpty ? nil : CardProperty(name: rawValue, value: CardText.escaped(lead))
    }
  }

  /// Whether `property` has the same content as `draft`.
  func says(_ property: CardProperty, as draft: ContactDraft) -> Bool {
    var read = ContactDraft()
    _ = self.read(property, into: &read)
    return isPresent(in: read) && texts.allSatisfy { read[$0] == draft[$0] }
      && (self != .organization || read.departments == draft.departments)
  }

  /// Whether `draft` has anything of the property.
  func isPresent(in draft: ContactDraft) -> Bool {
    texts.contains { !draft[$0].isEmpty } || (self == .organization && !draft.departments.isEmpty)
  }

  /// Family; given; further given; prefixes; suffixes. Each may be a list.
  private func readName(_ property: CardProperty, into draft: inout ContactDraft) -> Bool {
    let parts = CardText.pieces(property.value, at: UInt8(ascii: ";"))
    var isExact = property.parameters.isEmpty && !parts.dropFirst(texts.count).contains { $0 != "" }
    for (text, part) in zip(texts, parts) {
      let items = CardText.pieces(part, at: UInt8(ascii: ","))
      if items.count > 1 { isExact = false }
      draft[text] = items.map(Self.text).filter { !$0.isEmpty }
        .joined(separator: text == .nameSuffix ? ", " : " ")
    }
    return isExact
  }

  private func readDate(
    _ property: CardProperty, into draft: inout ContactDraft
  ) -> (isExact: Bool, isSound: Bool) {
    var rest = property
    let omitted = rest.take("X-APPLE-OMIT-YEAR").first
    let kind = rest.value(of: "VALUE") ?? ""
    if ["date", "date-and-or-time"].contains(where: { kind.isSame(as: $0) }) { rest.take("VALUE") }
    let text = Self.text(property.value)
    guard let found = CardDate.read(text, omittedYear: omitted), !kind.isSame(as: "text") else {
      draft[texts[0]] = text
      return (rest.parameters.isEmpty, text.isEmpty || kind.isSame(as: "text"))
    }
    draft[texts[0]] = found.date.description
    let isOwnName = rawValue.isSame(as: property.name) || property.name.isSame(as: "X-ANNIVERSARY")
    return (found.isExact && rest.parameters.isEmpty && isOwnName, true)
  }

  private static func text(_ value: String) -> String {
    CardText.unescaped(value).trimmingBlanks()
  }
}

extension ContactDraft {
  /// The name from its parts, or the company, or another text. A card must have it even if the contact has no
  /// name.
  var formattedName: String {
    let candidates = [
      NameParts { self[$0] }.composed, self[.company], self[.nickname],
      self[.emails].first?[.value] ?? "",
      self[.phones].first?[.value] ?? "",
    ]
    return candidates.first { !$0.isEmpty } ?? ""
  }
}
