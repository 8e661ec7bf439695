// A person or company of an address book, as people see it. How it is kept in a record is told in
// ContactRecord.swift and nowhere else; this file may grow properties without any other noticing.

import Records

/// One entry of an address book.
package struct Contact: Hashable, Sendable {
  /// The name of the contact's record.
  package let id: RecordName
  /// The given name; empty when there is none.
  package var firstName: String
  /// The family name; empty when there is none.
  package var lastName: String
  /// The company; empty when there is none.
  package var company: String
  /// Telephone numbers, in the order in which they are shown.
  package var phones: [LabeledValue]
  /// E-mail addresses, in the order in which they are shown.
  package var emails: [LabeledValue]

  /// A contact with what is given.
  package init(
    id: RecordName, firstName: String = "", lastName: String = "", company: String = "",
    phones: [LabeledValue] = [], emails: [LabeledValue] = []
  ) {
    self.id = id
    self.firstName = firstName
    self.lastName = lastName
    self.company = company
    self.phones = phones
    self.emails = emails
  }
}

/// One phone or e-mail of a contact.
package struct LabeledValue: Hashable, Sendable {
  /// Who the entry is, whatever it says.
  package let id: EntryID
  /// Where it stands among the others.
  package let position: Position
  /// What it is for: `home`, `work`, or a word of the person's own; may be empty.
  package var label: String
  /// The number or address as it was typed.
  package var value: String

  /// An entry that says `value` under `label`.
  package init(id: EntryID, position: Position, label: String, value: String) {
    self.id = id
    self.position = position
    self.label = label
    self.value = value
  }
}
