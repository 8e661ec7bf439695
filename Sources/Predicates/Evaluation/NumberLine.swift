/// Order-preserving maps of numbers and dates to 64-bit unsigned integers, so that comparing the
/// integers, or their big-endian bytes, compares the numbers.
package enum NumberLine {
  /// Returns the position of an integer, or of the microseconds of a date.
  @inline(__always)
  package static func position(_ whole: Int64) -> UInt64 {
    UInt64(bitPattern: whole) ^ 1 << 63
  }

  /// Returns the position of a double among doubles. It is not comparable with that of an integer.
  @inline(__always)
  package static func position(_ real: Double) -> UInt64 {
    let bits = (real + 0).bitPattern
    return bits >> 63 == 1 ? ~bits : bits | 1 << 63
  }

  /// Returns the largest integer that is not above `real`, clamped to 64 bits.
  @inline(__always)
  package static func floor(_ real: Double) -> Int64 {
    real < -0x1p63 ? .min : real >= 0x1p63 ? .max : Int64(real.rounded(.down))
  }

  /// Returns an n so large that the interval overlaps at most two cells of size 2ⁿ: 2ⁿ exceeds the
  /// difference of the bounds.
  package static func level(from low: UInt64, to high: UInt64) -> Int {
    min(63, UInt64.bitWidth - (high - low).leadingZeroBitCount)
  }
}
