// Looking for one text in another, byte by byte. UTF-8 lets it: no character's bytes are found in
// the middle of another's.

extension ValueView {
  /// Whether the text begins with the other.
  func begins(with other: ValueView) -> Bool {
    guard other.kind == .text, other.count <= count else { return false }
    guard let start, let wanted = other.start else { return other.count == 0 }
    return equal(start, wanted, count: Int(other.count))
  }

  /// Whether the text ends with the other.
  func ends(with other: ValueView) -> Bool {
    guard other.kind == .text, other.count <= count else { return false }
    guard let start, let wanted = other.start else { return other.count == 0 }
    return equal(start + Int(count - other.count), wanted, count: Int(other.count))
  }

  /// Whether the other text stands anywhere in it; `steps` is lowered by what was looked at. Sixteen
  /// places are tried at once, by the first and the last byte of what is looked for.
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
    var place = 0
    while place + 15 <= last {
      let heads = raw.loadUnaligned(fromByteOffset: place, as: SIMD16<UInt8>.self)
      let tails = raw.loadUnaligned(fromByteOffset: place + length - 1, as: SIMD16<UInt8>.self)
      let fitting = (heads .== first) .& (tails .== final)
      if any(fitting) {
        for offset in 0..<16 where fitting[offset] {
          steps -= length
          if steps < 0 { return false }
          if equal(start + place + offset, wanted, count: length) { return true }
        }
      }
      place += 16
    }
    while place <= last {
      steps -= length
      if steps < 0 { return false }
      if equal(start + place, wanted, count: length) { return true }
      place += 1
    }
    return false
  }
}
