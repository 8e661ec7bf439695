// The statements that every save runs, compiled once for the writing connection. They say the same
// as the tables' slower ones; which is which stands beside each.

import BrokerCore
import GRDB
import Records
import SQLiteFile

/// The innermost loop of the storage thread, in SQL.
final class SaveStatements {
  /// A record's newest state.
  let record: HotStatement
  /// A record that is made under a name that has no row.
  let insertion: HotStatement
  /// A record that is made again under a name that has a tombstone.
  let revival: HotStatement
  /// A record that is changed or deleted; who made it stays.
  let update: HotStatement
  /// A zone's head, how many records it has, and their bytes.
  let head: HotStatement
  /// A request's outcome.
  let outcome: HotStatement
  /// A device's numbers.
  let numbers: HotStatement
  /// Outcomes that were acknowledged.
  let forgetting: HotStatement
  /// What subscriptions are told of a change.
  let notification: HotStatement

  init(in db: Database) throws {
    record = try HotStatement(RecordTable.selection, in: db)
    insertion = try HotStatement(RecordTable.insertion, in: db)
    revival = try HotStatement(RecordTable.revival, in: db)
    update = try HotStatement(RecordTable.update, in: db)
    head = try HotStatement(
      """
      UPDATE zone SET head = ?1, record_count = record_count + ?3, stored_bytes = stored_bytes + ?4
      WHERE key = ?2
      """, in: db)
    outcome = try HotStatement(
      "INSERT INTO outcome (device, number, fingerprint, bytes) VALUES (?, ?, ?, ?)", in: db)
    numbers = try HotStatement(
      "UPDATE device SET last_number = ?, acknowledged_number = ? WHERE key = ?", in: db)
    forgetting = try HotStatement(
      "DELETE FROM outcome WHERE device = ? AND number <= ?", in: db)
    notification = try HotStatement(
      """
      INSERT INTO notification (number, zone, name, type, revision, modified_at, modified_device,
        modified_number, old_fields, new_fields, targets)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
      """, in: db)
  }
}
