import BrokerCore
import Records
import SQLConnections

/// The statements that a save runs, compiled once for the writing connection.
final class SaveStatements {
  /// Reads a record's newest state.
  let record: any SQLStatement
  /// Inserts a record whose name has no row.
  let insertion: any SQLStatement
  /// Replaces a tombstone by a new record of the same name.
  let revival: any SQLStatement
  /// Changes or deletes a record; its creator remains.
  let update: any SQLStatement
  /// Sets a zone's head and adds to its record count and stored bytes.
  let head: any SQLStatement
  /// Inserts a request's outcome.
  let outcome: any SQLStatement
  /// Updates a device's last and acknowledged request numbers.
  let numbers: any SQLStatement
  /// Deletes a device's acknowledged outcomes.
  let outcomeDeletion: any SQLStatement
  /// Inserts a notification about a change.
  let notification: any SQLStatement

  init(in db: any SQLConnection) throws {
    record = try db.statement(RecordTable.selection)
    insertion = try db.statement(RecordTable.insertion)
    revival = try db.statement(RecordTable.revival)
    update = try db.statement(RecordTable.update)
    head = try db.statement(
      """
      UPDATE zone SET head = ?1, record_count = record_count + ?3, stored_bytes = stored_bytes + ?4,
        participants_records = participants_records + ?5,
        participants_bytes = participants_bytes + ?6
      WHERE key = ?2
      """)
    outcome = try db.statement(
      "INSERT INTO outcome (device, number, fingerprint, bytes) VALUES (?, ?, ?, ?)")
    numbers = try db.statement(
      "UPDATE device SET last_number = ?, acknowledged_number = ? WHERE key = ?")
    outcomeDeletion = try db.statement("DELETE FROM outcome WHERE device = ? AND number <= ?")
    notification = try db.statement(
      """
      INSERT INTO notification (number, zone, name, type, revision, modified_at, modified_device,
        modified_number, old_fields, new_fields, targets)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
      """)
  }
}
