import BrokerCore
import GRDB
import Records
import SQLiteFile

/// The statements that a save runs, compiled once for the writing connection.
final class SaveStatements {
  /// Reads a record's newest state.
  let record: HotStatement
  /// Inserts a record whose name has no row.
  let insertion: HotStatement
  /// Replaces a tombstone by a new record of the same name.
  let revival: HotStatement
  /// Changes or deletes a record; its creator remains.
  let update: HotStatement
  /// Sets a zone's head and adds to its record count and stored bytes.
  let head: HotStatement
  /// Inserts a request's outcome.
  let outcome: HotStatement
  /// Updates a device's last and acknowledged request numbers.
  let numbers: HotStatement
  /// Deletes a device's acknowledged outcomes.
  let outcomeDeletion: HotStatement
  /// Inserts a notification about a change.
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
    outcomeDeletion = try HotStatement(
      "DELETE FROM outcome WHERE device = ? AND number <= ?", in: db)
    notification = try HotStatement(
      """
      INSERT INTO notification (number, zone, name, type, revision, modified_at, modified_device,
        modified_number, old_fields, new_fields, targets)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
      """, in: db)
  }
}
