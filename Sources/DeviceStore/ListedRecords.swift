// Lists read a thousand records at a time. Columns are read by position, because looking them up by name took most of
// the time, and a zone is read once, not with each of its records.

import GRDB
import Records
import SQLiteFile

/// Reads shown records by the numbers of their rows, in one transaction.
package struct ListedRecords {
  private let record: HotStatement
  private let zone: HotStatement
  private let account: AccountID?
  private let device: DeviceID?
  private let selection: FieldSelection?
  private var zones: [Int64: ZoneID] = [:]

  /// Prepares the reading of records.
  /// - Parameter fields: The fields to read; `nil` for all.
  package init(_ db: Database, fields: Set<FieldKey>? = nil) throws {
    record = try HotStatement(
      borrowing: """
        SELECT zone, name, type, shown, tag, layered, created, modified, local_created,
          local_modified, version, public_id
        FROM record WHERE id = ?
        """, from: db)
    zone = try HotStatement(borrowing: "SELECT owner, name FROM zone WHERE id = ?", from: db)
    let identity = try HotStatement(borrowing: "SELECT account, device FROM identity", from: db)
    (account, device) =
      try identity.first { _ in
      } read: { row in
        (AccountID(bytes: row.bytes(0)), DeviceID(bytes: row.bytes(1)))
      } ?? (nil, nil)
    selection = fields.map { FieldSelection($0) }
  }

  /// Returns the record of a row; `nil` if there is none.
  package mutating func record(_ number: Int64) throws -> RecordView? {
    try record.first {
      $0.bind(1, number)
    } read: {
      try view($0)
    }
  }

  private mutating func view(_ row: HotStatement) throws -> RecordView {
    let isSynced = row.number(5) == 0 && !row.isNull(4)
    let created = try Stamp.read(bytes: row.bytes(6))
    // A record with unsent edits was last modified here, regardless of the broker's dates.
    let modified = isSynced ? try Stamp.read(bytes: row.bytes(7)) : nil
    let id = RecordID(zone: try zone(row.number(0)), name: RecordName(stored: row.text(1)))
    let encoded = EncodedRecord(stored: row.bytes(3))
    return RecordView(
      id: id, type: RecordType(stored: row.text(2)),
      fields: try selection?.fields(of: encoded) ?? encoded.fields(),
      version: row.number(10), isSynced: isSynced,
      created: created?.time ?? Timestamp(microseconds: row.number(8)),
      createdAccount: created?.origin.account ?? account,
      modified: modified?.time ?? Timestamp(microseconds: row.number(9)),
      modifiedAccount: modified?.origin.account ?? account,
      modifiedDevice: modified?.origin.device ?? device,
      publicID: row.isNull(11) ? id.publicID : PublicID(stored: row.text(11)))
  }

  private mutating func zone(_ number: Int64) throws -> ZoneID {
    if let known = zones[number] { return known }
    let found = try zone.first {
      $0.bind(1, number)
    } read: { row -> ZoneID? in
      guard let owner = AccountID(bytes: row.bytes(0)), let name = ZoneName(bytes: row.bytes(1))
      else { return nil }
      return ZoneID(owner: owner, name: name)
    }
    guard case .some(.some(let found)) = found else {
      throw StoreError(.damaged, "A zone's row is damaged.")
    }
    zones[number] = found
    return found
  }
}
