/// A fast hash of short byte strings, by multiplication of eight bytes at a time.
///
/// It is the same in every run, so a client that chooses keys can cause collisions. Users of this hash
/// compare the keys too and limit how many keys one account can have.
package enum ByteHash {
  /// Returns the hash of `count` bytes at `start`.
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

  /// Returns the state after `number` is added to it.
  @inline(__always)
  package static func mix(_ state: UInt64, _ number: UInt64) -> UInt64 {
    let product = (state ^ number ^ 0xA076_1D64_78BD_642F).multipliedFullWidth(
      by: 0xE703_7ED1_A0B4_28DB)
    return product.high ^ product.low ^ number &* 0x8EBC_6AF0_9C88_C6E3
  }
}
