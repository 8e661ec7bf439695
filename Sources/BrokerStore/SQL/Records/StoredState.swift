// The state of a record in a row of `record` or `past`, verified against the row's checksum
// (docs/decisions/0019-checksums.md). The columns are read with SQLite's C interface, which accepts any
// bytes: a flipped bit may turn a text into a number or NULL.

import BrokerCore
import Records
import SQLConnections

/// The state of a record that was read from a row.
enum StoredState {
  /// The state matches its checksum.
  case intact(Change)
  /// The state is damaged. The change is a tombstone with the name and revision that could be read.
  case damaged(Change)

  /// The columns of a state in `table`, in the order in which `StateReader` reads them.
  /// - Parameters:
  ///   - fieldsMaximum: The bytes of fields beyond which they are left out; `nil` for no limit.
  ///   - hasVersions: Whether the table has the column `former_versions` yet.
  static func columns(
    of table: String, fieldsMaximum: Int? = nil, hasVersions: Bool = true
  ) -> String {
    let columns = [
      "name", "revision", "kind", "type", "created_at", "created_device", "created_number",
      "modified_at", "modified_device", "modified_number", "fields", "checksum", "former_versions",
    ].map { "\($0 == "name" ? "record" : table).\($0)" }
    return columns.map { column in
      if !hasVersions, column == "\(table).former_versions" { return "NULL" }
      guard let fieldsMaximum, column == "\(table).fields" else { return column }
      return "CASE WHEN length(\(column)) <= \(fieldsMaximum) THEN \(column) END"
    }.joined(separator: ", ")
  }

  /// The number of columns in `columns(of:)`.
  static let columnCount: Int32 = 13
}

/// Reads record states from rows.
struct StateReader {
  let db: any SQLConnection
  let origins: OriginCache
  /// Collects the states that do not match their checksums.
  let damages: DamageList

  /// Reads a state from the columns of `row` that start at `first`. Adds a damaged state to `damages`.
  func state(
    of row: any SQLColumns, from first: Int32 = 0, zone: StoreKey
  ) throws -> StoredState {
    do {
      let change = try change(of: row, from: first)
      if change.checksum == row.number(first + 11) { return .intact(change) }
    } catch let error as StoreError {
      // The row names a device that does not exist.
      guard error.kind == .damaged else { throw error }
    }
    let (name, tag) = (row.text(first), row.number(first + 1))
    damages.note(DamagedState(zone: zone, name: name, revision: tag))
    return .damaged(
      Change(inPlaceOfDamaged: RecordName(stored: name), tag: Revision(max(0, tag))))
  }

  /// Reads a state without verifying its checksum.
  /// - Throws: `StoreError` of kind `damaged`, if the row names a device that does not exist.
  func change(of row: any SQLColumns, from first: Int32 = 0) throws -> Change {
    let kind = Change.Kind(rawValue: UInt8(clamping: row.number(first + 2))) ?? .deleted
    let content = row.bytes(first + 10)
    let tag = Revision(max(0, row.number(first + 1)))
    return Change(
      name: RecordName(stored: row.text(first)), tag: tag,
      kind: kind, type: RecordType(stored: row.text(first + 3)),
      created: try stamp(of: row, at: first + 4), modified: try stamp(of: row, at: first + 7),
      record: kind == .saved ? EncodedRecord(stored: content) : .empty,
      move: kind == .saved ? nil : MoveID(bytes: content),
      former: row.isNull(first + 12)
        ? nil : FormerVersion(stored: row.bytes(first + 12), with: tag))
  }

  private func stamp(of row: any SQLColumns, at column: Int32) throws -> Stamp {
    let (account, device) = try origins.origin(of: row.number(column + 1), in: db)
    return Stamp(
      time: Timestamp(microseconds: row.number(column)),
      origin: Origin(
        account: account, device: device,
        request: RequestNumber(max(0, row.number(column + 2)))))
  }
}

extension FormerVersion {
  /// Reads the column `former_versions` of a state with a tag: the tag of the state that was saved unchanged from a former
  /// history, and the versions. A later state of the record keeps the column, and is not exact.
  init?(stored bytes: [UInt8], with tag: Revision) {
    guard bytes.count >= 8, let versions = VersionVector(bytes: bytes[8...]) else { return nil }
    let exact = bytes[..<8].reduce(Int64(0)) { $0 << 8 | Int64($1) }
    self.init(versions, isExact: exact == tag.value)
  }

  /// The column of a state with `tag`.
  func stored(with tag: Revision) -> [UInt8] {
    let exact = isExact ? tag.value : 0
    return withUnsafeBytes(of: exact.bigEndian) { [UInt8]($0) } + versions.bytes
  }
}

extension Change {
  /// The checksum over all columns of the state, as the column `checksum` stores it.
  var checksum: Int64 {
    let (by, first) = (modified.origin, created.origin)
    let seed = Checksum.of(
      numbers: [
        UInt64(bitPattern: tag.value), UInt64(kind.rawValue),
        UInt64(bitPattern: created.time.microseconds), UInt64(bitPattern: first.request.value),
        UInt64(truncatingIfNeeded: first.device.value),
        UInt64(truncatingIfNeeded: first.device.value >> 64),
        UInt64(bitPattern: modified.time.microseconds), UInt64(bitPattern: by.request.value),
        UInt64(truncatingIfNeeded: by.device.value),
        UInt64(truncatingIfNeeded: by.device.value >> 64),
      ],
      seed: Checksum.of(name.text, seed: Checksum.of(type.text)))
    let content = Checksum.of(storedContent, seed: seed)
    guard let former else { return Int64(bitPattern: content) }
    return Int64(
      bitPattern: Checksum.of([former.isExact ? 1 : 0] + former.versions.bytes, seed: content))
  }

  /// The value of the column `fields`: a record's fields, or the id of the move that a tombstone belongs to.
  /// A tombstone has no fields; storing the id in their place puts it under the checksum and in the history.
  var storedContent: [UInt8] { kind == .saved ? record.bytes : move?.bytes ?? [] }
}
