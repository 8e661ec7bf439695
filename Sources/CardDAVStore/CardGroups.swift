// Groups as Apple's programs know them are cards that name their members. Here the members are the contacts that have
// the group's title among their categories, so the group's card changes when a contact does.

import ContactCards
import Contacts
import DeviceStore
import Foundation
import GRDB
import Records
import SQLiteFile

/// The groups that are cards of their own.
package struct CardGroups {
  private let db: Database

  /// The groups of a database.
  package init(_ db: Database) { self.db = db }

  /// Returns the UIDs of the members of the group whose card this is, in the order of their rows; none if it is not the
  /// card of a group. Reads all contacts of the book.
  package func members(of card: CardResource, titled title: String) throws -> [String] {
    guard card.isGroup, let zone = try DeviceReader.row(of: card.id.zone, db) else { return [] }
    return try members(ofGroup: title, in: zone)
  }

  /// Returns the UIDs of a group's members in its book, in the order of their rows.
  func members(ofGroup title: String, in zone: Int64) throws -> [String] {
    try contacts(withCategory: title, in: zone).map(\.contact.cardUID)
  }

  /// A contact of a book.
  package typealias Found = (contact: Contact, fields: Fields)

  /// Returns the contacts with a category, in the order of their rows.
  package func contacts(withCategory title: String, in zone: Int64) throws -> [Found] {
    // Fields contain texts as they are, so that most contacts need not be decoded.
    try db.rows(
      """
      SELECT name, shown FROM record WHERE zone = ? AND type = 'Contact' AND instr(shown, ?) > 0
      ORDER BY id
      """, [zone, Data(title.utf8)]
    ).compactMap(Self.found).filter { $0.contact.categories.contains(title) }
  }

  /// Returns the contact that a group's card names; `nil` if the book has none with this UID.
  package func contact(ofMember uid: String, in zone: Int64) throws -> Found? {
    guard let name = try CardUIDs(db).record(withUID: uid, in: zone) else { return nil }
    return try db.first(
      "SELECT name, shown FROM record WHERE zone = ? AND name = ?", [zone, name.text],
      decode: Self.found) ?? nil
  }

  /// A group whose card names a member that the book did not have.
  package struct Waiting {
    /// The title of the group.
    package let title: String
    private let group: Contact
    private let fields: Fields
    private let uid: String

    fileprivate init?(_ found: Found, uid: String) {
      guard found.contact.other.contains(where: { Self.isMember($0, uid) }) else { return nil }
      (group, fields) = found
      title = GroupRecord.title(of: group)
      self.uid = uid
    }

    /// Returns the edit of the group that takes the member from its card, because it has the title as a category now.
    package func edit(in zone: ZoneID) throws -> LocalEdit? {
      var edit = ContactEdit()
      edit[.other] = group.other.filter { Self.isMember($0, uid) }.map { .remove($0.id) }
      let changes = try edit.changes(to: fields, naming: DerivedEntryID.byContent)
      guard !changes.isEmpty else { return nil }
      return .save(
        LocalEdit.RecordSave(
          id: RecordID(zone: zone, name: group.id), type: GroupRecord.type, changes: changes,
          expectation: .present))
    }

    private static func isMember(_ property: OtherProperty, _ uid: String) -> Bool {
      CardGroup.isMember(property.name.uppercased())
        && CardGroup.uid(ofMember: property.value) == CardGroup.uid(ofMember: uid)
    }
  }

  /// Returns the groups whose cards name a UID that the book has no contact of: the card of a group can come before those of
  /// its members.
  package func groups(naming uid: String, in zone: Int64) throws -> [Waiting] {
    guard !uid.isEmpty else { return [] }
    let bare = CardGroup.uid(ofMember: uid)
    return try db.rows(
      """
      SELECT name, shown FROM record WHERE zone = ? AND type = 'ContactGroup'
        AND instr(shown, ?) > 0 ORDER BY id
      """, [zone, Data(bare.utf8)]
    ).compactMap(Self.found).compactMap { Waiting($0, uid: bare) }.filter { !$0.title.isEmpty }
  }

  private static func found(_ row: Row) throws -> Found? {
    try Fields.read(row["shown"]).map { fields in
      (ContactRecord.contact(named: RecordName(stored: row["name"]), fields: fields), fields)
    }
  }

  /// Notes that the cards of groups change because a contact joins or leaves them, or because its UID, which names a
  /// member, is another one.
  /// - Parameters:
  ///   - former: The contact before; `nil` if it is new.
  ///   - fields: The contact now; `nil` if it is deleted.
  func noteMember(former: Fields?, fields: Fields?, inZone zone: Int64) throws {
    let (before, after) = (Set(Self.categories(former)), Set(Self.categories(fields)))
    let uid = ContactText.uid.key
    let titles =
      former?[uid] == fields?[uid] ? before.symmetricDifference(after) : before.union(after)
    guard !titles.isEmpty else { return }
    let groups = try db.rows(
      "SELECT id, name, shown FROM record WHERE type = 'ContactGroup' AND zone = ? AND shown NOT NULL",
      [zone])
    for row in groups {
      let title = GroupRecord.title(
        named: RecordName(stored: row["name"]), fields: try Fields.read(row["shown"]) ?? Fields())
      guard titles.contains(title) else { continue }
      try KeptCards(db).forget(row["id"])
      try ServedCards(db).forgetPresent(ofRecord: row["id"])
      try CardTouches(db).touch(row["id"], in: zone)
    }
  }

  private static func categories(_ fields: Fields?) -> [String] {
    guard let fields, fields[ContactRecord.categories] != nil else { return [] }
    return ContactRecord.contact(named: RecordName(stored: ""), fields: fields).categories
  }
}

extension Contact {
  /// The UID in the contact's card: its own, or else the name of its record.
  package var cardUID: String { uid.isEmpty ? id.text : uid }
}
