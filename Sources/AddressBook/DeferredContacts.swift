// Contacts whose indexes are written later. An entry in the full-text index and in the four indexes of the lists costs
// nine tenths of the time of storing a contact, because each lies at another place of the file. A transaction with many
// contacts, such as a page of a first sync or a step of an import, therefore indexes none of them. They are indexed in
// the background. Until then, lists and searches read them one by one, so that their answers are complete.
//
// If many contacts wait, the indexes of the lists are first made again with all of them. Each list has another order, so a
// step that enters 800 contacts changes half of the pages of each index.

import DeviceStore
import GRDB
import SQLiteFile

/// The contacts that are stored and not indexed yet.
struct DeferredContacts {
  /// The maximum number of contacts in a transaction that indexes them at once. A person's edit has fewer.
  static let indexedAtOnceMaximum = 64

  /// Fewer contacts are entered into the lists one by one, which takes less than 0.1 s.
  private static let enteredTogetherMinimum = 2_000
  /// With more places in the lists, contacts are entered one by one: a person's edit would have to wait for more than a
  /// second. While the language changes, each contact has two.
  private static let enteredTogetherMaximum = 150_000

  private let db: Database

  init(_ db: Database) {
    self.db = db
  }

  /// Whether there are any.
  var exist: Bool {
    get throws { try db.number("SELECT EXISTS (SELECT 1 FROM contact_deferred)") > 0 }
  }

  /// Makes the indexes of the lists again with all contacts, if that takes less time than entering the waiting ones.
  /// 100,000 places take 0.6 s, in one transaction. The contacts go on waiting for the full-text index.
  /// - Returns: Whether it did.
  func enterInListsTogether() throws -> Bool {
    guard try db.number("SELECT count(*) FROM contact_deferred") >= Self.enteredTogetherMinimum
    else { return false }
    let all = try db.number(
      "SELECT count(*) FROM (SELECT 1 FROM contact_place LIMIT ?)",
      [Self.enteredTogetherMaximum + 1])
    guard all <= Self.enteredTogetherMaximum else { return false }
    let waiting = try db.number("SELECT count(*) FROM contact_place WHERE indexed = 0")
    guard waiting >= Self.enteredTogetherMinimum, waiting >= all / 4 else { return false }
    // Without an index, only the rows change.
    for index in AddressBook.listIndexes { try index.drop(db) }
    try db.run("UPDATE OR FAIL contact_place SET indexed = 1 WHERE indexed = 0")
    for index in AddressBook.listIndexes { try index.create(db) }
    return true
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
