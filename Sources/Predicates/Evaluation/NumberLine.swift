// Numbers as 64 bits in the same order, so that what compares bytes compares numbers.

/// Numbers as 64 bits in the same order.
package enum NumberLine {
  /// The place of a whole number or a date.
  @inline(__always)
  package static func place(_ whole: Int64) -> UInt64 {
    UInt64(bitPattern: whole) ^ 1 << 63
  }

  /// The place of a real number among real ones.
  @inline(__always)
  package static func place(_ real: Double) -> UInt64 {
    let bits = (real + 0).bitPattern
    return bits >> 63 == 1 ? ~bits : bits | 1 << 63
  }

  /// The whole number at or below a real one; the outermost beyond 64 bits.
  @inline(__always)
  package static func floor(_ real: Double) -> Int64 {
    real < -0x1p63 ? .min : real >= 0x1p63 ? .max : Int64(real.rounded(.down))
  }

  /// The size of cell, as a power of two, with which an interval touches at most two cells.
  package static func level(from low: UInt64, to high: UInt64) -> Int {
    min(63, UInt64.bitWidth - (high - low).leadingZeroBitCount)
  }
}
