import BrokerCore
import Records
import SQLConnections

/// Expires the directory entries of zones that were deleted or that the account has lost.
///
/// A device that was offline for longer reads the whole directory and treats the zones it does not list as
/// deleted. If the device tries to create such a zone instead, the broker refuses, because the id stays
/// taken, and lists the deletion in the directory again.
///
/// The column `gone_at` has the time of the loss. It is NULL for a zone that the account can see. After a
/// loss it is 0 until the next step, because the statement that changes an entry does not know the time.
struct DirectoryExpiry {
  let db: any SQLConnection

  private struct Entry {
    let container: StoreKey
    let account: StoreKey
    let zone: StoreKey
    let revision: Int64
  }

  /// Marks a zone as deleted or lost for an account.
  func markGone(_ zone: StoreKey, container: StoreKey, account: StoreKey) throws {
    try db.run(
      "UPDATE directory SET gone_at = 0 WHERE container = ? AND account = ? AND zone = ?",
      [container, account, zone])
  }

  /// Whether an account's directory has an entry for a zone.
  func hasEntry(for zone: StoreKey, container: StoreKey, account: StoreKey) throws -> Bool {
    try db.first(
      "SELECT 1 FROM directory WHERE container = ? AND account = ? AND zone = ?",
      [container, account, zone]
    ) { _ in true } ?? false
  }

  /// Deletes the old entries and sets the time of the undated ones, at most `rowsMaximum` of each. Returns
  /// whether there may be more.
  func step(_ old: AgeCutoff, rowsMaximum: Int) throws -> Bool {
    let undated = try entries("gone_at = 0", [], rowsMaximum: rowsMaximum)
    for entry in undated {
      try db.run(
        "UPDATE directory SET gone_at = ? WHERE container = ? AND account = ? AND zone = ?",
        [old.present.microseconds, entry.container, entry.account, entry.zone])
    }
    var gone = try entries(
      "gone_at BETWEEN 1 AND ?", [old.before.microseconds - 1], rowsMaximum: rowsMaximum)
    if old.includesFuture {
      gone += try entries(
        "gone_at > ?", [old.present.microseconds], rowsMaximum: rowsMaximum - gone.count)
    }
    for entry in gone { try delete(entry) }
    return max(undated.count, gone.count) >= rowsMaximum
  }

  private func entries(
    _ condition: String, _ arguments: SQLArguments, rowsMaximum: Int
  ) throws -> [Entry] {
    try db.rows(
      """
      SELECT container, account, zone, revision FROM directory
      WHERE gone_at IS NOT NULL AND \(condition) LIMIT ?
      """, arguments + [max(0, rowsMaximum)]
    ).map { Entry(container: $0[0], account: $0[1], zone: $0[2], revision: $0[3]) }
  }

  /// Deletes an entry. A device whose directory is older than the entry will read the whole directory. The
  /// row of a deleted zone keeps its owner and name, so that its id stays taken.
  private func delete(_ entry: Entry) throws {
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
