// Declared indexes. `record_index` has a row for each record of a declared type, with the key of its field
// followed by its name, written in the record's own transaction. A new index over existing records is
// filled in steps, and no query uses it until it is complete. A dropped index is no longer updated, and its
// rows are deleted in steps. See docs/decisions/0022.

import BrokerCore
import Predicates
import Records
import SQLConnections

/// The tables `declared_index` and `record_index`.
struct IndexTable {
  let db: any SQLConnection

  static let schema = """
    CREATE TABLE declared_index (
      key INTEGER PRIMARY KEY,
      declared TEXT NOT NULL,
      filled_through INTEGER NOT NULL DEFAULT 0,
      is_filled INTEGER NOT NULL DEFAULT 0,
      is_dropped INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE UNIQUE INDEX declared_once ON declared_index (declared) WHERE is_dropped = 0;
    CREATE TABLE record_index (
      declared INTEGER NOT NULL REFERENCES declared_index,
      in_zone INTEGER NOT NULL,
      value BLOB NOT NULL,
      record_name TEXT NOT NULL,
      PRIMARY KEY (declared, in_zone, value, record_name)
    ) STRICT, WITHOUT ROWID;
    """

  // MARK: Declaration

  /// All declared indexes. Saves update them, complete or not.
  func declared() throws -> [StoredIndex] {
    try indexes(where: "is_dropped = 0")
  }

  /// The complete indexes of a type, which queries may use.
  func usable(for type: RecordType) throws -> [StoredIndex] {
    try indexes(where: "is_dropped = 0 AND is_filled = 1").filter { $0.declared.type == type }
  }

  /// Declares the indexes `wanted` and drops all others. New indexes are empty; see `fill`.
  func declare(_ wanted: [DeclaredIndex]) throws {
    let present = try declared()
    for index in present where !wanted.contains(index.declared) {
      try db.run("UPDATE declared_index SET is_dropped = 1 WHERE key = ?", [index.key])
    }
    for index in Set(wanted).subtracting(present.map(\.declared)) {
      try db.run("INSERT INTO declared_index (declared) VALUES (?)", [index.description])
    }
  }

  private func indexes(where condition: String) throws -> [StoredIndex] {
    try db.rows("SELECT key, declared FROM declared_index WHERE \(condition) ORDER BY key").map {
      row in
      StoredIndex(key: row[0], declared: try DeclaredIndex(row[1] as String))
    }
  }

  // MARK: Updates

  /// Updates `indexes` for a change of a record from `before` to `change`.
  func update(
    for change: Change, over before: Change?, in zone: StoreKey, _ indexes: [StoredIndex]
  ) throws {
    for index in indexes {
      let old = before.flatMap(index.indexKey)
      let new = index.indexKey(of: change)
      guard old != new else { continue }
      if let old { try remove(old, change.name, in: zone, index) }
      if let new { try add(new, change.name, in: zone, index) }
    }
  }

  private func add(
    _ key: IndexKey, _ name: RecordName, in zone: StoreKey, _ index: StoredIndex
  ) throws {
    // While an index is being filled, a record that was changed since has its row already.
    try db.run(
      """
      INSERT INTO record_index (declared, in_zone, value, record_name) VALUES (?, ?, ?, ?)
      ON CONFLICT DO NOTHING
      """, [index.key, zone, key.bytes, name.text])
  }

  private func remove(
    _ key: IndexKey, _ name: RecordName, in zone: StoreKey, _ index: StoredIndex
  ) throws {
    try db.run(
      """
      DELETE FROM record_index
      WHERE declared = ? AND in_zone = ? AND value = ? AND record_name = ?
      """, [index.key, zone, key.bytes, name.text])
  }

  // MARK: Filling

  /// Deletes up to `rowsMaximum` rows of a dropped index, or adds that many records to an incomplete one.
  /// Returns whether there may be more to do.
  func fill(_ records: RecordTable, rowsMaximum: Int) throws -> Bool {
    if let dropped = try indexes(where: "is_dropped = 1").first {
      try removeRows(of: dropped, rowsMaximum: rowsMaximum)
      return true
    }
    guard let next = try indexes(where: "is_dropped = 0 AND is_filled = 0").first else {
      return false
    }
    let from = try db.first(
      "SELECT filled_through FROM declared_index WHERE key = ?", [next.key]
    ) { $0[0] as Int64 }
    let (last, count) = try records.visitAll(
      after: from ?? 0, rowsMaximum: rowsMaximum
    ) { zone, record in
      if let key = next.indexKey(of: record) { try add(key, record.name, in: zone, next) }
    }
    try db.run(
      "UPDATE declared_index SET filled_through = ?, is_filled = ? WHERE key = ?",
      [last, count < rowsMaximum ? 1 : 0, next.key])
    return true
  }

  private func removeRows(of dropped: StoredIndex, rowsMaximum: Int) throws {
    let count = try db.countChanges(
      """
      DELETE FROM record_index
      WHERE declared = ?1 AND (in_zone, value, record_name) IN (
        SELECT in_zone, value, record_name FROM record_index WHERE declared = ?1 LIMIT ?2)
      """, [dropped.key, rowsMaximum])
    guard count == 0 else { return }
    try db.run("DELETE FROM declared_index WHERE key = ?", [dropped.key])
  }

  /// Deletes rows of deleted zones that cannot be restored, at most `rowsMaximum`. Returns their number.
  func deleteRowsOfErasedZones(rowsMaximum: Int) throws -> Int {
    try db.countChanges(
      """
      DELETE FROM record_index
      WHERE (declared, in_zone, value, record_name) IN (
        SELECT record_index.declared, in_zone, value, record_name
        FROM zone CROSS JOIN declared_index ON 1 = 1
          CROSS JOIN record_index
            ON record_index.declared = declared_index.key AND in_zone = zone.key
        WHERE \(ZoneTable.isErased) LIMIT ?)
      """, [rowsMaximum])
  }

  // MARK: Reading

  /// The number of rows in some ranges of an index, counted up to `maximum`.
  func count(
    of ranges: KeyRanges, in index: StoredIndex, zone: StoreKey, maximum: Int
  ) throws -> Int {
    let sql = """
      SELECT count(*) FROM (
        SELECT 1 FROM record_index
        WHERE declared = ? AND in_zone = ? AND value >= ? AND value < ? LIMIT ?) AS entry
      """
    var count = 0
    for range in ranges.ranges where count < maximum {
      count +=
        try db.first(
          sql, [index.key, zone, range.low, range.high, maximum - count]
        ) { $0[0] as Int } ?? 0
    }
    return count
  }
}
