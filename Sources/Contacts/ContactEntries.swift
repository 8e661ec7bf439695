// The entries of a contact's lists. Each entry has an id of its own, so two devices can each change one at
// the same time. Group, kinds, preference and parameters come from cards and are exported again; people
// mostly see label and value.

import Records

/// One phone, e-mail, web address, instant message address, date or related person.
package struct LabeledValue: Hashable, Sendable {
  /// The id of the entry, independent of its content.
  package let id: EntryID
  /// Its position in the list.
  package let position: Position
  /// What it is for: `home`, `work`, or a word of the person's own; may be empty.
  package var label: String
  /// The number or address as it was typed.
  package var value: String
  /// The other details of the entry.
  package var details = EntryDetails()

  /// Creates an entry with a label and a value.
  package init(id: EntryID, position: Position, label: String, value: String) {
    self.id = id
    self.position = position
    self.label = label
    self.value = value
  }
}

/// One postal address.
package struct PostalAddress: Hashable, Sendable {
  /// The id of the entry, independent of its content.
  package let id: EntryID
  /// Its position in the list.
  package let position: Position
  /// What it is for: `home`, `work`, or a word of the person's own; may be empty.
  package var label = ""
  /// The post-office box.
  package var poBox = ""
  /// Street and number; may have several lines.
  package var street1 = ""
  /// Apartment, floor, building.
  package var street2 = ""
  /// The city.
  package var city = ""
  /// The state, province or region.
  package var state = ""
  /// The postal code.
  package var zipcode = ""
  /// The name of the country.
  package var country = ""
  /// The two-letter country code, in lower case as in cards.
  package var countryCode = ""
  /// The other details of the entry.
  package var details = EntryDetails()

  /// Creates an empty address.
  package init(id: EntryID, position: Position) {
    self.id = id
    self.position = position
  }
}

/// The details of an entry that cards contain in addition to its label and value.
package struct EntryDetails: Hashable, Sendable {
  /// Further kinds in lower case, separated by commas: `voice,msg`.
  package var kinds = ""
  /// From 1, the most preferred, to 100; `nil` for no preference.
  package var preference: Int?
  /// The group that connects it with other properties of its card: `item1`.
  package var group = ""
  /// The name of the card's property, if not the usual one: `X-SKYPE`.
  package var name = ""
  /// Further parameters in the card's syntax.
  package var parameters = ""

  /// Creates details without content.
  package init() {}

  /// Whether there are no details.
  package var isEmpty: Bool { self == EntryDetails() }
}

/// A property of a card that has no equivalent in a contact.
package struct OtherProperty: Hashable, Sendable {
  /// The id of the entry, independent of its content.
  package let id: EntryID
  /// Its position in the list.
  package let position: Position
  /// The group that connects it with other properties of its card: `item1`.
  package var group = ""
  /// Its name as in the card: `X-SHOE-SIZE`.
  package var name = ""
  /// Its parameters as in the card, without the leading semicolon.
  package var parameters = ""
  /// Its value as in the card, escapes included, in one line.
  package var value = ""
  /// The contact's property, by its name in JSON, of which this is the more exact original. Exports write it
  /// instead of that property while both have the same value. Empty for none.
  package var restates = ""
  /// The decoded base-64 value; `value` is empty then.
  package var content: ContactMedia?

  /// Creates an empty property.
  package init(id: EntryID, position: Position) {
    self.id = id
    self.position = position
  }
}

/// The bytes of a picture or sound.
package enum ContactMedia: Hashable, Sendable {
  /// The bytes themselves, if small enough for a record.
  case inline([UInt8])
  /// A file stored next to the database.
  case asset(Asset)

  /// The number of bytes.
  package var sizeBytes: UInt64 {
    switch self {
    case .inline(let bytes): UInt64(bytes.count)
    case .asset(let asset): asset.sizeBytes
    }
  }
}

/// The picture of a contact.
package struct ContactPhoto: Hashable, Sendable {
  /// The bytes.
  package var media: ContactMedia
  /// Their media type, such as `image/jpeg`; empty if unknown.
  package var mediaType: String

  /// Creates a picture from its bytes.
  package init(media: ContactMedia, mediaType: String) {
    self.media = media
    self.mediaType = mediaType
  }
}
