// The feed's hot path. Each change is encoded once, when it is committed, and every frame that
// contains it copies those bytes. The encoder is handwritten against records.proto, because
// SwiftProtobuf would decode and encode each change again for each frame. A test decodes its output
// with SwiftProtobuf.

import Records

/// An encoder for changes, and for frames of encoded changes.
package enum ChangesEncoder {
  /// The most bytes of changes in one frame: the sum of their encoded lengths and of `overheadBytes`
  /// for each. More changes need several frames.
  package static let changesBytesMaximum = Limits.frameBytes - 1024

  /// The most bytes that a change adds to a frame besides its own encoding.
  package static let overheadBytes = 6

  /// Encodes `change` as a `message Change` that any number of frames can contain.
  package static func encode(_ change: Change) -> [UInt8] {
    var writer = ByteWriter(reservingBytes: change.record.bytes.count + 256)
    writer.field(1, string: change.name.text)
    writer.field(2, varint: change.tag.wire)
    if change.kind != .saved { writer.field(3, varint: UInt64(change.kind.rawValue)) }
    writer.field(4, string: change.type.text)
    writer.field(5) { $0.write(change.created) }
    writer.field(6) { $0.write(change.modified) }
    if !change.record.bytes.isEmpty { writer.field(7, bytes: change.record.bytes) }
    if let move = change.move { writer.field(8, bytes: move.bytes) }
    if let former = change.former { writer.field(9) { $0.write(former) } }
    return writer.bytes
  }

  /// Returns an unrequested `changes` frame, with the length prefix, of changes of at most `changesBytesMaximum` in all.
  package static func frame(_ stretch: ZoneChanges) -> [UInt8] {
    frame(of: stretch, from: stretch.from, to: stretch.to, stretch.changes.map(encode))
  }

  /// Returns an unrequested `changes` frame, with the length prefix, of a part of a stretch.
  ///
  /// - Parameters:
  ///   - stretch: The whole stretch; the owner of its zone is not `.current`.
  ///   - from: The receiver's position in the zone before the frame.
  ///   - to: The receiver's position after the frame.
  ///   - changes: Results of `encode` by ascending tag; at most `changesBytesMaximum` in all.
  static func frame(
    of stretch: ZoneChanges, from: Revision, to: Revision, _ changes: some Collection<[UInt8]>
  ) -> [UInt8] {
    let byteCount = changes.reduce(0) { $0 + $1.count + overheadBytes }
    precondition(byteCount <= changesBytesMaximum, "More changes than one frame may hold.")
    var head = ByteWriter(reservingBytes: 128)
    head.field(1) { $0.write(stretch.zone) }
    head.field(2, bytes: stretch.incarnation.bytes)
    head.field(3, varint: from.wire)
    head.field(4, varint: to.wire)
    if let scanStart = stretch.scanStart { head.field(5, varint: scanStart.wire) }
    var foot = ByteWriter(reservingBytes: 0)
    for entry in stretch.lineage?.entries ?? [] { foot.field(7) { $0.write(entry) } }
    let bodyLength = changes.reduce(head.bytes.count + foot.bytes.count) {
      $0 + 1 + lengthOfVarint($1.count) + $1.count
    }
    let payloadLength = 1 + lengthOfVarint(bodyLength) + bodyLength
    var writer = ByteWriter(reservingBytes: FramePrefix.byteCount + payloadLength)
    writer.raw(FramePrefix.bytes(length: payloadLength))
    writer.varint(tag(6))
    writer.varint(UInt64(bodyLength))
    writer.raw(head.bytes)
    for change in changes { writer.field(6, bytes: change) }
    writer.raw(foot.bytes)
    return writer.bytes
  }

  /// Returns frames, with length prefixes, for all changes of `stretch`. There is one frame unless
  /// the changes exceed `changesBytesMaximum`, as when a commit sets few fields of many large
  /// records. Each frame begins at the revision where the previous one ended.
  package static func frames(_ stretch: ZoneChanges) -> [[UInt8]] {
    var frames: [[UInt8]] = []
    var from = stretch.from
    var encoded: [[UInt8]] = []
    var byteCount = 0
    func close(at to: Revision) {
      frames.append(frame(of: stretch, from: from, to: to, encoded))
      (from, encoded, byteCount) = (to, [], 0)
    }
    for (index, change) in stretch.changes.enumerated() {
      let bytes = encode(change)
      if byteCount + bytes.count + overheadBytes > changesBytesMaximum, index > 0 {
        close(at: stretch.changes[index - 1].tag)
      }
      encoded.append(bytes)
      byteCount += bytes.count + overheadBytes
    }
    close(at: stretch.to)
    return frames
  }

  private static func tag(_ number: UInt64) -> UInt64 {
    number << 3 | UInt64(WireType.lengthDelimited.rawValue)
  }

  private static func lengthOfVarint(_ value: Int) -> Int {
    max(1, (Int.bitWidth - value.leadingZeroBitCount + 6) / 7)
  }
}

extension ByteWriter {
  fileprivate mutating func write(_ stamp: Stamp) {
    field(1, signed: stamp.time.microseconds)
    field(2) { (writer: inout ByteWriter) in
      writer.field(1, bytes: stamp.origin.account.bytes)
      writer.field(2, bytes: stamp.origin.device.bytes)
      writer.field(3, varint: stamp.origin.request.wire)
    }
  }

  fileprivate mutating func write(_ zone: ZoneID) {
    if zone.owner != .current { field(1, bytes: zone.owner.bytes) }
    if zone.name != .standard { field(2, bytes: zone.name.bytes) }
  }
}
