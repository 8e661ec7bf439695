// The records of a device as a query reads them: with the fields that people see, and with the dates and authors
// that the broker gave them. What the broker does not have yet was created, or changed, by this account at the time
// of this device. Conflicts and the mark of the first run are records of the replica and not of the application, so
// no query finds them.

import DeviceStore
import Foundation
import GRDB
import Predicates
import Records
import SQLiteFile

/// The records that people see on a device.
struct ShownRecords: QuerySource {
  /// A record and the row of its zone.
  struct Shown {
    let record: Change
    let zone: Int64
  }

  let db: Database
  /// The author of what the broker does not have yet.
  private let own: Origin

  init(_ db: Database) throws {
    self.db = db
    let row = try db.row("SELECT account, device FROM identity")
    own = Origin(
      account: AccountID(column: row?["account"]) ?? .current,
      device: DeviceID(column: row?["device"]) ?? DeviceID(0), request: .zero)
  }

  // MARK: Queries

  func visit(
    _ type: RecordType, in zone: QueriedZone, from name: RecordName?,
    visit: (Change) throws -> Bool
  ) throws {
    guard !type.isOfReplica else { return }
    let condition = "zone = ? AND name >= ? AND type = ? AND shown NOT NULL ORDER BY name"
    // The index by name has the records of all zones in one order. NB: with a limit, SQLite sorts the ids before it reads
    // the records, and does not write them to a temporary file.
    let sql =
      try isSmall(zone)
      ? """
      SELECT \(Self.columns) FROM (
        SELECT id AS found FROM record INDEXED BY record_zone WHERE \(condition) LIMIT -1)
      CROSS JOIN record ON record.id = found
      """ : "SELECT \(Self.columns) FROM record INDEXED BY record_named WHERE \(condition)"
    let statement = try HotStatement(borrowing: sql, from: db)
    try statement.forEach([zone.key, name?.text ?? "", type.text]) { try visit(change($0)) }
  }

  /// Whether sorting the zone's records by name costs less than passing over those of other zones.
  private func isSmall(_ zone: QueriedZone) throws -> Bool {
    let sql = """
      SELECT count(*) FROM (SELECT 1 FROM record WHERE zone = ? LIMIT \(Self.sortedMaximum + 1))
      """
    return try db.number(sql, [zone.key]) <= Self.sortedMaximum
  }

  /// The most records of a zone that are sorted for a query.
  private static let sortedMaximum = 500

  func visit(
    _ range: KeyRanges.Range, of index: StoredIndex, in zone: QueriedZone, from name: RecordName?,
    isDescending: Bool, visit: (Change, IndexKey) throws -> Bool
  ) throws {
    let order = isDescending ? "value DESC, record_key.record DESC" : "value, record_key.record"
    let statement = try HotStatement(
      borrowing: """
        SELECT \(Self.columns), value FROM record_key CROSS JOIN record
          ON record.id = record_key.record
        WHERE record_index = ? AND record_key.zone = ? AND value >= ? AND value < ?
          AND name >= ? AND shown NOT NULL
        ORDER BY \(order)
        """, from: db)
    let arguments: StatementArguments = [
      index.key, zone.key, Data(range.low), Data(range.high), name?.text ?? "",
    ]
    try statement.forEach(arguments) { row in
      try visit(change(row), IndexKey(stored: row.bytes(Self.columnCount)))
    }
  }

  func count(
    of ranges: KeyRanges, in index: StoredIndex, zone: QueriedZone, maximum: Int
  ) throws -> Int {
    try IndexKeyTable(db: db).count(of: ranges, in: index, zone: zone.key, maximum: maximum)
  }

  // MARK: Rows

  /// The record of a row; `nil` if people do not see it or it is one of the replica's own.
  func record(_ row: Int64) throws -> Shown? {
    let sql = "SELECT \(Self.columns), record.zone FROM record WHERE id = ?"
    return try HotStatement(borrowing: sql, from: db).first {
      $0.bind(1, row)
    } read: {
      try shown($0)
    } ?? nil
  }

  /// Calls `visit` with the records of all zones, in the order of their rows after `row`, at most `rowsMaximum` of
  /// them, also those that people do not see.
  func visitRows(
    after row: Int64, rowsMaximum: Int, visit: (_ row: Int64, Shown?) throws -> Void
  ) throws {
    let sql = """
      SELECT \(Self.columns), record.zone, record.id FROM record WHERE id > ? ORDER BY id LIMIT ?
      """
    try HotStatement(borrowing: sql, from: db).forEach([row, rowsMaximum]) { row in
      try visit(row.number(Self.columnCount + 1), shown(row))
      return true
    }
  }

  private func shown(_ row: HotStatement) throws -> Shown? {
    guard !row.isNull(2), !RecordType(stored: row.text(1)).isOfReplica else { return nil }
    return Shown(record: try change(row), zone: row.number(Self.columnCount))
  }

  private static let columns = """
    record.name, record.type, record.shown, record.tag, record.layered, record.created,
      record.modified, record.local_created, record.local_modified
    """
  private static let columnCount: Int32 = 9

  private func change(_ row: HotStatement) throws -> Change {
    let isSynced = row.number(4) == 0 && !row.isNull(3)
    let created = try Stamp.read(bytes: row.bytes(5))
    // An unsent edit is the last change, also if another device changed the broker's record meanwhile.
    let modified = isSynced ? try Stamp.read(bytes: row.bytes(6)) : nil
    return Change(
      name: RecordName(stored: row.text(0)), tag: Revision(row.number(3)), kind: .saved,
      type: RecordType(stored: row.text(1)), created: created ?? stamp(row.number(7)),
      modified: modified ?? stamp(row.number(8)), record: EncodedRecord(stored: row.bytes(2)))
  }

  private func stamp(_ microseconds: Int64) -> Stamp {
    Stamp(time: Timestamp(microseconds: microseconds), origin: own)
  }
}
