// Deletes earlier versions, deleted records and actions after thirty days. Each step deletes a limited number of
// rows, so that other transactions do not wait long. Ages are measured by this device's clock, which may be wrong:
// if the clock moved by more than a day since the last check, that check deletes nothing.

import GRDB
import Records
import SQLiteFile

/// Expires old rows of the `past`, `trash` and `action` tables.
enum HistoryRetention {
  /// The maximum number of rows that one step deletes from a table.
  static let rowsPerStep = 1_000
  private static let daySeconds: Int64 = 86_400

  /// Deletes some of the expired rows, and of those of the projections. Returns whether there may be more.
  static func step(
    _ db: Database, _ projections: [any Projection], now: Timestamp
  ) throws -> Bool {
    guard try isClockTrusted(db, now: now) else { return false }
    let isMoreDerived = try projections.reduce(false) { try $1.expire(at: now, db) || $0 }
    let oldest = now.adding(seconds: -Limits.earlierVersionDays * daySeconds).microseconds
    try db.run(
      """
      DELETE FROM past WHERE (zone, name, tag) IN (
        SELECT zone, name, tag FROM past WHERE superseded < ? ORDER BY superseded LIMIT ?)
      """, [oldest, rowsPerStep])
    var count = db.changesCount
    try DeletedGroups.expire(before: Timestamp(microseconds: oldest), db)
    try db.run(
      "DELETE FROM trash WHERE id IN (SELECT id FROM trash WHERE time < ? ORDER BY time LIMIT ?)",
      [oldest, rowsPerStep])
    count = max(count, db.changesCount)
    count = max(
      count, try DeletedRecordTable.expire(db, now: now, rowsMaximum: rowsPerStep))
    count = max(count, try MovedAway.reap(db, now: now, rowsMaximum: rowsPerStep))
    try db.run(
      """
      DELETE FROM action WHERE id IN (
        SELECT id FROM action WHERE time < ? ORDER BY id LIMIT \(actionsPerStep))
      """, [oldest])
    guard count < rowsPerStep, db.changesCount < actionsPerStep else { return true }
    try PublicIDTable.reap(db)
    return isMoreDerived
  }

  private static let actionsPerStep = 10

  private static func isClockTrusted(_ db: Database, now: Timestamp) throws -> Bool {
    let last = try db.row("SELECT last_look FROM identity")?["last_look"] as Int64?
    try db.run("UPDATE identity SET last_look = ?", [now.microseconds])
    guard let last else { return true }
    let moved = (now.microseconds - last) / 1_000_000
    return moved >= 0 && moved <= daySeconds
  }
}
