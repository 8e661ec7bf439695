// The first release's tables had no checksums. From here on each state of a record has one, and what
// was a record's maker goes into its past with it, so that every row of either table says all that its
// checksum covers. What the tables hold when this runs is taken for whole: nobody can tell any more.

import BrokerCore
import FoundationEssentials
import GRDB
import Records
import SQLiteFile

/// The change from the first tables to those with checksums.
enum ChecksumMigration {
  private static let rowsPerStep = 1000

  /// Changes the tables, and reads and writes every row once.
  static func run(_ db: Database) throws {
    try db.execute(sql: columns)
    try db.execute(sql: trigger)
    let reading = StateReading(
      db: db, origins: OriginCache(), damages: DamageList(report: { _ in }))
    for table in ["record", "past"] { try addChecksums(to: table, reading) }
  }

  private static let columns = """
    ALTER TABLE record ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE past ADD COLUMN created_at INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE past ADD COLUMN created_device INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE past ADD COLUMN created_number INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE past ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
    UPDATE past SET (created_at, created_device, created_number) = (
      SELECT created_at, created_device, created_number FROM record WHERE key = past.record);
    """

  private static let trigger = """
    DROP TRIGGER record_past;
    CREATE TRIGGER record_past AFTER UPDATE OF revision ON record BEGIN
      INSERT OR REPLACE INTO past (record, slot, zone, revision, kind, type, created_at,
        created_device, created_number, modified_at, modified_device, modified_number,
        superseded_at, fields, checksum)
      VALUES (old.key, old.states % \(Limits.earlierVersionsPerRecord), old.zone, old.revision, old.kind,
        old.type, old.created_at, old.created_device, old.created_number, old.modified_at,
        old.modified_device, old.modified_number, new.modified_at, old.fields, old.checksum);
    END;
    """

  /// NB: a row that names a device which there is not keeps a checksum that is not its own, and so
  /// is found to be damaged, which it is.
  private static func addChecksums(to table: String, _ reading: StateReading) throws {
    let selection = """
      SELECT \(StoredState.columns(of: table)), \(table).key FROM \(table)
      \(table == "record" ? "" : "JOIN record ON record.key = past.record")
      WHERE \(table).key > ? ORDER BY \(table).key LIMIT \(rowsPerStep)
      """
    let rows = try HotStatement(selection, in: reading.db)
    let update = try HotStatement(
      "UPDATE \(table) SET checksum = ? WHERE key = ?", in: reading.db)
    var last = Int64.min
    while true {
      var checksums: [(key: Int64, checksum: Int64)] = []
      var count = 0
      try rows.forEach([last]) { row in
        last = row.number(StoredState.columnCount)
        count += 1
        if let state = try? reading.change(of: row) { checksums.append((last, state.checksum)) }
        return true
      }
      for (key, checksum) in checksums {
        try update.run {
          $0.bind(1, checksum)
          $0.bind(2, key)
        }
      }
      if count < rowsPerStep { return }
    }
  }
}
