// Computes the sort keys and words of all contacts again, after the person's language or the library's tables have
// changed. It works page by page, in transactions of some milliseconds between which edits take place. A contact
// that is edited meanwhile is written to both generations. After a crash it continues where it was.

import Collation
import Contacts
import DeviceStore
import GRDB
import Records
import SQLiteFile

/// One step of building the order of lists again.
struct OrderRebuild {
  /// What a new device's or a small address book's start may take is no reason for two orders.
  static let atOnceMaximum = 2_000

  private let contacts: ContactIndex
  private let db: Database

  init(_ contacts: ContactIndex, _ db: Database) {
    self.contacts = contacts
    self.db = db
  }

  /// Sees to it that the device's row is there and asks for `language`. What is little is done at
  /// once.
  /// - Returns: whether `advance` has something to do.
  func begin(_ language: Language) throws -> Bool {
    contacts.willReorder()
    guard try ask(for: language) else { return false }
    let count = try db.number(
      "SELECT count(*) FROM (SELECT 1 FROM contact LIMIT ?)", [Self.atOnceMaximum])
    guard count < Self.atOnceMaximum else { return true }
    try contacts.begin(db)
    while try advance(limit: Self.atOnceMaximum) {}
    try contacts.finish(db)
    return false
  }

  private func ask(for language: Language) throws -> Bool {
    guard var row = try OrderingRow.load(db) else {
      try OrderingRow(first: language).store(db)
      return false
    }
    let wanted = ContactCollator.of(language)
    if row.version == wanted.version, row.words == ContactSearch.version {
      guard row.next != nil else { return try hasRemains(row) }
      // The person went back to the language that is still read.
      try forget(row.current.number + 1)
      row.next = nil
      row.done = 0
      try row.store(db)
      return false
    }
    let isUnderWay = row.next?.ordering.version == wanted.version
    if !isUnderWay {
      try forget(row.current.number + 1)
      row.next = OrderingRow.Generation(number: row.current.number + 1, ordering: wanted)
      row.done = 0
      try row.store(db)
    }
    return true
  }

  /// Makes the places of the next `limit` contacts; at the end the new order takes over.
  /// - Returns: whether more is to be done.
  func advance(limit: Int) throws -> Bool {
    contacts.willReorder()
    guard var row = try OrderingRow.load(db), let next = row.next else {
      return try clean(limit: limit)
    }
    let rows = try db.rows(
      """
      SELECT contact.record, contact.zone, record.name, record.shown FROM contact
      JOIN record ON record.id = contact.record WHERE contact.record > ?
      ORDER BY contact.record LIMIT ?
      """, [row.done, limit])
    for found in rows {
      let fields = try Fields.read(found["shown"]) ?? Fields()
      let contact = ContactRecord.contact(
        named: RecordName(stored: found["name"]), fields: fields)
      let record: Int64 = found["record"]
      row.done = record
      try contacts.place(
        ContactName(contact), record: record, zone: found["zone"], generation: next, in: db)
      if row.words != ContactSearch.version {
        try contacts.renewText(of: contact, record: record, in: db)
      }
    }
    if rows.count < limit {
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
  private func clean(limit: Int) throws -> Bool {
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

  private func hasRemains(_ row: OrderingRow) throws -> Bool {
    try db.number(
      "SELECT EXISTS (SELECT 1 FROM contact_place WHERE generation < ?)", [row.current.number]) > 0
  }

  private func forget(_ generation: Int64) throws {
    try db.run("DELETE FROM contact_place WHERE generation >= ?", [generation])
    try db.run("DELETE FROM contact_section WHERE generation >= ?", [generation])
  }
}
