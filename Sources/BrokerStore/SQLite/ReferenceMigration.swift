import BrokerCore
import GRDB
import Records
import SQLConnections
import SQLiteFile

/// The migration that adds the table of references.
enum ReferenceMigration {
  private static let rowsPerStep = 1000

  /// Creates the tables and inserts the references of existing records. Reads every record once. It keeps
  /// references to missing records, because their origin is unknown.
  static func run(_ database: Database) throws {
    try database.execute(sql: ReferenceTable.schema)
    let db = SQLiteFileConnection(database)
    let table = ReferenceTable(db: db)
    let rows = try db.statement(
      """
      SELECT key, zone, name, fields FROM record WHERE kind = 0 AND key > ?
      ORDER BY key LIMIT \(rowsPerStep)
      """)
    var last = Int64.min
    while true {
      var count = 0
      var found: [(zone: StoreKey, name: RecordName, parents: [RecordName])] = []
      try rows.forEach([last]) { row in
        last = row.number(0)
        count += 1
        let parents = EncodedRecord(stored: row.bytes(3)).mentions.parents
        if !parents.isEmpty {
          found.append((row.number(1), RecordName(stored: row.text(2)), parents))
        }
        return true
      }
      for (zone, name, parents) in found {
        try table.set(parents, before: [], of: name, in: zone)
      }
      if count < rowsPerStep { return }
    }
  }
}
