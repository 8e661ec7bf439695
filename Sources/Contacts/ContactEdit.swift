// What a person did to a contact, as changes to its record's fields. Fields and entry properties
// the edit does not name are never read, written or lost. Setting a text to nothing removes its
// field: absent and empty are the same to people, and predicates treat absent ones better.

import Records

/// Changes to one contact: names set, phones and e-mails added, changed and removed.
package struct ContactEdit: Hashable, Sendable {
  /// A change to one list of entries.
  package enum EntryEdit: Hashable, Sendable {
    /// A new entry at the end of the list.
    case add(label: String, value: String)
    /// Another label or value for an entry; `nil` leaves it.
    case change(EntryID, label: String?, value: String?)
    /// The entry goes.
    case remove(EntryID)
  }

  /// The new first name; `nil` leaves it, empty removes it.
  package var firstName: String?
  /// The new last name; `nil` leaves it, empty removes it.
  package var lastName: String?
  /// The new company; `nil` leaves it, empty removes it.
  package var company: String?
  /// What happens to the phones, in this order.
  package var phones: [EntryEdit]
  /// What happens to the e-mails, in this order.
  package var emails: [EntryEdit]

  /// An edit of what is given.
  package init(
    firstName: String? = nil, lastName: String? = nil, company: String? = nil,
    phones: [EntryEdit] = [], emails: [EntryEdit] = []
  ) {
    self.firstName = firstName
    self.lastName = lastName
    self.company = company
    self.phones = phones
    self.emails = emails
  }

  /// The edit as changes to a record that has `fields`; of a new contact, no fields. Blanks around
  /// a text do not count. Only what really differs is named, so an edit that sets what is there
  /// changes nothing.
  /// - Throws: `unknownItem` when an entry that is to be changed or removed is not there.
  package func changes(
    to fields: Fields, using generator: inout some RandomNumberGenerator
  ) throws(RecordsError) -> FieldChanges {
    var result = fields
    if let firstName { result[ContactRecord.firstName] = text(firstName) }
    if let lastName { result[ContactRecord.lastName] = text(lastName) }
    if let company { result[ContactRecord.company] = text(company) }
    try apply(phones, to: ContactRecord.phones, in: &result, using: &generator)
    try apply(emails, to: ContactRecord.emails, in: &result, using: &generator)
    return FieldChanges.difference(from: fields, to: result)
  }

  /// The contact as a person wants it to be, as an edit of what it is: entries are matched by id,
  /// those not named go, those without an id are new.
  package static func replacing(_ contact: Contact, with draft: ContactDraft) -> ContactEdit {
    ContactEdit(
      firstName: draft.firstName, lastName: draft.lastName, company: draft.company,
      phones: entryEdits(from: contact.phones, to: draft.phones),
      emails: entryEdits(from: contact.emails, to: draft.emails))
  }

  private static func entryEdits(
    from old: [LabeledValue], to new: [ContactDraft.DraftEntry]
  ) -> [EntryEdit] {
    let kept = Set(new.compactMap(\.id))
    let removed = old.filter { !kept.contains($0.id) }.map { EntryEdit.remove($0.id) }
    return removed
      + new.map { entry in
        guard let id = entry.id else { return .add(label: entry.label, value: entry.value) }
        return .change(id, label: entry.label, value: entry.value)
      }
  }

  private func text(_ typed: String) -> Value? {
    let kept = typed.trimmingBlanks()
    return kept.isEmpty ? nil : .string(kept)
  }

  private func apply(
    _ edits: [EntryEdit], to key: FieldKey, in fields: inout Fields,
    using generator: inout some RandomNumberGenerator
  ) throws(RecordsError) {
    guard !edits.isEmpty else { return }
    var entries = ContactRecord.entries(fields[key])
    for edit in edits {
      switch edit {
      case .add(let label, let value):
        let last = entries.max { $0.position < $1.position }
        entries.append(
          Entry(
            id: .random(using: &generator), position: .between(last?.position, nil),
            fields: ContactRecord.entryFields(
              label: label.trimmingBlanks(), value: value.trimmingBlanks())))
      case .change(let id, let label, let value):
        let index = try index(of: id, in: entries, key: key)
        if let label { entries[index].fields[ContactRecord.label] = text(label) }
        if let value { entries[index].fields[ContactRecord.value] = text(value) }
      case .remove(let id):
        entries.remove(at: try index(of: id, in: entries, key: key))
      }
    }
    fields[key] = entries.isEmpty ? nil : .entries(entries)
  }

  private func index(
    of id: EntryID, in entries: [Entry], key: FieldKey
  ) throws(RecordsError) -> Int {
    guard let index = entries.firstIndex(where: { $0.id == id }) else {
      throw RecordsError(
        .unknownItem, "The contact has no entry \(id) among its \(key).",
        hint: "Show the contact to see the ids of its entries.", field: key.text)
    }
    return index
  }
}

/// A whole contact as a person wants it to be; entries without an id are new.
package struct ContactDraft: Hashable, Sendable {
  /// One phone or e-mail.
  package struct DraftEntry: Hashable, Sendable {
    /// The entry that is to say this; `nil` for a new one.
    package let id: EntryID?
    /// Its label.
    package let label: String
    /// Its value.
    package let value: String

    /// An entry that is to say `value`.
    package init(id: EntryID? = nil, label: String = "", value: String) {
      self.id = id
      self.label = label
      self.value = value
    }
  }

  /// The first name; empty for none.
  package var firstName: String
  /// The last name; empty for none.
  package var lastName: String
  /// The company; empty for none.
  package var company: String
  /// All phones.
  package var phones: [DraftEntry]
  /// All e-mails.
  package var emails: [DraftEntry]

  /// A draft of what is given.
  package init(
    firstName: String = "", lastName: String = "", company: String = "",
    phones: [DraftEntry] = [], emails: [DraftEntry] = []
  ) {
    self.firstName = firstName
    self.lastName = lastName
    self.company = company
    self.phones = phones
    self.emails = emails
  }
}
