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
  private let members: [String]
  private let leavers: Leavers

  /// The contacts that leave the group if its card does not name them.
  enum Leavers {
    /// All of them: the client has read the group as it is.
    case all
    /// Those that the card named which the client has read, by their UIDs.
    case known([String])
  }

  /// Reads the card of a group.
  /// - Parameters:
  ///   - title: The title of the group now.
  ///   - former: The title of the group before; `nil` for a new group.
  ///   - leavers: The contacts that leave the group if the card does not name them.
  init(_ group: ImportedContact, title: String, former: String?, leavers: Leavers) {
    self.title = title
    self.former = former ?? title
    members = group.memberUIDs
    self.leavers = leavers
  }

  /// The deletion of the card of a group, which all its members leave.
  init(deleting title: String) {
    self.title = title
    (former, members, leavers) = (title, [], .all)
  }

  /// Returns the edits of the contacts of a book.
  func edits(in book: CardDAVBook, _ db: Database) throws -> [LocalEdit] {
    guard !title.isEmpty else { return [] }
    let groups = CardGroups(db)
    let named = try members.compactMap { try groups.contact(ofMember: $0, in: book.row) }
    let isNamed = Set(named.map(\.contact.id))
    let others = try groups.contacts(withCategory: former, in: book.row).filter {
      !isNamed.contains($0.contact.id)
    }
    let leave = try leaving(others.map(\.contact.id), in: book, groups)
    return try named.compactMap { try edit(of: $0, isMember: true, in: book) }
      + others.compactMap {
        try edit(of: $0, isMember: !leave.contains($0.contact.id), in: book)
      }
  }

  private func leaving(
    _ others: [RecordName], in book: CardDAVBook, _ groups: CardGroups
  ) throws -> Set<RecordName> {
    switch leavers {
    case .all: Set(others)
    case .known(let uids):
      Set(try uids.compactMap { try groups.contact(ofMember: $0, in: book.row)?.contact.id })
    }
  }

  private func edit(
    of found: CardGroups.Found, isMember: Bool, in book: CardDAVBook
  ) throws -> LocalEdit? {
    var edit = ContactEdit()
    edit.categories = categories(of: found.contact, isMember: isMember)
    let changes = try edit.changes(to: found.fields, naming: DerivedEntryID.byContent)
    guard !changes.isEmpty else { return nil }
    return .save(
      LocalEdit.RecordSave(
        id: RecordID(zone: book.zone, name: found.contact.id), type: ContactRecord.type,
        changes: changes, expectation: .present))
  }

  private func categories(of contact: Contact, isMember: Bool) -> [String] {
    // The order of the others stays.
    guard !isMember || former != title || !contact.categories.contains(title) else {
      return contact.categories
    }
    return contact.categories.filter { $0 != former && $0 != title } + (isMember ? [title] : [])
  }
}
