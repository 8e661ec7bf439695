// Zones that are gone leave an account's directory once nobody needs to be told of it any more. Who was away
// for longer reads the whole directory, and takes a zone it does not name for gone, or makes it again: the id
// of a deleted zone stays taken, so that is refused, and the directory tells of the deletion once more.

import BrokerCore
import GRDB
import Records
import SQLiteFile

/// The directory entries of zones that are gone for their account.
///
/// `gone_at` is when that was; 0 until the next step, since a touch does not know the time, and NULL in the
/// entry of a zone that is there.
struct DirectoryForgetting {
  let db: Database

  static let schema = """
    ALTER TABLE directory ADD COLUMN gone_at INTEGER;
    ALTER TABLE directory_head ADD COLUMN zones_from INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX directory_gone ON directory (gone_at) WHERE gone_at IS NOT NULL;
    UPDATE directory SET gone_at = 0 WHERE EXISTS (
      SELECT 1 FROM zone WHERE zone.key = directory.zone AND (is_deleted = 1
        OR (owner <> directory.account AND NOT EXISTS (
          SELECT 1 FROM participant WHERE participant.zone = zone.key
            AND participant.account = directory.account
            AND status = \(Participant.Status.accepted.rawValue)))));
    """

  private struct Entry {
    let container: StoreKey
    let account: StoreKey
    let zone: StoreKey
    let revision: Int64
  }

  /// Notes that a zone is gone for an account.
  func noteGone(_ zone: StoreKey, container: StoreKey, account: StoreKey) throws {
    try db.run(
      "UPDATE directory SET gone_at = 0 WHERE container = ? AND account = ? AND zone = ?",
      [container, account, zone])
  }

  /// Whether an account's directory names a zone.
  func names(_ zone: StoreKey, container: StoreKey, account: StoreKey) throws -> Bool {
    try db.first(
      "SELECT 1 FROM directory WHERE container = ? AND account = ? AND zone = ?",
      [container, account, zone]
    ) { _ in true } ?? false
  }

  /// Forgets entries that have been gone for long, and dates those that were not yet, `rowsMaximum` of each
  /// at most. Returns whether there may be more.
  func step(_ old: OldTimes, rowsMaximum: Int) throws -> Bool {
    let undated = try entries("gone_at = 0", [], rowsMaximum: rowsMaximum)
    for entry in undated {
      try db.run(
        "UPDATE directory SET gone_at = ? WHERE container = ? AND account = ? AND zone = ?",
        [old.present.microseconds, entry.container, entry.account, entry.zone])
    }
    var gone = try entries(
      "gone_at BETWEEN 1 AND ?", [old.before.microseconds - 1], rowsMaximum: rowsMaximum)
    if old.isAheadOld {
      gone += try entries(
        "gone_at > ?", [old.present.microseconds], rowsMaximum: rowsMaximum - gone.count)
    }
    for entry in gone { try forget(entry) }
    return max(undated.count, gone.count) >= rowsMaximum
  }

  private func entries(
    _ condition: String, _ arguments: [Int64], rowsMaximum: Int
  ) throws -> [Entry] {
    try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT container, account, zone, revision FROM directory
          WHERE gone_at IS NOT NULL AND \(condition) LIMIT ?
          """), arguments: StatementArguments(arguments + [Int64(max(0, rowsMaximum))])
    ).map { Entry(container: $0[0], account: $0[1], zone: $0[2], revision: $0[3]) }
  }

  /// Who has the directory as it was before the entry's revision reads all of it. Of the zone its owner and
  /// its name are left, by which its id stays taken.
  private func forget(_ entry: Entry) throws {
    try db.run(
      "DELETE FROM directory WHERE container = ? AND account = ? AND zone = ?",
      [entry.container, entry.account, entry.zone])
    try db.run(
      """
      UPDATE directory_head SET zones_from = max(zones_from, ?) WHERE container = ? AND account = ?
      """, [entry.revision, entry.container, entry.account])
    try db.run("UPDATE zone SET title = '' WHERE key = ? AND is_deleted = 1", [entry.zone])
  }
}
