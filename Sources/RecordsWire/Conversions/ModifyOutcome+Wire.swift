// Converts outcomes. The broker stores the encoded outcome in the transaction of the request and
// sends the same bytes each time the request is repeated. Conflicts include the broker's records,
// which may be large. Records beyond `recordBytesMaximum` are omitted and marked, so that an
// outcome always fits into a frame.

import FoundationEssentials
import Records
import SwiftProtobuf

extension ModifyOutcome {
  /// The most bytes of records that one outcome contains.
  static let recordBytesMaximum = 3 << 20

  /// The outcome as a `message Outcome`, for storing and sending. It always fits into a frame.
  package var encoded: [UInt8] { encodedWithoutFailures ?? wire.encoded }

  /// Decodes the result of `encoded`.
  /// - Throws: `invalidArguments` or `incompatibleVersion` if it cannot be decoded.
  package init(encoded bytes: [UInt8]) throws(RecordsError) {
    guard let wire = try? WireOutcome(serializedBytes: bytes) else {
      throw .invalid("The bytes of an outcome are not a valid encoding.")
    }
    try self.init(wire)
  }

  /// The handwritten encoding of an outcome without failures, or `nil` if an operation failed.
  /// Every save produces an outcome, and SwiftProtobuf takes ten times as long.
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
    if let time { writer.field(3, signed: time.microseconds) }
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
    guard wire.hasTimeMicroseconds || groups.joined().allSatisfy(\.isFailure) else {
      throw .invalid("An outcome must have a time unless every operation failed.")
    }
    self.init(
      number: try RequestNumber(wire: wire.number), groups: groups,
      time: wire.hasTimeMicroseconds ? Timestamp(microseconds: wire.timeMicroseconds) : nil)
  }

  var wire: WireOutcome {
    var remainingBytes = Self.recordBytesMaximum
    var outcome = WireOutcome()
    outcome.number = number.wire
    if let time { outcome.timeMicroseconds = time.microseconds }
    for group in groups {
      var groupOutcome = WireGroupOutcome()
      for result in group {
        groupOutcome.results.append(result.wire(remainingBytes: &remainingBytes))
      }
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

  fileprivate var isFailure: Bool {
    if case .failed = self { true } else { false }
  }

  /// Writes a successful result and returns `true`. Returns `false` for a failure and writes
  /// nothing.
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

  fileprivate func wire(remainingBytes: inout Int) -> WireOperationResult {
    var result = WireOperationResult()
    switch self {
    case .saved(let tag): result.saved.tag = tag.wire
    case .deleted(let tag, let cascaded):
      result.deleted = WireDeleted()
      if let tag { result.deleted.tag = tag.wire }
      if cascaded != .none { cascaded.fill(&result.deleted) }
    case .zoneSaved: result.zoneSaved = WireZoneSaved()
    case .zoneDeleted: result.zoneDeleted = WireZoneDeleted()
    case .trashEmptied: result.trashEmptied = WireTrashEmptied()
    case .failed(let error, let serverRecord):
      result.failed.error = error.wire
      guard let serverRecord else { break }
      let byteCount = serverRecord.record.bytes.count
      if byteCount <= remainingBytes {
        remainingBytes -= byteCount
        result.failed.serverRecord = serverRecord.wire
      } else {
        result.failed.error.reason = ModifyOutcome.omittedReason
      }
    }
    return result
  }
}
