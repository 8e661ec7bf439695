// What stands in a contact's lists. Each entry has an identity of its own, so two devices may each
// change one at the same time. Group, kinds, preference and parameters come from cards and go back
// into them; people mostly see label and value.

import Records

/// One phone, e-mail, web address, instant message address, date or related person.
package struct LabeledValue: Hashable, Sendable {
  /// Who the entry is, whatever it says.
  package let id: EntryID
  /// Where it stands among the others.
  package let position: Position
  /// What it is for: `home`, `work`, or a word of the person's own; may be empty.
  package var label: String
  /// The number or address as it was typed.
  package var value: String
  /// The rest of what the entry says.
  package var details = EntryDetails()

  /// An entry that says `value` under `label`.
  package init(id: EntryID, position: Position, label: String, value: String) {
    self.id = id
    self.position = position
    self.label = label
    self.value = value
  }
}

/// One postal address.
package struct PostalAddress: Hashable, Sendable {
  /// Who the entry is, whatever it says.
  package let id: EntryID
  /// Where it stands among the others.
  package let position: Position
  /// What it is for: `home`, `work`, or a word of the person's own; may be empty.
  package var label = ""
  /// The post-office box.
  package var poBox = ""
  /// Street and number; may have lines.
  package var street1 = ""
  /// Apartment, floor, building.
  package var street2 = ""
  /// The city.
  package var city = ""
  /// The state, province or region.
  package var state = ""
  /// The postal code.
  package var zipcode = ""
  /// The country by name.
  package var country = ""
  /// The country by its two letters, lower case as cards have it.
  package var countryCode = ""
  /// The rest of what the entry says.
  package var details = EntryDetails()

  /// An address that says nothing yet.
  package init(id: EntryID, position: Position) {
    self.id = id
    self.position = position
  }
}

/// What cards say of an entry beside its label and value.
package struct EntryDetails: Hashable, Sendable {
  /// What it is beside its label, lower-case words with commas between: `voice,msg`.
  package var kinds = ""
  /// From 1, the most preferred, to 100; `nil` for no preference.
  package var preference: Int?
  /// What ties it to other properties of its card: `item1`.
  package var group = ""
  /// The card's property it came as, where that is not the usual one: `X-SKYPE`.
  package var name = ""
  /// Further parameters as a card writes them.
  package var parameters = ""

  /// Nothing.
  package init() {}

  /// Whether there is nothing.
  package var isEmpty: Bool { self == EntryDetails() }
}

/// A property of a card that no property of a contact means.
package struct OtherProperty: Hashable, Sendable {
  /// Who the entry is, whatever it says.
  package let id: EntryID
  /// Where it stands among the others.
  package let position: Position
  /// What ties it to other properties of its card: `item1`.
  package var group = ""
  /// Its name as the card wrote it: `X-SHOE-SIZE`.
  package var name = ""
  /// Its parameters as the card wrote them, without the leading semicolon.
  package var parameters = ""
  /// Its value as the card wrote it, escapes included, in one line.
  package var value = ""
  /// The contact's property (by its name in JSON) that this says more exactly, parameters and all;
  /// it is written in that one's stead as long as both say the same. Empty for none.
  package var restates = ""
  /// What the value is the base-64 of; `value` is empty then.
  package var content: ContactMedia?

  /// A property that says nothing yet.
  package init(id: EntryID, position: Position) {
    self.id = id
    self.position = position
  }
}

/// The bytes of a picture or sound.
package enum ContactMedia: Hashable, Sendable {
  /// The bytes themselves: only what is small enough for a record.
  case inline([UInt8])
  /// A file kept beside the database.
  case asset(Asset)

  /// Their number.
  package var sizeBytes: UInt64 {
    switch self {
    case .inline(let bytes): UInt64(bytes.count)
    case .asset(let asset): asset.sizeBytes
    }
  }
}

/// The picture of a contact.
package struct ContactPhoto: Hashable, Sendable {
  /// Its bytes.
  package var media: ContactMedia
  /// What they are: `image/jpeg`; empty when nobody said and the bytes do not tell.
  package var mediaType: String

  /// A picture of these bytes.
  package init(media: ContactMedia, mediaType: String) {
    self.media = media
    self.mediaType = mediaType
  }
}
