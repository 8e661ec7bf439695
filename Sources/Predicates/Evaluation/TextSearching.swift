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

  /// Whether the other text stands anywhere in it; `steps` is lowered by what was looked at.
  func contains(_ other: ValueView, steps: inout Int) -> Bool {
    guard other.count > 0 else { return true }
    guard other.count <= count, let start, let wanted = other.start else { return false }
    let first = wanted.pointee
    let length = Int(other.count)
    steps -= Int(count)
    for offset in 0...Int(count) - length where start[offset] == first {
      steps -= length
      if steps < 0 { return false }
      if equal(start + offset, wanted, count: length) { return true }
    }
    return false
  }
}
