// A group of another address book: a card of its own that names its members. Here the members are the
// contacts that have the group's title among their categories; the record retains the rest of the card for
// later exports. Its fields are those of a contact, read and written by ContactRecord. Only its record type
// differs, so no list of contacts contains it.

import Records

/// The record of a group of another address book.
package enum GroupRecord {
  /// The record type.
  package static let type = RecordType(stored: "ContactGroup")

  /// Returns the title of the group that `fields` describe.
  package static func title(named id: RecordName, fields: Fields) -> String {
    title(of: ContactRecord.contact(named: id, fields: fields))
  }

  /// Returns the title of a group that was read from its record: the whole name of its card, which programs show, even
  /// if the parts of the name are those of a former title.
  package static func title(of group: Contact) -> String {
    group.displayName.isEmpty ? ContactName(group).displayName : group.displayName
  }
}
