// The properties of a contact that are one text each. They are listed once, so that reading and writing
// records, edits, forms and printing omit none. A new property is a case here and a stored property in
// Contact.swift.

import Records

/// A property of a contact that is one text. The raw value is its name in records and in JSON.
package enum ContactText: String, Hashable, Sendable, CaseIterable {
  case displayName
  case namePrefix, firstName, middleName, lastName, nameSuffix
  case phoneticFirstName, phoneticMiddleName, phoneticLastName
  case nickname
  case company, title, role
  case birthday, anniversary
  case note
  case uid

  /// Returns the property with this name; `nil` for any other.
  package init?(name: String) {
    self.init(rawValue: name)
  }

  /// Its field in a record.
  package var key: FieldKey { FieldKey(stored: rawValue) }

  /// The name of the property, in the middle of a sentence.
  package var noun: String {
    switch self {
    case .displayName: "display name"
    case .namePrefix: "name prefix"
    case .firstName: "first name"
    case .middleName: "middle name"
    case .lastName: "last name"
    case .nameSuffix: "name suffix"
    case .phoneticFirstName: "phonetic first name"
    case .phoneticMiddleName: "phonetic middle name"
    case .phoneticLastName: "phonetic last name"
    case .nickname: "nickname"
    case .company: "company"
    case .title: "title"
    case .role: "role"
    case .birthday: "birthday"
    case .anniversary: "anniversary"
    case .note: "note"
    case .uid: "UID"
    }
  }

  /// Whether the text is a date in the form of `PartialDate`.
  package var isDate: Bool { self == .birthday || self == .anniversary }
}
