import BrokerCore
import GRDB
import Records
import SQLConnections
import SQLiteFile

/// The migration that adds checksums to the tables of the first release. It also adds the creation columns to
/// `past`, so that a row has everything that its checksum covers. It assumes that the existing rows are
/// intact, because nothing can verify them.
enum ChecksumMigration {
  private static let rowsPerStep = 1000

  /// Alters the tables, and reads and writes every row once.
  static func run(_ database: Database) throws {
    try database.execute(sql: columns)
    try database.execute(sql: trigger)
    let db = SQLiteFileConnection(database)
    let reader = StateReader(
      db: db, origins: OriginCache(), damages: DamageList(report: { _ in }))
    for table in ["record", "past"] { try addChecksums(to: table, reader) }
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
      VALUES (old.key, old.states % \(Limits.earlierVersionsPerAuthor), old.zone, old.revision, old.kind,
        old.type, old.created_at, old.created_device, old.created_number, old.modified_at,
        old.modified_device, old.modified_number, new.modified_at, old.fields, old.checksum);
    END;
    """

  /// NB: a row that names a device that does not exist gets no checksum. Later reads find it damaged, which
  /// it is.
  private static func addChecksums(to table: String, _ reader: StateReader) throws {
    let selection = """
      SELECT \(StoredState.columns(of: table, hasVersions: false)), \(table).key FROM \(table)
      \(table == "record" ? "" : "JOIN record ON record.key = past.record")
      WHERE \(table).key > ? ORDER BY \(table).key LIMIT \(rowsPerStep)
      """
    let rows = try reader.db.statement(selection)
    let update = try reader.db.statement("UPDATE \(table) SET checksum = ? WHERE key = ?")
    var last = Int64.min
    while true {
      var checksums: [(key: Int64, checksum: Int64)] = []
      var count = 0
      try rows.forEach([last]) { row in
        last = row.number(StoredState.columnCount)
        count += 1
        if let state = try? reader.change(of: row) { checksums.append((last, state.checksum)) }
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
