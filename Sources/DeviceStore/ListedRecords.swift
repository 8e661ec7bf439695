// Lists read a thousand records at a time. Columns are read by position, because looking them up by name took most of
// the time, and a zone is read once, not with each of its records. Reading the columns takes a sixth of the time of
// decoding them, which needs no connection.

import GRDB
import Records
import SQLiteFile

/// Reads shown records by the numbers of their rows, in one transaction.
package struct ListedRecords {
  /// Decodes what `stored` returns.
  package let decoder: StoredRecordDecoder
  private let record: HotStatement
  private let zone: HotStatement
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
    let (account, device) =
      try identity.first { _ in
      } read: { row in
        (AccountID(bytes: row.bytes(0)), DeviceID(bytes: row.bytes(1)))
      } ?? (nil, nil)
    decoder = StoredRecordDecoder(
      account: account, device: device, selection: fields.map { FieldSelection($0) })
  }

  /// Returns the record of a row; `nil` if there is none.
  package mutating func record(_ number: Int64) throws -> RecordView? {
    try stored(number).map { try decoder.view($0) }
  }

  /// Returns the record of a row as it is stored; `nil` if there is none.
  package mutating func stored(_ number: Int64) throws -> StoredRecord? {
    try record.first {
      $0.bind(1, number)
    } read: { row in
      StoredRecord(row, in: try zone(row.number(0)))
    }
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

/// The columns of a shown record.
package struct StoredRecord: Sendable {
  fileprivate let id: RecordID
  fileprivate let type: RecordType
  fileprivate let shown: EncodedRecord
  fileprivate let isSynced: Bool
  /// The encoded stamps; empty if there is none.
  fileprivate let created: [UInt8]
  fileprivate let modified: [UInt8]
  fileprivate let localCreated: Timestamp
  fileprivate let localModified: Timestamp
  fileprivate let version: Int64
  fileprivate let publicID: PublicID?

  fileprivate init(_ row: HotStatement, in zone: ZoneID) {
    id = RecordID(zone: zone, name: RecordName(stored: row.text(1)))
    type = RecordType(stored: row.text(2))
    shown = EncodedRecord(stored: row.bytes(3))
    isSynced = row.number(5) == 0 && !row.isNull(4)
    created = row.bytes(6)
    // A record with unsent edits was last modified here, regardless of the broker's dates.
    modified = isSynced ? row.bytes(7) : []
    localCreated = Timestamp(microseconds: row.number(8))
    localModified = Timestamp(microseconds: row.number(9))
    version = row.number(10)
    publicID = row.isNull(11) ? nil : PublicID(stored: row.text(11))
  }

  /// The size of its fields.
  package var byteCount: Int { shown.bytes.count }
}

/// Decodes the columns of records. Any number of threads can do so at the same time.
package struct StoredRecordDecoder: Sendable {
  fileprivate let account: AccountID?
  fileprivate let device: DeviceID?
  fileprivate let selection: FieldSelection?

  /// Returns the record, with the selected fields.
  /// - Throws: `RecordsError` if its fields or dates are damaged.
  package func view(_ record: StoredRecord) throws -> RecordView {
    let created = try Stamp.read(bytes: record.created)
    let modified = try Stamp.read(bytes: record.modified)
    return RecordView(
      id: record.id, type: record.type,
      fields: try selection?.fields(of: record.shown) ?? record.shown.fields(),
      version: record.version, isSynced: record.isSynced,
      created: created?.time ?? record.localCreated,
      createdAccount: created?.origin.account ?? account,
      modified: modified?.time ?? record.localModified,
      modifiedAccount: modified?.origin.account ?? account,
      modifiedDevice: modified?.origin.device ?? device,
      publicID: record.publicID ?? record.id.publicID)
  }
}
