// Finds contacts by the UIDs of their cards. The name of a record follows from the UID of its contact, except for a contact
// that was given a UID later; only those have rows.

import ContactCards
import Contacts
import DeviceStore
import GRDB
import Records
import SQLiteFile

/// The UIDs of cards.
package struct CardUIDs {
  private let db: Database

  /// The UIDs of a database.
  package init(_ db: Database) { self.db = db }

  /// Returns the name of the record whose card has this UID; `nil` if the book has none.
  package func record(withUID uid: String, in zone: Int64) throws -> RecordName? {
    for name in try ImportedContact.recordNames(ofUID: uid) + others(uid, zone) {
      let row = try db.row(
        """
        SELECT shown FROM record WHERE zone = ? AND name = ? AND type = 'Contact'
          AND shown IS NOT NULL
        """, [zone, name.text])
      guard let row, let fields = try Fields.read(row["shown"]) else { continue }
      let contact = ContactRecord.contact(named: name, fields: fields)
      if CardGroup.uid(ofMember: contact.cardUID) == CardGroup.uid(ofMember: uid) { return name }
    }
    return nil
  }

  private func others(_ uid: String, _ zone: Int64) throws -> [RecordName] {
    try db.rows(
      "SELECT record FROM dav_uid WHERE zone = ? AND uid = ?", [zone, CardGroup.uid(ofMember: uid)]
    ).map { RecordName(stored: $0["record"]) }
  }

  /// Notes the UID of a contact that is new or changed; `nil` for one that is deleted.
  func note(_ fields: Fields?, of name: RecordName, in zone: Int64) throws {
    try db.run("DELETE FROM dav_uid WHERE zone = ? AND record = ?", [zone, name.text])
    guard let fields, fields[ContactText.uid.key] != nil else { return }
    let uid = ContactRecord.contact(named: name, fields: fields).uid
    guard !uid.isEmpty, !ImportedContact.recordNames(ofUID: uid).contains(name) else { return }
    try db.run(
      "INSERT OR IGNORE INTO dav_uid VALUES (?, ?, ?)",
      [zone, CardGroup.uid(ofMember: uid), name.text])
  }

  /// Notes the UIDs of all contacts, for the first client.
  func noteAll() throws {
    let rows = try Row.fetchCursor(
      db, sql: "SELECT zone, name, shown FROM record WHERE type = 'Contact' AND shown NOT NULL")
    var others: [(fields: Fields, name: RecordName, zone: Int64)] = []
    while let row = try rows.next() {
      guard let fields = try Fields.read(row["shown"]) else { continue }
      others.append((fields, RecordName(stored: row["name"]), row["zone"]))
      guard others.count == 1_000 else { continue }
      for one in others { try note(one.fields, of: one.name, in: one.zone) }
      others = []
    }
    for one in others { try note(one.fields, of: one.name, in: one.zone) }
  }
}
