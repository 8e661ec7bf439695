// The properties of a contact of which there may be several, and what one entry of each may say.
// As with ContactText.swift: listed once, so that no record, form or edit forgets one.

import Records

/// A property of a contact that is a list of entries. The raw value is its name in records and in
/// JSON.
package enum ContactList: String, Hashable, Sendable, CaseIterable {
  case phones, emails, addresses, urls, instantMessages, dates, related
  /// What a card said and no property here means; kept word for word.
  case other

  /// Its field in a record.
  package var key: FieldKey { FieldKey(stored: rawValue) }

  /// What people call one entry, in the middle of a sentence.
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

  /// What an entry says, in the order in which it is shown.
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

/// What an entry may say. The raw value is its name in records and in JSON.
package enum EntryText: String, Hashable, Sendable, CaseIterable {
  /// What it is for: `home`, `work`, or a word of the person's own.
  case label
  /// The number, address or date itself; of another property, its value as a card writes it.
  case value
  case poBox, street1, street2, city, state, zipcode, country
  /// The country by its two letters.
  case countryCode
  /// What a card says it is beside its label: lower-case words with commas between.
  case kinds
  /// From 1, the most preferred, to 100; absent for no preference.
  case preference
  /// What ties properties of one card together: `item1`.
  case group
  /// The name of a card's property that is not the usual one: `X-SKYPE`, `X-SHOE-SIZE`.
  case name
  /// Further parameters as a card writes them: `LANGUAGE=sv;X-SEEN=1`.
  case parameters
  /// The contact's property that an `other` entry says more exactly than we do.
  case restates

  /// Its field in an entry of a record.
  package var key: FieldKey { FieldKey(stored: rawValue) }
}
