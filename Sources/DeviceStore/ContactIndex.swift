// What lists and searches need of each contact, written in the transaction that changes the contact
// and made from its record alone. How a contact is called and sorted is decided in Contacts.

import Contacts
import Foundation
import GRDB
import Records
import SQLiteFile
import SyncCore

enum ContactIndex {
  static let type = ContactRecord.type

  /// What people call a record: a contact's name, a conflict's record, otherwise nothing.
  static func title(_ name: RecordName, type: RecordType, fields: Fields) -> String {
    if type == Self.type {
      return ContactNaming(ContactRecord.contact(named: name, fields: fields)).displayName
    }
    if type == Conflict.recordType { return Conflict(fields)?.record.text ?? "" }
    return ""
  }

  /// Enters a contact that is not in the index.
  static func add(
    _ db: Database, record: Int64, zone: Int64, name: RecordName, fields: Fields
  ) throws {
    let contact = ContactRecord.contact(named: name, fields: fields)
    let naming = ContactNaming(contact)
    try db.run(
      "INSERT INTO contact VALUES (?, ?, ?, ?, ?, ?)",
      [
        record, zone, naming.displayName.folded(), naming.sortKey,
        ContactNaming(contact, order: .first).sortKey,
        ContactNaming(contact, order: .company).sortKey,
      ])
    try db.run(
      "INSERT INTO contact_text (rowid, text) VALUES (?, ?)",
      [record, ContactSearch.text(of: contact)])
    for phone in contact.phones {
      let digits = digits(of: phone.value)
      guard !digits.isEmpty else { continue }
      try db.run(
        "INSERT OR IGNORE INTO phone VALUES (?, ?)", [record, String(digits.reversed())])
    }
  }

  /// Takes a contact out, if it is in.
  static func remove(_ db: Database, record: Int64) throws {
    try db.run("DELETE FROM contact WHERE record = ?", [record])
    guard db.changesCount > 0 else { return }
    try db.run("DELETE FROM contact_text WHERE rowid = ?", [record])
    try db.run("DELETE FROM phone WHERE record = ?", [record])
  }

  /// The digits of a text, in ASCII.
  static func digits(of text: String) -> String {
    text.compactMap(\.wholeNumberValue).map { String($0) }.joined()
  }
}
