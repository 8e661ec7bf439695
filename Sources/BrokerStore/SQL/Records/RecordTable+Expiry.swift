import BrokerCore
import Records
import SQLConnections

extension RecordTable {
  /// Deletes old tombstones, at most `rowsMaximum`, and raises their zones' `expired_through`, which
  /// expires older change tokens. Returns the number of deleted rows.
  func expireTombstones(_ old: AgeCutoff, rowsMaximum: Int) throws -> Int {
    let count = try expireTombstones(
      "modified_at < ?", old.before, rowsMaximum: rowsMaximum)
    guard old.includesFuture, count < rowsMaximum else { return count }
    return try count
      + expireTombstones("modified_at > ?", old.present, rowsMaximum: rowsMaximum - count)
  }

  private func expireTombstones(
    _ condition: String, _ time: Timestamp, rowsMaximum: Int
  ) throws -> Int {
    let rows = try db.rows(
      """
      SELECT key, zone, revision FROM record
      WHERE kind = 1 AND \(condition) ORDER BY modified_at LIMIT ?
      """, [time.microseconds, rowsMaximum])
    for row in rows {
      let (key, zone, revision): (Int64, Int64, Int64) = (row[0], row[1], row[2])
      try db.run("DELETE FROM record WHERE key = ?", [key])
      try db.run(
        "UPDATE zone SET expired_through = max(expired_through, ?) WHERE key = ?", [revision, zone])
    }
    return rows.count
  }

  /// Deletes records of deleted zones that cannot be restored, with their earlier versions: at most `rowsMaximum` records and
  /// `BrokerLimits.storedBytesPerTransaction` bytes. Returns the number of deleted records.
  ///
  /// NB: with a plain join, SQLite reads every record to find those of deleted zones.
  func deleteRowsOfErasedZones(rowsMaximum: Int) throws -> Int {
    try db.countChanges(
      """
      DELETE FROM record WHERE key IN (SELECT key FROM (
        SELECT key, coalesce(sum(bytes) OVER (
          ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS bytes_before
        FROM (
          SELECT record.key, length(fields) + coalesce((
            SELECT sum(length(past.fields)) FROM past WHERE past.record = record.key), 0) AS bytes
          FROM zone CROSS JOIN record ON record.zone = zone.key
          WHERE \(ZoneTable.isErased) LIMIT ?) AS state) AS counted
      WHERE bytes_before < ?)
      """, [rowsMaximum, BrokerLimits.storedBytesPerTransaction])
  }
}
