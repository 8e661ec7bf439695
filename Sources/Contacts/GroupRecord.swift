// A group as other address books have it: a card of its own that names its members. Here its members
// are the contacts that have its title among their categories; the record keeps whatever else the
// card said, so that it can be written again. Its fields are those of a contact, read and written by
// ContactRecord; only its type says that it is none, and no list shows it.

import Records

/// How a group of another address book lies in a record.
package enum GroupRecord {
  /// The type of its record.
  package static let type = RecordType(stored: "ContactGroup")

  /// The title of the group that `fields` describe.
  package static func title(named id: RecordName, fields: Fields) -> String {
    ContactNaming(ContactRecord.contact(named: id, fields: fields)).displayName
  }
}
