// The records that are conflicts, as rows of a zone. A conflict stands in the zone of the record it is
// about, so it has to move when that record does.

import GRDB
import Records
import SQLiteFile
import SyncCore

enum ConflictRows {
  /// The conflicts that a zone shows, by the names of the records they are about.
  static func bySubject(
    in zone: ZoneID, _ db: Database
  ) throws -> [RecordName: [(name: RecordName, fields: Fields)]] {
    guard let row = try ZoneRow.load(db, zone) else { return [:] }
    var found: [RecordName: [(name: RecordName, fields: Fields)]] = [:]
    // NB: by the index of conflicts; a zone may have a hundred thousand other records.
    let rows = try db.rows(
      """
      SELECT name, shown FROM record INDEXED BY record_conflict
      WHERE type = 'Conflict' AND zone = ? AND shown IS NOT NULL ORDER BY id
      """, [row.key])
    for row in rows {
      guard let fields = try Fields.read(row["shown"]), let conflict = ConflictRecord(fields) else {
        continue
      }
      found[conflict.record, default: []].append((RecordName(stored: row["name"]), fields))
    }
    return found
  }
}
