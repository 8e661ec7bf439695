// Deleted cards. A client that asks what has changed learns of them as long as its token is valid.

import DeviceStore
import GRDB
import Records
import SQLiteFile

/// The deleted cards, and how far back they are known.
struct CardDeletions {
  /// How long a deletion is remembered.
  static let days: Int64 = 30
  /// The maximum number of deletions that one step forgets.
  private static let rowsPerStep = 1_000

  private let db: Database

  init(_ db: Database) { self.db = db }

  /// The number of the newest event, also in a transaction that has not ended.
  var lastEvent: Int64 {
    get throws {
      Int64(
        try db.number(
          "SELECT max((SELECT last_event FROM identity), ifnull((SELECT max(sequence) FROM event), 0))"
        ))
    }
  }

  /// Notes that a record is gone.
  /// - Parameter time: The time; `nil` for now, by the clock of the machine.
  func note(_ name: RecordName, inZone zone: Int64, at time: Timestamp?) throws {
    try db.run(
      """
      INSERT OR IGNORE INTO dav_gone VALUES (?, ?, ?,
        ifnull(?, CAST(unixepoch('subsec') * 1000000 AS INTEGER)))
      """, [zone, name.text, try lastEvent, time?.microseconds])
  }

  /// Notes that a record exists again.
  func forget(_ name: RecordName, inZone zone: Int64) throws {
    try db.run("DELETE FROM dav_gone WHERE zone = ? AND record = ?", [zone, name.text])
  }

  /// Makes all tokens invalid: clients read everything again.
  func forgetAll() throws {
    try db.run("UPDATE dav_state SET oldest = ?", [try lastEvent + 1])
  }

  /// Forgets some of the deletions that are too old. The newest one of a zone stays, because it is part of the book's
  /// tag.
  /// - Returns: whether there may be more.
  func expire(now: Timestamp) throws -> Bool {
    let oldest = now.adding(seconds: -Self.days * 86_400).microseconds
    let rows = try db.rows(
      """
      SELECT zone, record, sequence FROM dav_gone WHERE time < ? AND sequence < (
        SELECT max(sequence) FROM dav_gone AS other WHERE other.zone = dav_gone.zone)
      ORDER BY time LIMIT ?
      """, [oldest, Self.rowsPerStep])
    for row in rows {
      let (zone, record, sequence) = (
        row["zone"] as Int64, row["record"] as String, row["sequence"] as Int64
      )
      try db.run("UPDATE dav_state SET oldest = max(oldest, ?)", [sequence])
      try db.run("DELETE FROM dav_gone WHERE zone = ? AND record = ?", [zone, record])
      try db.run(
        """
        DELETE FROM dav_name WHERE zone = ?1 AND record = ?2
          AND NOT EXISTS (SELECT 1 FROM record WHERE zone = ?1 AND name = ?2)
        """, [zone, record])
    }
    return rows.count == Self.rowsPerStep
  }
}
