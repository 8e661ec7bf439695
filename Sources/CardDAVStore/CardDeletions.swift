// Deleted cards. A client that asks what has changed learns of them as long as its token is valid.

import CardDAV
import DeviceStore
import GRDB
import Records
import SQLiteFile

/// The deleted cards, and how far back they are known.
struct CardDeletions {
  /// How long a deletion is remembered.
  static let days: Int64 = 30
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

  /// Notes that a record is gone. Its deletion is the newest event, and its time is the event's.
  func note(_ name: RecordName, inZone zone: Int64) throws {
    let last = try lastEvent
    try db.run(
      """
      INSERT INTO dav_gone
      VALUES (?, ?, ?, ifnull((SELECT max(time) FROM event WHERE sequence = ?), 0))
      ON CONFLICT DO NOTHING
      """, [zone, name.text, last, last])
  }

  /// Notes that a record exists again.
  func forget(_ name: RecordName, inZone zone: Int64) throws {
    try db.run("DELETE FROM dav_gone WHERE zone = ? AND record = ?", [zone, name.text])
  }

  /// Makes all tokens invalid: clients read everything again. The next event may be of a card, so the tokens that are
  /// valid from now on do not differ in their position.
  func forgetAll() throws {
    try db.run(
      "UPDATE dav_state SET oldest = ?, touches = touches + 1, oldest_touch = touches + 1",
      [try lastEvent])
  }

  /// Whether all changes since a client's state are known.
  func isKnown(_ token: SyncToken) throws -> Bool {
    try db.number(
      """
      SELECT EXISTS (SELECT 1 FROM dav_state
        WHERE (oldest < ?1 OR oldest = ?1 AND oldest_touch <= ?2) AND touches >= ?2) AND ?1 <= ?3
      """, [token.position, token.touches, try lastEvent]) > 0
  }

  /// Forgets some of the deletions that are too old. The newest one of a zone stays, because it is part of the book's
  /// tag.
  /// - Parameter limit: The maximum number.
  /// - Returns: whether there may be more.
  func expire(limit: Int, now: Timestamp) throws -> Bool {
    let oldest = now.adding(seconds: -Self.days * 86_400).microseconds
    let rows = try db.rows(
      """
      SELECT zone, record, sequence FROM dav_gone WHERE time < ? AND sequence < (
        SELECT max(sequence) FROM dav_gone AS other WHERE other.zone = dav_gone.zone)
      ORDER BY time LIMIT ?
      """, [oldest, limit])
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
    return rows.count == limit
  }
}
