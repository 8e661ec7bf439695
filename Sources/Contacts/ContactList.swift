// The properties of a contact that are lists, and the properties of their entries. As in ContactText.swift,
// each is listed once, so that no record, form or edit omits one.

import Records

/// A property of a contact that is a list of entries. The raw value is its name in records and in
/// JSON.
package enum ContactList: String, Hashable, Sendable, CaseIterable {
  case phones, emails, addresses, urls, instantMessages, dates, related
  /// Properties of cards that have no equivalent here, retained unchanged.
  case other

  /// Its field in a record.
  package var key: FieldKey { FieldKey(stored: rawValue) }

  /// The name of one entry, in the middle of a sentence.
  package var noun: String {
    switch self {
    case .phones: "phone"
    case .emails: "e-mail"
    case .addresses: "address"
    case .urls: "web address"
    case .instantMessages: "instant message address"
    case .dates: "date"
    case .related: "related person"
    case .other: "other property"
    }
  }

  /// The properties of an entry, in the order in which they are shown.
  package var properties: [EntryText] {
    switch self {
    case .phones, .emails, .urls, .instantMessages, .dates, .related:
      [.label, .value, .kinds, .preference, .group, .name, .parameters]
    case .addresses:
      [
        .label, .poBox, .street1, .street2, .city, .state, .zipcode, .country, .countryCode,
        .kinds, .preference, .group, .name, .parameters,
      ]
    case .other: [.group, .name, .parameters, .value, .restates]
    }
  }

  /// The properties of which an entry must have at least one.
  package var substance: [EntryText] {
    switch self {
    case .phones, .emails, .urls, .instantMessages, .dates, .related: [.value]
    case .addresses: [.street1, .street2, .city, .state, .zipcode, .country, .poBox]
    case .other: [.name]
    }
  }
}

/// A property of an entry. The raw value is its name in records and in JSON.
package enum EntryText: String, Hashable, Sendable, CaseIterable {
  /// The purpose: `home`, `work`, or a word of the person's own.
  case label
  /// The number, address or date itself; for another property, its value in the card's syntax.
  case value
  case poBox, street1, street2, city, state, zipcode, country
  /// The two-letter country code.
  case countryCode
  /// Further kinds from a card: words in lower case, separated by commas.
  case kinds
  /// From 1, the most preferred, to 100; absent for no preference.
  case preference
  /// The group that connects properties of one card: `item1`.
  case group
  /// The name of a card's property that is not the usual one: `X-SKYPE`, `X-SHOE-SIZE`.
  case name
  /// Further parameters in the card's syntax: `LANGUAGE=sv;X-SEEN=1`.
  case parameters
  /// The contact's property of which an `other` entry is the more exact original.
  case restates

  /// Its field in an entry of a record.
  package var key: FieldKey { FieldKey(stored: rawValue) }
}
