// Records that left a zone by a move, as far as this device saw the tombstone. It is what connects a
// record that a client that does not know moves creates again, or a late conflict, with the record that
// carries the move's id.

import Foundation
import GRDB
import Records
import SQLiteFile
import SyncCore

/// The `moved_away` table.
enum MovedAway {
  /// How long the broker keeps tombstones, by default; nobody can refer to an older move.
  static let keptDays: Int64 = 90

  /// A zone that goes takes its rows along.
  static let table = """
    CREATE TABLE moved_away (
      zone INTEGER NOT NULL REFERENCES zone ON DELETE CASCADE,
      name TEXT NOT NULL,
      move BLOB NOT NULL,
      mover BLOB,
      time INTEGER NOT NULL,
      PRIMARY KEY (zone, name)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX moved_away_name ON moved_away (name);
    CREATE INDEX moved_away_time ON moved_away (time);

    """

  /// One record that left.
  struct Departure {
    /// The zone it left.
    let zone: Int64
    let move: MoveID
    /// The account that moved it.
    let mover: AccountID?
  }

  /// Remembers a tombstone that a move left.
  static func note(
    _ name: RecordName, in zone: ZoneRow, _ tombstone: BrokerState, _ transaction: DeviceTransaction
  ) throws {
    guard let move = tombstone.move else { return }
    try transaction.db.run(
      "INSERT OR REPLACE INTO moved_away VALUES (?, ?, ?, ?, ?)",
      [
        zone.key, name.text, Data(move.bytes),
        tombstone.modified?.origin.account.column, transaction.now.microseconds,
      ])
  }

  private static let lookup = HotSQL("SELECT 1 FROM moved_away WHERE zone = ? AND name = ?")

  /// The move that took a record out of a zone.
  static func departure(
    of name: RecordName, from zone: Int64, _ transaction: DeviceTransaction
  ) throws -> Departure? {
    guard try transaction.finds(lookup, zone: zone, name: name) else { return nil }
    return try departures("zone = ? AND name = ?", [zone, name.text], transaction.db).first
  }

  /// The moves that took records of this name out of any zone.
  static func departures(of name: RecordName, _ db: Database) throws -> [Departure] {
    try departures("name = ?", [name.text], db)
  }

  /// Whether the record of this name that was deleted here is in another group by now.
  static func isElsewhere(
    _ name: RecordName, besides zone: ZoneRow, _ transaction: DeviceTransaction
  ) throws -> Bool {
    if try departure(of: name, from: zone.key, transaction) != nil { return true }
    // NB: a first record that was moved before it was sent left no tombstone. It has the same name on every
    // device of the account, and on those of other accounts.
    let rows = try RecordRow.load(
      transaction.db,
      sql: "SELECT * FROM record WHERE name = ? AND zone <> ? AND shown IS NOT NULL",
      [name.text, zone.key])
    return rows.contains { $0.layers.ancestor.created?.origin.account == transaction.account }
  }

  private static func departures(
    _ condition: String, _ arguments: StatementArguments, _ db: Database
  ) throws -> [Departure] {
    try db.rows("SELECT zone, move, mover FROM moved_away WHERE \(condition)", arguments)
      .compactMap { row in
        guard let move = MoveID(column: row["move"]) else { return nil }
        return Departure(
          zone: row["zone"], move: move, mover: AccountID(column: row["mover"]))
      }
  }

  /// Forgets the move: the record is back, or was created again on purpose.
  static func forget(_ name: RecordName, in zone: Int64, _ db: Database) throws {
    try db.run("DELETE FROM moved_away WHERE zone = ? AND name = ?", [zone, name.text])
  }

  /// Removes some of the rows that nobody can refer to any more. Returns how many.
  static func reap(_ db: Database, now: Timestamp, rowsMaximum: Int) throws -> Int {
    try db.run(
      """
      DELETE FROM moved_away WHERE (zone, name) IN (
        SELECT zone, name FROM moved_away WHERE time < ? ORDER BY time LIMIT ?)
      """, [now.adding(seconds: -keptDays * 86_400).microseconds, rowsMaximum])
    return db.changesCount
  }
}
