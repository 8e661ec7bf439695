// A look at everything the device keeps, if the disk is in doubt.

import GRDB
import Records
import SQLiteFile

extension DeviceReader {
  /// The number of findings at which one check ends.
  package static let findingsMaximum = 100

  /// Returns what is wrong with the database, a sentence each; none if all is well. Reads everything: some
  /// tenths of a second for ten thousand records.
  package func findings() throws -> [String] {
    try database.read { db in
      let pages = try String.fetchAll(db, sql: "PRAGMA integrity_check(20)").filter { $0 != "ok" }
      // NB: on a damaged file a reading of all records may not come to an end.
      guard pages.isEmpty else { return pages }
      return try rules.checks.reduce(into: Self.damagedRecords(db)) { $0 += try $1(db) }
    }
  }

  private static func damagedRecords(_ db: Database) throws -> [String] {
    let rows = try HotStatement(
      borrowing: "SELECT name, shown, public_id FROM record WHERE shown NOT NULL", from: db)
    var findings: [String] = []
    try rows.forEach([]) { row in
      let id = row.isNull(2) ? row.text(0) : row.text(2)
      if (try? EncodedRecord(stored: row.bytes(1)).fields()) == nil {
        findings.append("The record “\(id)” cannot be read.")
      }
      return findings.count < findingsMaximum
    }
    return findings
  }
}
