// How nouns lie in columns, and statements that are compiled once.

import Foundation
import GRDB
import Records
import SQLiteFile

extension Database {
  /// The first row of a statement that is kept compiled.
  package func row(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws
    -> Row?
  {
    try Row.fetchOne(cachedStatement(sql: sql), arguments: arguments)
  }

  /// The rows of a statement that is kept compiled.
  package func rows(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws
    -> [Row]
  {
    try Row.fetchAll(cachedStatement(sql: sql), arguments: arguments)
  }

  /// The number in the first column of the first row; 0 when there is none.
  package func number(
    _ sql: String, _ arguments: StatementArguments = StatementArguments()
  ) throws -> Int {
    try Int.fetchOne(cachedStatement(sql: sql), arguments: arguments) ?? 0
  }
}

extension Identifier {
  /// The sixteen bytes, for a column.
  package var column: Data { Data(bytes) }

  /// Reads a column that this program wrote.
  package init?(column: Data?) {
    guard let column else { return nil }
    self.init(bytes: column)
  }
}

extension Fields {
  /// The encoded fields, for a column.
  package var column: Data { Data(EncodedRecord(self).bytes) }

  /// Reads a column; `nil` for NULL.
  /// - Throws: what `EncodedRecord.fields` throws, if the disk gave back something else.
  package static func read(_ column: Data?) throws -> Fields? {
    try column.map { try EncodedRecord(stored: [UInt8]($0)).fields() }
  }
}

extension Stamp {
  /// Time, account, device and request number, for a column.
  package var column: Data { Data(columnBytes) }

  /// The bytes of the column.
  var columnBytes: [UInt8] {
    var writer = ByteWriter(reservingBytes: 64)
    writer.field(1, signed: time.microseconds)
    writer.field(2, bytes: origin.account.bytes)
    writer.field(3, bytes: origin.device.bytes)
    writer.field(4, signed: origin.request.value)
    return writer.bytes
  }

  /// Reads a column; `nil` for NULL.
  /// - Throws: `RecordsError` if the disk gave back something else.
  package static func read(_ column: Data?) throws -> Stamp? {
    guard let column else { return nil }
    return try read(bytes: [UInt8](column))
  }

  /// Reads the bytes of a column; `nil` for none.
  /// - Throws: as above.
  package static func read(bytes: [UInt8]) throws -> Stamp? {
    guard !bytes.isEmpty else { return nil }
    return try bytes.withUnsafeBufferPointer { try read(WireReader($0)) }
  }

  private static func read(_ reader: WireReader) throws(RecordsError) -> Stamp? {
    var reader = reader
    var time = Timestamp(microseconds: 0)
    var account: AccountID?
    var device: DeviceID?
    var request = RequestNumber.zero
    while let part = try reader.next() {
      switch part.number {
      case 1: time = Timestamp(microseconds: try part.payload.signed())
      case 2: account = AccountID(bytes: try part.payload.content())
      case 3: device = DeviceID(bytes: try part.payload.content())
      case 4: request = RequestNumber(try part.payload.signed())
      default: break
      }
    }
    guard let account, let device else { return nil }
    return Stamp(
      time: time, origin: Origin(account: account, device: device, request: request))
  }
}

extension HotStatement {
  /// Decodes the column; `nil` for NULL.
  /// - Throws: what `EncodedRecord.fields` throws, if the disk gave back something else.
  func fields(_ column: Int32) throws -> Fields? {
    isNull(column) ? nil : try EncodedRecord(stored: bytes(column)).fields()
  }
}

extension MoveID {
  /// Reads a column that this program wrote.
  init?(_ row: HotStatement, _ column: Int32) {
    guard !row.isNull(column) else { return nil }
    self.init(bytes: row.bytes(column))
  }
}
