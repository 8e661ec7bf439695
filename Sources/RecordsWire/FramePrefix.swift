// A frame on a stream is its length in four bytes, most significant first, then its payload.

import Records

/// The length prefix of a frame.
package enum FramePrefix {
  /// How many bytes the prefix takes.
  package static let byteCount = 4

  /// The prefix of a payload of so many bytes.
  /// - Precondition: `length` fits into 32 bits.
  package static func bytes(length: Int) -> [UInt8] {
    let length = UInt32(length)
    return [
      UInt8(truncatingIfNeeded: length >> 24), UInt8(truncatingIfNeeded: length >> 16),
      UInt8(truncatingIfNeeded: length >> 8), UInt8(truncatingIfNeeded: length),
    ]
  }

  /// `payload` with its prefix in front.
  package static func framing(_ payload: [UInt8]) -> [UInt8] {
    var framed: [UInt8] = []
    framed.reserveCapacity(byteCount + payload.count)
    framed.append(contentsOf: bytes(length: payload.count))
    framed.append(contentsOf: payload)
    return framed
  }
}
