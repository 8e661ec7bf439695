// A contact as a list of fields, so that each rule examines one field and no list is forgotten. Empty values
// are not fields, because empty means absent. Properties of cards without an equivalent (`other`) are
// retained unchanged and have no rules.

import Records

/// A non-empty field of a contact.
struct ContactField: Hashable, Sendable {
  /// The kind of value in a field.
  enum Kind: Hashable, Sendable {
    case firstName, lastName, company, phone, email
    case street1, street2, city, state, zipcode, url
    /// Another part of a name.
    case name
    /// Another part of an address.
    case addressPart
    /// A day, as `PartialDate` writes it.
    case date
    /// The label of an entry.
    case label
    /// Any other value of one line.
    case line
    /// A value of several lines.
    case text

    /// Whether the value may contain line breaks.
    var allowsLines: Bool { self == .text || self == .street1 }
  }

  /// The path of the field: `firstName`, `phones/ENTRY`, `addresses/ENTRY/city`.
  let path: String
  /// The name of the field in a sentence.
  let noun: String
  let kind: Kind
  /// The trimmed value; never empty.
  let value: String

  /// The value as sentences show it.
  var shown: String { "“\(FieldProblem.shown(value))”" }

  /// Creates a problem with this field.
  func problem(_ sentence: String) -> FieldProblem {
    FieldProblem(field: path, value: FieldProblem.shown(value), message: sentence)
  }

  /// Returns the non-empty fields of `contact`, in the order in which forms show them.
  static func all(of contact: Contact) -> [ContactField] {
    let lists: [(ContactList, Kind, [LabeledValue])] = [
      (.phones, .phone, contact.phones), (.emails, .email, contact.emails),
      (.urls, .url, contact.urls), (.instantMessages, .line, contact.instantMessages),
      (.dates, .date, contact.dates), (.related, .line, contact.related),
    ]
    return texts([.firstName, .lastName, .company], of: contact)
      + lists.prefix(2).flatMap(entries)
      + contact.addresses.flatMap(parts)
      + texts(ContactText.allCases.filter { !leading.contains($0) }, of: contact)
      + lists.dropFirst(2).flatMap(entries)
  }

  private static let leading: Set<ContactText> = [.firstName, .lastName, .company]

  private static func texts(_ texts: [ContactText], of contact: Contact) -> [ContactField] {
    texts.compactMap { text in
      ContactField(text.rawValue, text.noun, kind(of: text), contact[text])
    }
  }

  private static func kind(of text: ContactText) -> Kind {
    switch text {
    case .firstName: .firstName
    case .lastName: .lastName
    case .company: .company
    case .displayName, .middleName, .nickname: .name
    case .birthday, .anniversary: .date
    case .note: .text
    case .namePrefix, .nameSuffix, .phoneticFirstName, .phoneticMiddleName, .phoneticLastName,
      .title, .role, .uid:
      .line
    }
  }

  private static func entries(
    of list: ContactList, _ kind: Kind, _ values: [LabeledValue]
  ) -> [ContactField] {
    values.flatMap { entry in
      let path = "\(list.rawValue)/\(entry.id)"
      return [
        ContactField(path, list.noun, kind, entry.value),
        ContactField("\(path)/label", "label of the \(list.noun)", .label, entry.label),
      ].compactMap(\.self)
    }
  }

  private static func parts(of address: PostalAddress) -> [ContactField] {
    let path = "addresses/\(address.id)"
    let parts: [(EntryText, String, Kind, String)] = [
      (.label, "label of the address", .label, address.label),
      (.street1, "street", .street1, address.street1),
      (.street2, "apartment", .street2, address.street2),
      (.city, "city", .city, address.city), (.state, "state", .state, address.state),
      (.zipcode, "ZIP code", .zipcode, address.zipcode),
      (.country, "country", .addressPart, address.country),
      (.countryCode, "country code", .addressPart, address.countryCode),
      (.poBox, "post-office box", .addressPart, address.poBox),
    ]
    return parts.compactMap { part, noun, kind, value in
      ContactField("\(path)/\(part.rawValue)", noun, kind, value)
    }
  }

  private init?(_ path: String, _ noun: String, _ kind: Kind, _ value: String) {
    let value = value.trimmingBlanks()
    guard !value.isEmpty else { return nil }
    self.path = path
    self.noun = noun
    self.kind = kind
    self.value = value
  }
}
