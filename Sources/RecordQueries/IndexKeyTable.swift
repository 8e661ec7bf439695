// The rows of declared indexes: which indexes there are, and the key of each record in each of them. A key is
// computed from the record's row as a query reads it, after the row was written, so that both always agree.

import DeviceStore
import Foundation
import GRDB
import Predicates
import Records
import SQLiteFile

/// The tables `record_index` and `record_key`.
struct IndexKeyTable {
  let db: Database

  // MARK: Declaration

  /// Makes the declared indexes those in `wanted`. New ones are empty and the rows of others are still here; see
  /// `advance`.
  func declare(_ wanted: [DeclaredIndex]) throws {
    let present = try declared()
    for index in present where !wanted.contains(index.declared) {
      try db.run("UPDATE record_index SET is_dropped = 1 WHERE id = ?", [index.key])
    }
    let known = present.map(\.declared)
    for index in wanted where !known.contains(index) {
      try db.run("INSERT INTO record_index (declared) VALUES (?)", [index.description])
    }
  }

  /// The declared indexes, complete or not.
  func declared() throws -> [StoredIndex] { try indexes(where: "is_dropped = 0") }

  /// The complete indexes of a type; none on a device whose application declares no indexes.
  func usable(for type: RecordType) throws -> [StoredIndex] {
    guard try db.tableExists("record_index") else { return [] }
    return try complete().filter { $0.declared.type == type }
  }

  /// The complete indexes.
  func complete() throws -> [StoredIndex] {
    try indexes(where: "is_dropped = 0 AND is_filled = 1")
  }

  private func indexes(where condition: String) throws -> [StoredIndex] {
    let statement = try db.cachedStatement(
      sql: "SELECT id, declared FROM record_index WHERE \(condition) ORDER BY id")
    return try Row.fetchAll(statement).map { row in
      StoredIndex(key: row[0], declared: try DeclaredIndex(row[1] as String))
    }
  }

  // MARK: Keys

  /// Makes the keys of a record those that its row gives.
  /// - Parameter isNew: Whether the record certainly has no keys yet.
  func update(_ record: Int64, isNew: Bool, _ indexes: [StoredIndex]) throws {
    let old = isNew ? [:] : try keys(of: record)
    let shown = try ShownRecords(db).record(record)
    for index in indexes {
      let key = shown.flatMap { index.indexKey(of: $0.record) }
      guard key?.bytes != old[index.key] else { continue }
      if let key, let zone = shown?.zone {
        try write(key, of: record, in: zone, index)
      } else {
        try db.run(
          "DELETE FROM record_key WHERE record = ? AND record_index = ?", [record, index.key])
      }
    }
  }

  private func keys(of record: Int64) throws -> [Int64: [UInt8]] {
    var keys: [Int64: [UInt8]] = [:]
    let sql = "SELECT record_index, value FROM record_key WHERE record = ?"
    try HotStatement(borrowing: sql, from: db).forEach([record]) { row in
      keys[row.number(0)] = row.bytes(1)
      return true
    }
    return keys
  }

  private func write(
    _ key: IndexKey, of record: Int64, in zone: Int64, _ index: StoredIndex
  ) throws {
    try db.run(
      "INSERT OR REPLACE INTO record_key (record, record_index, zone, value) VALUES (?, ?, ?, ?)",
      [record, index.key, zone, Data(key.bytes)])
  }

  /// Deletes the keys of a record.
  func remove(record: Int64) throws {
    try db.run("DELETE FROM record_key WHERE record = ?", [record])
  }

  /// Deletes the keys of a zone's records.
  func remove(zone: Int64) throws {
    try db.run(
      """
      DELETE FROM record_key
      WHERE record_index IN (SELECT id FROM record_index) AND zone = ?
      """, [zone])
  }

  /// Deletes all keys.
  func removeAll() throws { try db.run("DELETE FROM record_key") }

  /// The number of rows in some ranges of an index, counted up to `maximum`.
  func count(
    of ranges: KeyRanges, in index: StoredIndex, zone: Int64, maximum: Int
  ) throws -> Int {
    let sql = """
      SELECT count(*) FROM (
        SELECT 1 FROM record_key
        WHERE record_index = ? AND zone = ? AND value >= ? AND value < ? LIMIT ?)
      """
    var count = 0
    for range in ranges.ranges where count < maximum {
      count += try db.number(
        sql, [index.key, zone, Data(range.low), Data(range.high), maximum - count])
    }
    return count
  }

  // MARK: Background work

  /// Whether an index is incomplete, or has rows and is dropped.
  func hasWork() throws -> Bool {
    try db.number(
      "SELECT EXISTS (SELECT 1 FROM record_index WHERE is_dropped = 1 OR is_filled = 0)") == 1
  }

  /// Makes indexes incomplete, so that they are filled again. Rows that exist stay and are replaced.
  func refill(_ indexes: [StoredIndex]) throws {
    for index in indexes {
      try db.run(
        "UPDATE record_index SET is_filled = 0, filled_through = 0 WHERE id = ?", [index.key])
    }
  }

  /// Deletes up to `rowsMaximum` rows of a dropped index, or reads that many records into an incomplete one.
  /// - Returns: whether more is left.
  func advance(rowsMaximum: Int) throws -> Bool {
    if let dropped = try indexes(where: "is_dropped = 1").first {
      try removeRows(of: dropped, rowsMaximum: rowsMaximum)
    } else if let next = try indexes(where: "is_dropped = 0 AND is_filled = 0").first {
      try fill(next, rowsMaximum: rowsMaximum)
    }
    return try hasWork()
  }

  private func fill(_ index: StoredIndex, rowsMaximum: Int) throws {
    let start = try db.number("SELECT filled_through FROM record_index WHERE id = ?", [index.key])
    var last = Int64(start)
    var count = 0
    try ShownRecords(db).visitRows(after: last, rowsMaximum: rowsMaximum) { row, shown in
      last = row
      count += 1
      guard let shown, let key = index.indexKey(of: shown.record) else { return }
      try write(key, of: row, in: shown.zone, index)
    }
    try db.run(
      "UPDATE record_index SET filled_through = ?, is_filled = ? WHERE id = ?",
      [last, count < rowsMaximum ? 1 : 0, index.key])
  }

  private func removeRows(of dropped: StoredIndex, rowsMaximum: Int) throws {
    try db.run(
      """
      DELETE FROM record_key WHERE record_index = ?1 AND record IN (
        SELECT record FROM record_key WHERE record_index = ?1 LIMIT ?2)
      """, [dropped.key, rowsMaximum])
    guard db.changesCount < rowsMaximum else { return }
    try db.run("DELETE FROM record_index WHERE id = ?", [dropped.key])
  }
}
