// A record's state as a row has it, in `record` or in `past`, held against the checksum that was
// written beside it (docs/decisions/0019-checksums.md). The columns are read by SQLite's own interface,
// which makes something of any bytes: a flipped bit may turn a text into a number or into nothing.

import BrokerCore
import GRDB
import Records
import SQLiteFile

/// What a row says of a record.
enum StoredState {
  /// What was written.
  case intact(Change)
  /// Something else: a tombstone of what was there, with the name and revision that can be read.
  case damaged(Change)

  /// The columns of `table` that make a state, in the order in which they are read.
  static func columns(of table: String) -> String {
    [
      "name", "revision", "kind", "type", "created_at", "created_device", "created_number",
      "modified_at", "modified_device", "modified_number", "fields", "checksum",
    ].map { "\($0 == "name" ? "record" : table).\($0)" }.joined(separator: ", ")
  }

  /// How many columns that are.
  static let columnCount: Int32 = 12
}

/// Reads states from rows.
struct StateReading {
  let db: Database
  let origins: OriginCache
  /// Where states are noted that are not as they were written.
  let damages: DamageList

  /// The state in the columns of a row from `first` on.
  func state(
    of row: HotStatement, from first: Int32 = 0, zone: StoreKey
  ) throws -> StoredState {
    do {
      let change = try change(of: row, from: first)
      if change.checksum == row.number(first + 11) { return .intact(change) }
    } catch let error as StoreError {
      // It names a device that there is not.
      guard error.kind == .damaged else { throw error }
    }
    let (name, tag) = (row.text(first), row.number(first + 1))
    damages.note(DamagedState(zone: zone, name: name, revision: tag))
    return .damaged(Change(lostAs: RecordName(stored: name), tag: Revision(max(0, tag))))
  }

  /// What a row says, whether or not it is what was written.
  func change(of row: HotStatement, from first: Int32 = 0) throws -> Change {
    let kind = Change.Kind(rawValue: UInt8(clamping: row.number(first + 2))) ?? .deleted
    let content = row.bytes(first + 10)
    return Change(
      name: RecordName(stored: row.text(first)), tag: Revision(max(0, row.number(first + 1))),
      kind: kind, type: RecordType(stored: row.text(first + 3)),
      created: try stamp(of: row, at: first + 4), modified: try stamp(of: row, at: first + 7),
      record: kind == .saved ? EncodedRecord(stored: content) : .empty,
      move: kind == .saved ? nil : MoveID(bytes: content))
  }

  private func stamp(of row: HotStatement, at column: Int32) throws -> Stamp {
    let (account, device) = try origins.origin(of: row.number(column + 1), in: db)
    return Stamp(
      time: Timestamp(microseconds: row.number(column)),
      origin: Origin(
        account: account, device: device,
        request: RequestNumber(max(0, row.number(column + 2)))))
  }
}

extension Change {
  /// A checksum over everything that a row says of the record, as a column holds it.
  var checksum: Int64 {
    let (by, first) = (modified.origin, created.origin)
    let seed = Checksum.of(
      numbers: UInt64(bitPattern: tag.value), UInt64(kind.rawValue),
      UInt64(bitPattern: created.time.microseconds), UInt64(bitPattern: first.request.value),
      UInt64(truncatingIfNeeded: first.device.value),
      UInt64(truncatingIfNeeded: first.device.value >> 64),
      UInt64(bitPattern: modified.time.microseconds), UInt64(bitPattern: by.request.value),
      UInt64(truncatingIfNeeded: by.device.value),
      UInt64(truncatingIfNeeded: by.device.value >> 64),
      seed: Checksum.of(name.text, seed: Checksum.of(type.text)))
    return Int64(bitPattern: Checksum.of(storedContent, seed: seed))
  }

  /// What the column `fields` holds: a record's fields, or the id of the move that a tombstone belongs
  /// to. A tombstone has no fields, and in their place the checksum and the past cover the id too.
  var storedContent: [UInt8] { kind == .saved ? record.bytes : move?.bytes ?? [] }

  /// What is left of a state that the disk did not keep.
  init(lostAs name: RecordName, tag: Revision) {
    let nobody = Stamp(
      time: Timestamp(microseconds: 0),
      origin: Origin(account: AccountID(0), device: DeviceID(0), request: .zero))
    self.init(
      name: name, tag: tag, kind: .deleted, type: RecordType(stored: "Damaged"),
      created: nobody, modified: nobody, record: .empty)
  }
}
