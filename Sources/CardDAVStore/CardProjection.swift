// What CardDAV clients need to know of the past: which cards are gone, and what a card was when they read it.

import CardDAV
import Contacts
import DeviceStore
import GRDB
import Records
import SQLiteFile

/// Notes changes of contacts for CardDAV clients, while there are app passwords.
package final class CardProjection: Projection {
  /// The maximum number of notes of a kind that are forgotten in one step.
  private static let notesPerStep = 1_000

  private var isOn = false

  /// A projection without anything in memory.
  package init() {}

  package func begin(_ db: Database) throws {
    isOn = try db.number("SELECT EXISTS (SELECT 1 FROM dav_state)") > 0
  }

  package func apply(_ record: ProjectedRecord, in transaction: DeviceTransaction) throws {
    guard isOn, !record.zone.isPublic, Self.isCard(record.type) else { return }
    let db = transaction.db
    if let former = record.former {
      let contact = ContactRecord.contact(named: record.name, fields: former)
      try ServedCards(db).copyPresent(
        ofRecord: record.row, contact, now: transaction.now)
      try KeptCards(db).forget(record.row)
    }
    if record.fields == nil {
      try CardDeletions(db).note(record.name, inZone: record.zoneRow)
    } else if record.former == nil {
      try CardDeletions(db).forget(record.name, inZone: record.zoneRow)
      try CardResources(db).keepApart(record.name, inZone: record.zoneRow)
    }
    guard record.type == ContactRecord.type else { return }
    try CardUIDs(db).note(record.fields, of: record.name, in: record.zoneRow)
    try CardGroups(db).noteMember(
      former: record.former, fields: record.fields, inZone: record.zoneRow)
  }

  package func remove(record: Int64, _ db: Database) throws {
    guard isOn else { return }
    let row = try db.row(
      "SELECT zone, name, type, shown FROM record WHERE id = ? AND shown IS NOT NULL", [record])
    if let row, Self.isCard(RecordType(stored: row["type"])) {
      try CardDeletions(db).note(RecordName(stored: row["name"]), inZone: row["zone"])
      if row["type"] as String == ContactRecord.type.text {
        try CardGroups(db).noteMember(
          former: Fields.read(row["shown"]), fields: nil, inZone: row["zone"])
      }
    }
    for table in ["dav_touched", "dav_kept", "dav_base"] {
      try db.run("DELETE FROM \(table) WHERE record = ?", [record])
    }
  }

  package func remove(zone: Int64, _ db: Database) throws {
    guard isOn else { return }
    for table in ["dav_touched", "dav_kept", "dav_base"] {
      try db.run(
        "DELETE FROM \(table) WHERE record IN (SELECT id FROM record WHERE zone = ?)", [zone])
    }
    for table in ["dav_book", "dav_name", "dav_uid", "dav_gone"] {
      try db.run("DELETE FROM \(table) WHERE zone = ?", [zone])
    }
    // What others entered must not stay after the group is gone.
    try ServedCards(db).forgetOrphans()
    // A group that comes back is another one to a client that read it before.
    try CardDeletions(db).forgetAll()
  }

  package func expire(at now: Timestamp, _ db: Database) throws -> Bool {
    let hasDeletions = try CardDeletions(db).expire(limit: Self.notesPerStep, now: now)
    let hasCards = try ServedCards(db).expire(limit: Self.notesPerStep, now: now)
    return hasDeletions || hasCards
  }

  /// Another account is about to use the device: the passwords of this one must not open its contacts.
  package func removeAll(_ db: Database) throws {
    for table in [
      "dav_state", "dav_password", "dav_book", "dav_name", "dav_uid", "dav_gone",
      "dav_touched", "dav_kept",
      "dav_card", "dav_base",
    ] {
      try db.execute(sql: "DELETE FROM \(table)")
    }
    isOn = false
  }

  /// Whether clients see records of this type as cards.
  static func isCard(_ type: RecordType) -> Bool {
    type == ContactRecord.type || type == GroupRecord.type
  }
}
