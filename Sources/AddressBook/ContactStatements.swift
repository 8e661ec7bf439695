// The statements that write a contact's rows. Every contact of a first sync passes through them, so they are stepped
// directly.

import GRDB
import SQLiteFile

/// The compiled statements, for one transaction.
struct ContactStatements {
  let addContact, changeContact, removeContact, text, indexedText: HotStatement
  let addText, removeText: HotStatement
  let addPlace, place, removePlace, deferContact, undefer: HotStatement
  /// For each sort key, in the order of `NameOrder.allCases`.
  let changeKey: [HotStatement]
  /// For all sort keys.
  let changeKeys: HotStatement

  init(_ db: Database) throws {
    addContact = try HotStatement(borrowing: "INSERT INTO contact VALUES (?, ?, ?, ?)", from: db)
    addText = try HotStatement(
      borrowing: "INSERT INTO contact_text (rowid, text) VALUES (?, ?)", from: db)
    text = try HotStatement(borrowing: "SELECT text FROM contact WHERE record = ?", from: db)
    indexedText = try HotStatement(
      borrowing: """
        SELECT text FROM contact WHERE record = ?1 AND zone = ?2
          AND NOT EXISTS (SELECT 1 FROM contact_deferred WHERE record = ?1)
        """, from: db)
    changeContact = try HotStatement(
      borrowing: "UPDATE contact SET modified = ?, text = ? WHERE record = ?", from: db)
    removeText = try HotStatement(
      borrowing: "INSERT INTO contact_text (contact_text, rowid, text) VALUES ('delete', ?, ?)",
      from: db)
    removeContact = try HotStatement(borrowing: "DELETE FROM contact WHERE record = ?", from: db)
    addPlace = try HotStatement(
      borrowing: "INSERT INTO contact_place VALUES (?, ?, ?, ?, ?, ?, ?)", from: db)
    place = try HotStatement(
      borrowing: """
        SELECT zone, last, first, company FROM contact_place WHERE generation = ? AND record = ?
        """, from: db)
    removePlace = try HotStatement(
      borrowing: "DELETE FROM contact_place WHERE generation = ? AND record = ?", from: db)
    deferContact = try HotStatement(
      borrowing: "INSERT INTO contact_deferred VALUES (?)", from: db)
    undefer = try HotStatement(
      borrowing: "DELETE FROM contact_deferred WHERE record = ?", from: db)
    changeKey = try ["last", "first", "company"].map {
      try HotStatement(
        borrowing: "UPDATE contact_place SET \($0) = ?3 WHERE generation = ?1 AND record = ?2",
        from: db)
    }
    changeKeys = try HotStatement(
      borrowing: """
        UPDATE contact_place SET last = ?3, first = ?4, company = ?5
        WHERE generation = ?1 AND record = ?2
        """, from: db)
  }
}
