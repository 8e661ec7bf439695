// The members of a group's card. They are the contacts that have the group's title among their categories, so a client
// that adds a member changes the contact.

import CardDAVStore
import ContactCards
import Contacts
import DeviceStore
import GRDB
import Records

/// What a group's card changes in its members.
struct GroupMemberChange {
  private let title: String
  private let former: String
  private let members: Set<String>
  private let isComplete: Bool

  /// Reads the card of a group.
  /// - Parameters:
  ///   - former: The title of the group before; `nil` for a new group.
  ///   - isComplete: Whether contacts that the card does not name leave the group.
  init(_ group: ImportedContact, former: String?, isComplete: Bool) {
    title = group.name.trimmingBlanks()
    self.former = former ?? title
    members = Set(group.memberUIDs)
    self.isComplete = isComplete
  }

  /// Returns the edits of the contacts of a book.
  func edits(in book: CardDAVBook, _ db: Database) throws -> [LocalEdit] {
    guard !title.isEmpty else { return [] }
    return try CardGroups(db).contacts(in: book.row).compactMap { contact, fields in
      var edit = ContactEdit()
      edit.categories = categories(of: contact)
      let changes = try edit.changes(to: fields, naming: DerivedEntryID.byContent)
      guard !changes.isEmpty else { return nil }
      return .save(
        LocalEdit.RecordSave(
          id: RecordID(zone: book.zone, name: contact.id), type: ContactRecord.type,
          changes: changes, expectation: .present))
    }
  }

  private func categories(of contact: Contact) -> [String] {
    let isNamed = members.contains(contact.cardUID)
    let wasMember = contact.categories.contains(former)
    let others = contact.categories.filter { $0 != former && $0 != title }
    guard isNamed || (wasMember && !isComplete) else {
      return wasMember ? others : contact.categories
    }
    // The order of the others stays.
    return contact.categories.contains(title) && former == title
      ? contact.categories : others + [title]
  }
}
