// Makes the places of all contacts anew, and their words, when the person's language is another or
// the library's tables have changed. A page at a time, each a transaction of some milliseconds, so
// that edits get in between; a contact that is edited meanwhile is entered in both generations.
// After a kill it goes on where it was.

import Collation
import Contacts
import GRDB
import Records
import SQLiteFile

/// The making of a new order.
enum Reordering {
  /// What a new device's or a small address book's start may take is no reason for two orders.
  static let atOnceMaximum = 2_000

  /// Sees to it that the device's row is there and asks for `language`. What is little is done at
  /// once.
  /// - Returns: whether `advance` has something to do.
  static func begin(
    _ db: Database, _ language: Language, contacts: ContactIndex, now: Timestamp
  ) throws -> Bool {
    contacts.willReorder()
    guard try ask(for: language, db) else { return false }
    let count = try db.number(
      "SELECT count(*) FROM (SELECT 1 FROM contact LIMIT ?)", [atOnceMaximum])
    guard count < atOnceMaximum else { return true }
    let transaction = try DeviceTransaction(db, contacts: contacts, now: now)
    while try advance(transaction, limit: atOnceMaximum) {}
    try transaction.finish()
    return false
  }

  private static func ask(for language: Language, _ db: Database) throws -> Bool {
    guard var row = try OrderingRow.load(db) else {
      try OrderingRow(first: language).store(db)
      return false
    }
    let wanted = ContactOrdering.of(language)
    if row.version == wanted.version, row.words == ContactSearch.version {
      guard row.next != nil else { return try hasRemains(row, db) }
      // The person went back to the language that is still read.
      try forget(row.current.number + 1, db)
      row.next = nil
      row.done = 0
      try row.store(db)
      return false
    }
    let isUnderWay = row.next?.ordering.version == wanted.version
    if !isUnderWay {
      try forget(row.current.number + 1, db)
      row.next = OrderingRow.Generation(number: row.current.number + 1, ordering: wanted)
      row.done = 0
      try row.store(db)
    }
    return true
  }

  /// Makes the places of the next `limit` contacts; at the end the new order takes over.
  /// - Returns: whether more is to be done.
  static func advance(_ transaction: DeviceTransaction, limit: Int) throws -> Bool {
    let db = transaction.db
    transaction.contacts.willReorder()
    guard var row = try OrderingRow.load(db), let next = row.next else {
      return try clean(db, limit: limit)
    }
    let contacts = try db.rows(
      """
      SELECT contact.record, contact.zone, record.name, record.shown FROM contact
      JOIN record ON record.id = contact.record WHERE contact.record > ?
      ORDER BY contact.record LIMIT ?
      """, [row.done, limit])
    for found in contacts {
      let fields = try Fields.read(found["shown"]) ?? Fields()
      let contact = ContactRecord.contact(
        named: RecordName(stored: found["name"]), fields: fields)
      let record: Int64 = found["record"]
      row.done = record
      try transaction.contacts.place(
        ContactNaming(contact), record: record, zone: found["zone"], generation: next, in: db)
      if row.words != ContactSearch.version {
        try transaction.contacts.renewText(of: contact, record: record, in: db)
      }
    }
    if contacts.count < limit {
      row.current = next
      row.next = nil
      row.version = next.ordering.version
      row.words = ContactSearch.version
      row.done = 0
    }
    try row.store(db)
    return true
  }

  /// Removes what is left of former generations.
  private static func clean(_ db: Database, limit: Int) throws -> Bool {
    guard let row = try OrderingRow.load(db) else { return false }
    try db.run(
      """
      DELETE FROM contact_place WHERE (generation, record) IN (
        SELECT generation, record FROM contact_place WHERE generation < ? LIMIT ?)
      """, [row.current.number, limit])
    if db.changesCount > 0 { return true }
    try db.run("DELETE FROM contact_section WHERE generation < ?", [row.current.number])
    return false
  }

  private static func hasRemains(_ row: OrderingRow, _ db: Database) throws -> Bool {
    try db.number(
      "SELECT EXISTS (SELECT 1 FROM contact_place WHERE generation < ?)", [row.current.number]) > 0
  }

  private static func forget(_ generation: Int64, _ db: Database) throws {
    try db.run("DELETE FROM contact_place WHERE generation >= ?", [generation])
    try db.run("DELETE FROM contact_section WHERE generation >= ?", [generation])
  }
}
