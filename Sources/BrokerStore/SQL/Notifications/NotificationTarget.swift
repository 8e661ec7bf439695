// The devices that a change notifies, and their encoding. Targets are sorted by device and differences are
// encoded as varints, so most numbers take one or two bytes: 1,000 devices take about 4 KB.

import BrokerCore
import Records
import SQLConnections

/// One device to notify, for one subscription.
struct NotificationTarget: Hashable {
  /// The device's row.
  let receiver: StoreKey
  /// The row of the subscription's version.
  let subscription: StoreKey
  /// Why the device is notified; `nil` if the predicate was not evaluated.
  let reason: MatchReason?
}

extension [NotificationTarget] {
  /// The encoding of targets, which must be sorted by device.
  var packed: [UInt8] {
    var writer = ByteWriter(reservingBytes: count * 4)
    var last: StoreKey = 0
    for target in self {
      writer.varint(UInt64(bitPattern: target.receiver - last))
      writer.varint(UInt64(bitPattern: target.subscription))
      writer.varint(target.reason.map { UInt64($0.rawValue) } ?? Self.unknownReason)
      last = target.receiver
    }
    return writer.bytes
  }

  /// The encoding of a missing reason.
  fileprivate static var unknownReason: UInt64 { 127 }

  /// Decodes targets.
  /// - Throws: `damaged` if the encoding is invalid.
  init(packed bytes: [UInt8]) throws(StoreError) {
    self.init()
    var reader = TargetReader(bytes)
    while let target = try reader.next() { append(target) }
  }
}

/// Decodes targets one by one.
struct TargetReader {
  private let bytes: [UInt8]
  private var index = 0
  private var last: StoreKey = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Returns the next target; `nil` at the end.
  /// - Throws: `damaged` if the encoding is invalid.
  mutating func next() throws(StoreError) -> NotificationTarget? {
    guard index < bytes.count else { return nil }
    last &+= Int64(bitPattern: try varint())
    let subscription = Int64(bitPattern: try varint())
    let number = try varint()
    let reason = UInt8(exactly: number).flatMap(MatchReason.init(rawValue:))
    guard reason != nil || number == [NotificationTarget].unknownReason else { throw damaged }
    return NotificationTarget(receiver: last, subscription: subscription, reason: reason)
  }

  private mutating func varint() throws(StoreError) -> UInt64 {
    var result: UInt64 = 0
    var shift: UInt64 = 0
    while index < bytes.count, shift < 64 {
      let byte = bytes[index]
      index += 1
      result |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return result }
      shift += 7
    }
    throw damaged
  }

  private var damaged: StoreError {
    StoreError(.damaged, "A notification's list of devices is damaged.")
  }
}
