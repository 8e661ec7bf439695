import Records

/// The length prefix of a frame in a stream: four bytes, most significant first.
package enum FramePrefix {
  /// The length of the prefix in bytes.
  package static let byteCount = 4

  /// Returns the prefix for a payload of `length` bytes.
  /// - Precondition: `length` fits into 32 bits.
  package static func bytes(length: Int) -> [UInt8] {
    let length = UInt32(length)
    return [
      UInt8(truncatingIfNeeded: length >> 24), UInt8(truncatingIfNeeded: length >> 16),
      UInt8(truncatingIfNeeded: length >> 8), UInt8(truncatingIfNeeded: length),
    ]
  }

  /// Returns `payload` with its prefix.
  package static func prepended(to payload: [UInt8]) -> [UInt8] {
    var framed: [UInt8] = []
    framed.reserveCapacity(byteCount + payload.count)
    framed.append(contentsOf: bytes(length: payload.count))
    framed.append(contentsOf: payload)
    return framed
  }
}
