import Records
import SyncCore

/// The records that a transaction has edited, as it stored them. A request is usually built in the transaction that made
/// the edits, and then need not read and decode their records again.
struct EditedRecords {
  /// The maximum number of records, and of bytes of their shown fields. Further records are read again.
  private static let recordsMaximum = 1_000
  private static let bytesMaximum = 4 << 20

  private struct Key: Hashable {
    let zone: Int64
    let name: RecordName
  }

  private var rows: [Key: RecordRow] = [:]
  private var byteCount = 0

  /// Remembers the row of an edited record, which was stored.
  mutating func note(_ row: RecordRow) {
    byteCount += row.encodedShown?.bytes.count ?? 0
    guard rows.count < Self.recordsMaximum, byteCount <= Self.bytesMaximum else {
      return forget(row.layers.name, in: row.zone)
    }
    rows[Key(zone: row.zone, name: row.layers.name)] = row
  }

  /// Forgets a record, because its rows are written in another way.
  mutating func forget(_ name: RecordName, in zone: Int64) {
    guard !rows.isEmpty else { return }
    rows[Key(zone: zone, name: name)] = nil
  }

  /// Forgets the records of a zone.
  mutating func forget(zone: Int64) {
    rows = rows.filter { $0.key.zone != zone }
  }

  /// Returns the row of a record, and forgets it; `nil` if the rows have to be read.
  mutating func take(_ name: RecordName, in zone: Int64) -> RecordRow? {
    guard !rows.isEmpty else { return nil }
    return rows.removeValue(forKey: Key(zone: zone, name: name))
  }
}
