// Contacts whose indexes are written later. An entry in the full-text index and in the four indexes of the lists costs
// nine tenths of the time of storing a contact, because each lies at another place of the file. A transaction with many
// contacts, such as a page of a first sync or a step of an import, therefore indexes none of them. They are indexed in
// the background. Until then, lists and searches read them one by one, so that their answers are complete.

import DeviceStore
import GRDB
import SQLiteFile

/// The contacts that are stored and not indexed yet.
struct DeferredContacts {
  /// The maximum number of contacts in a transaction that indexes them at once. A person's edit has fewer.
  static let indexedAtOnceMaximum = 64

  private let db: Database

  init(_ db: Database) {
    self.db = db
  }

  /// Whether there are any.
  var exist: Bool {
    get throws { try db.number("SELECT EXISTS (SELECT 1 FROM contact_deferred)") > 0 }
  }

  /// Indexes the first `limit` of them.
  /// - Returns: Whether there were any.
  func index(limit: Int) throws -> Bool {
    let last = try db.row(
      "SELECT max(record) FROM (SELECT record FROM contact_deferred ORDER BY record LIMIT ?)",
      [limit])
    guard let last = last?[0] as Int64? else { return false }
    try db.run(
      """
      INSERT INTO contact_text (rowid, text)
        SELECT contact.record, contact.text FROM contact_deferred
        CROSS JOIN contact ON contact.record = contact_deferred.record
        WHERE contact_deferred.record <= ? ORDER BY contact_deferred.record
      """, [last])
    // NB: the key of the table begins with the generation. There is a second one while lists are sorted again. With
    // FAIL instead of ABORT, SQLite does not copy each page that changes to a temporary file first. An error leaves
    // some of the rows changed, but the whole transaction is rolled back then.
    try db.run(
      """
      UPDATE OR FAIL contact_place SET indexed = 1 WHERE indexed = 0 AND (generation, record) IN (
        SELECT generations.number, contact_deferred.record
        FROM contact_deferred CROSS JOIN (
          SELECT generation AS number FROM contact_ordering
          UNION ALL SELECT generation + 1 FROM contact_ordering) AS generations
        WHERE contact_deferred.record <= ?)
      """, [last])
    try db.run("DELETE FROM contact_deferred WHERE record <= ?", [last])
    return true
  }

  /// Forgets those of a zone, before its contacts are deleted.
  func removeAll(ofZone zone: Int64) throws {
    try db.run(
      """
      DELETE FROM contact_deferred WHERE record IN (
        SELECT deferred.record FROM contact_deferred AS deferred
        CROSS JOIN contact ON contact.record = deferred.record WHERE contact.zone = ?)
      """, [zone])
  }
}
