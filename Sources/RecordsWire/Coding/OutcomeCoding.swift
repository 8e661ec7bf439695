// Outcomes. The broker stores the encoding in the transaction that made it so, and sends the same
// bytes again each time the request is repeated. Conflicts answer with the broker's records, which
// may be large: beyond `recordBytesMaximum` they are left out and marked, so that the outcome always
// fits into a frame.

import FoundationEssentials
import Records
import SwiftProtobuf

extension ModifyOutcome {
  /// How many bytes of records one outcome carries.
  static let recordBytesMaximum = 3 << 20

  /// The outcome as `message Outcome`, to be stored and sent; it always fits into a frame.
  package var encoded: [UInt8] { encodedWithoutFailures ?? wire.encoded }

  /// Reads what `encoded` wrote.
  /// - Throws: `invalidArguments` or `incompatibleVersion` with a sentence.
  package init(encoded bytes: [UInt8]) throws(RecordsError) {
    guard let wire = try? WireOutcome(serializedBytes: bytes) else {
      throw .invalid("The bytes of an outcome are not a valid encoding.")
    }
    try self.init(wire)
  }

  /// The same by hand, which costs a tenth: every save makes one. `nil` when something failed.
  private var encodedWithoutFailures: [UInt8]? {
    var writer = ByteWriter(reservingBytes: 16 + 12 * groups.count)
    if number != .zero { writer.field(1, varint: number.wire) }
    for group in groups {
      var isWhole = true
      writer.field(2) { (writer: inout ByteWriter) in
        for result in group { isWhole = result.write(to: &writer) && isWhole }
      }
      if !isWhole { return nil }
    }
    return writer.bytes
  }

  init(_ wire: WireOutcome) throws(RecordsError) {
    var groups: [[OperationResult]] = []
    groups.reserveCapacity(wire.groups.count)
    for group in wire.groups {
      var results: [OperationResult] = []
      results.reserveCapacity(group.results.count)
      for result in group.results { results.append(try OperationResult(result)) }
      groups.append(results)
    }
    self.init(number: try RequestNumber(wire: wire.number), groups: groups)
  }

  var wire: WireOutcome {
    var roomBytes = Self.recordBytesMaximum
    var outcome = WireOutcome()
    outcome.number = number.wire
    for group in groups {
      var groupOutcome = WireGroupOutcome()
      for result in group { groupOutcome.results.append(result.wire(roomBytes: &roomBytes)) }
      outcome.groups.append(groupOutcome)
    }
    return outcome
  }
}

extension OperationResult {
  fileprivate init(_ wire: WireOperationResult) throws(RecordsError) {
    switch wire.result {
    case .saved(let saved): self = .saved(tag: try Revision(wire: saved.tag))
    case .deleted(let deleted):
      self = .deleted(
        tag: deleted.hasTag ? try Revision(wire: deleted.tag) : nil,
        cascaded: try CascadedRecords(deleted))
    case .zoneSaved: self = .zoneSaved
    case .zoneDeleted: self = .zoneDeleted
    case .trashEmptied: self = .trashEmptied
    case .failed(let failed):
      self = .failed(
        RecordsError(failed.error),
        serverRecord: failed.hasServerRecord ? try Change(failed.serverRecord) : nil)
    case nil: throw .unknownKind(of: "result")
    }
  }

  /// Writes a success; `false`, and nothing written, for a failure.
  fileprivate func write(to writer: inout ByteWriter) -> Bool {
    switch self {
    case .saved(let tag):
      writer.field(1) { (result: inout ByteWriter) in
        result.field(1) { if tag != .zero { $0.field(1, varint: tag.wire) } }
      }
    case .deleted(let tag, let cascaded):
      writer.field(1) { (result: inout ByteWriter) in
        result.field(2) {
          if let tag { $0.field(1, varint: tag.wire) }
          if cascaded != .none { $0.write(cascaded) }
        }
      }
    case .zoneSaved: writer.field(1) { (result: inout ByteWriter) in result.field(3) { _ in } }
    case .zoneDeleted: writer.field(1) { (result: inout ByteWriter) in result.field(4) { _ in } }
    case .trashEmptied: writer.field(1) { (result: inout ByteWriter) in result.field(6) { _ in } }
    case .failed: return false
    }
    return true
  }

  fileprivate func wire(roomBytes: inout Int) -> WireOperationResult {
    var result = WireOperationResult()
    switch self {
    case .saved(let tag): result.saved.tag = tag.wire
    case .deleted(let tag, let cascaded):
      result.deleted = WireDeleted()
      if let tag { result.deleted.tag = tag.wire }
      if cascaded != .none { cascaded.enter(&result.deleted) }
    case .zoneSaved: result.zoneSaved = WireZoneSaved()
    case .zoneDeleted: result.zoneDeleted = WireZoneDeleted()
    case .trashEmptied: result.trashEmptied = WireTrashEmptied()
    case .failed(let error, let serverRecord):
      result.failed.error = error.wire
      guard let serverRecord else { break }
      let byteCount = serverRecord.record.bytes.count
      if byteCount <= roomBytes {
        roomBytes -= byteCount
        result.failed.serverRecord = serverRecord.wire
      } else {
        result.failed.error.reason = ModifyOutcome.omittedReason
      }
    }
    return result
  }
}
