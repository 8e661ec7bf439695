// The cards of the books: which there are, and what they are called. A card that no client has named is called by its
// record, so most cards need no row here.

import Contacts
import DeviceStore
import Foundation
import GRDB
import Records
import SQLiteFile

/// The cards of all books.
package struct CardResources {
  private let db: Database

  /// The cards of a database.
  package init(_ db: Database) { self.db = db }

  /// Returns the card with this name in the address; `nil` if there is none.
  package func card(named name: String, in zone: ZoneID) throws -> CardResource? {
    guard let row = try DeviceReader.row(of: zone, db) else { return nil }
    let chosen = try db.row(
      "SELECT record FROM dav_name WHERE zone = ? AND resource = ?", [row, name])
    if let record = chosen?["record"] as String?,
      let card = try card(RecordName(stored: record), in: zone, row: row)
    {
      return card
    }
    guard let record = CardResource.record(defaultName: name),
      let card = try card(record, in: zone, row: row), card.name == name
    else { return nil }
    return card
  }

  /// Returns the card of a record; `nil` if it is not shown.
  package func card(_ id: RecordID) throws -> CardResource? {
    guard let row = try DeviceReader.row(of: id.zone, db) else { return nil }
    return try card(id.name, in: id.zone, row: row)
  }

  private func card(_ name: RecordName, in zone: ZoneID, row: Int64) throws -> CardResource? {
    try db.first(
      "\(Self.selection) AND record.zone = ? AND record.name = ?", [row, name.text]
    ) { Self.card($0, zone) }
  }

  /// Returns cards of a book in the order of their rows.
  /// - Parameters:
  ///   - place: The row after which they begin; 0 for all.
  ///   - limit: The maximum number.
  package func cards(in zone: ZoneID, after place: Int64, limit: Int) throws -> [CardResource] {
    guard let row = try DeviceReader.row(of: zone, db) else { return [] }
    return try db.rows(
      "\(Self.selection) AND record.zone = ? AND record.id > ? ORDER BY record.id LIMIT ?",
      [row, place, limit]
    ).map { Self.card($0, zone) }
  }

  /// Returns the cards of a book that can meet a condition, in the order of their rows.
  /// - Parameter words: The contact has all words of one of these sets. Groups are not searched, and are all returned.
  package func cards(
    in zone: ZoneID, withAnyOf words: Set<Set<String>>
  ) throws -> [CardResource] {
    guard let row = try DeviceReader.row(of: zone, db) else { return [] }
    let sets = words.map { $0.sorted() }
    let conditions = sets.map { set in
      "(" + set.map { _ in "instr(text, ?)" }.joined(separator: " AND ") + ")"
    }.joined(separator: " OR ")
    // The address book's text for searches ends at a limit.
    let arguments: [any DatabaseValueConvertible] = [row, row] + sets.flatMap(\.self)
    return try Row.fetchAll(
      db,
      sql: """
        \(Self.selection) AND record.zone = ? AND (record.type = 'ContactGroup' OR record.id IN (
          SELECT record FROM contact WHERE zone = ? AND (\(conditions) OR length(text) > 30000)))
        ORDER BY record.id
        """, arguments: StatementArguments(arguments)
    ).map { Self.card($0, zone) }
  }

  /// Returns the record's fields and the time at which they became so on this device.
  package func content(of card: CardResource) throws -> (fields: Fields, modified: Timestamp)? {
    try db.first("SELECT shown, local_modified FROM record WHERE id = ?", [card.row]) { row in
      try Fields.read(row["shown"]).map {
        ($0, Timestamp(microseconds: row["local_modified"]))
      }
    } ?? nil
  }

  /// Names a card as its client does. The name stays after the card is deleted, because clients learn of the deletion by name.
  package func name(_ id: RecordID, _ name: String) throws {
    guard let row = try DeviceReader.row(of: id.zone, db) else { return }
    try db.run("DELETE FROM dav_name WHERE zone = ? AND resource = ?", [row, name])
    guard name != CardResource.defaultName(of: id.name) else {
      return try db.run("DELETE FROM dav_name WHERE zone = ? AND record = ?", [row, id.name.text])
    }
    try db.run("INSERT OR REPLACE INTO dav_name VALUES (?, ?, ?)", [row, id.name.text, name])
  }

  /// Gives a card another name, and notes that the former one is gone. The transaction has an event of its own for it.
  package func rename(_ card: CardResource, to name: String) throws {
    guard let row = try DeviceReader.row(of: card.id.zone, db) else { return }
    let former = RecordName(stored: "_renamed \(try CardDeletions(db).lastEvent)")
    try self.name(card.id, name)
    try CardDeletions(db).note(former, inZone: row)
    try db.run("INSERT OR REPLACE INTO dav_name VALUES (?, ?, ?)", [row, former.text, card.name])
    try CardTouches(db).touch(card.row, in: row)
  }

  /// Gives a new card another name than its own if a client has given that to another card, or if no address can have it.
  func keepApart(_ record: RecordName, inZone zone: Int64) throws {
    let own = CardResource.defaultName(of: record)
    let isPossible = CardResource.canBeName(own)
    guard try !isPossible || isTaken(own, inZone: zone, by: record) else { return }
    let stem = isPossible ? record.text : "card-\(CardResource.digest(of: record))"
    let name = try (2...).lazy.map { "\(stem)-\($0).vcf" }.first {
      try !isTaken($0, inZone: zone, by: record)
    }
    try db.run("INSERT OR IGNORE INTO dav_name VALUES (?, ?, ?)", [zone, record.text, name])
  }

  /// Names the cards whose records have names that no address can have, for the first client.
  func nameAllApart() throws {
    let rows = try db.rows(
      """
      SELECT zone, name FROM record WHERE type IN ('Contact', 'ContactGroup')
        AND shown IS NOT NULL AND (instr(name, '/') OR length(CAST(name AS BLOB)) > 250)
      """)
    for row in rows { try keepApart(RecordName(stored: row["name"]), inZone: row["zone"]) }
  }

  private func isTaken(
    _ name: String, inZone zone: Int64, by record: RecordName
  ) throws -> Bool {
    try db.number(
      "SELECT EXISTS (SELECT 1 FROM dav_name WHERE zone = ? AND resource = ? AND record <> ?)",
      [zone, name, record.text]) > 0
  }

  // NB: A type that is written out lets SQLite skip the other records before their columns are read.
  static let selection = """
    SELECT record.id, record.name, record.version, record.type, dav_name.resource,
      dav_touched.touch, dav_kept.tag, (SELECT substr(incarnation, 1, 4) FROM event_log)
    FROM record LEFT JOIN dav_name ON dav_name.zone = record.zone AND dav_name.record = record.name
      LEFT JOIN dav_touched ON dav_touched.record = record.id
      LEFT JOIN dav_kept ON dav_kept.record = record.id
    WHERE record.type IN ('Contact', 'ContactGroup') AND record.shown IS NOT NULL
    """

  static func card(_ row: Row, _ zone: ZoneID) -> CardResource {
    let name = RecordName(stored: row[1])
    // Versions begin at 1 again on a device that was set up again.
    var tag = "\(row[7] as String)-\(String(row[2] as Int64, radix: 36))"
    if let touch = row[5] as Int64? { tag += "-" + String(touch, radix: 36) }
    if let kept = row[6] as String? { tag += "." + kept }
    return CardResource(
      id: RecordID(zone: zone, name: name), row: row[0], version: row[2],
      isGroup: row[3] as String == GroupRecord.type.text,
      name: row[4] ?? CardResource.defaultName(of: name), tag: "\"\(tag)\"")
  }
}
