// Substring searches compare bytes. This is correct for UTF-8, where the bytes of a character never occur
// inside those of another.

extension ValueView {
  /// Returns whether the text begins with `other`.
  func begins(with other: ValueView) -> Bool {
    guard other.kind == .text, other.count <= count else { return false }
    guard let start, let wanted = other.start else { return other.count == 0 }
    return equal(start, wanted, count: Int(other.count))
  }

  /// Returns whether the text ends with `other`.
  func ends(with other: ValueView) -> Bool {
    guard other.kind == .text, other.count <= count else { return false }
    guard let start, let wanted = other.start else { return other.count == 0 }
    return equal(start + Int(count - other.count), wanted, count: Int(other.count))
  }

  /// Returns whether the text contains `other`. Subtracts the bytes read from `steps`; if this falls
  /// below 0, the search ends and returns false. Sixteen offsets are tested at a time, by the first and
  /// the last byte of `other`.
  func contains(_ other: ValueView, steps: inout Int) -> Bool {
    guard other.count > 0 else { return true }
    guard other.count <= count, let start, let wanted = other.start else { return false }
    let length = Int(other.count)
    let last = Int(count) - length
    steps -= Int(count)
    let raw = UnsafeRawPointer(start)
    let (first, final) = (
      SIMD16<UInt8>(repeating: wanted[0]), SIMD16<UInt8>(repeating: wanted[length - 1])
    )
    var offset = 0
    while offset + 15 <= last {
      let heads = raw.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
      let tails = raw.loadUnaligned(fromByteOffset: offset + length - 1, as: SIMD16<UInt8>.self)
      let fitting = (heads .== first) .& (tails .== final)
      if any(fitting) {
        for lane in 0..<16 where fitting[lane] {
          steps -= length
          if steps < 0 { return false }
          if equal(start + offset + lane, wanted, count: length) { return true }
        }
      }
      offset += 16
    }
    while offset <= last {
      steps -= length
      if steps < 0 { return false }
      if equal(start + offset, wanted, count: length) { return true }
      offset += 1
    }
    return false
  }
}
