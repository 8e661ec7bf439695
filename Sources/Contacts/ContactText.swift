// The properties of a contact that are one text each. They are listed here once, so that reading
// and writing records, edits, forms and printing go through all of them and none is forgotten: a
// new one is a case here and a stored property in Contact.swift.

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

  /// The property under this name; `nil` for any other.
  package init?(name: String) {
    self.init(rawValue: name)
  }

  /// Its field in a record.
  package var key: FieldKey { FieldKey(stored: rawValue) }

  /// What people call it, in the middle of a sentence.
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

  /// Whether line ends in it mean something.
  package var hasLines: Bool { self == .note }

  /// Whether it holds a date as `PartialDate` writes it.
  package var isDate: Bool { self == .birthday || self == .anniversary }
}
