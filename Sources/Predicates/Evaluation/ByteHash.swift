// A hash of few bytes in few nanoseconds. It is the same in every run and so can be attacked by who
// chooses the keys; what uses it compares the keys too and bounds how many of them one owner has.

/// Multiplies and folds, eight bytes at a time.
package enum ByteHash {
  /// The hash of `count` bytes at `start`, begun with `seed`.
  @inline(__always)
  package static func hash(_ start: UnsafePointer<UInt8>?, count: Int, seed: UInt64) -> UInt64 {
    var state = seed &+ UInt64(truncatingIfNeeded: count) &* 0x9E37_79B9_7F4A_7C15
    guard let start else { return mix(state, 0) }
    let raw = UnsafeRawPointer(start)
    var offset = 0
    while offset + 8 <= count {
      state = mix(state, raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    var tail: UInt64 = 0
    while offset < count {
      tail = tail << 8 | UInt64(start[offset])
      offset += 1
    }
    return mix(state, tail)
  }

  /// The state after one more number.
  @inline(__always)
  package static func mix(_ state: UInt64, _ number: UInt64) -> UInt64 {
    let product = (state ^ number ^ 0xA076_1D64_78BD_642F).multipliedFullWidth(
      by: 0xE703_7ED1_A0B4_28DB)
    return product.high ^ product.low ^ number &* 0x8EBC_6AF0_9C88_C6E3
  }
}
