/// Unicode's canonical decomposition (The Unicode Standard, section 3.7): characters are split into letters
/// and marks, and the marks are sorted, so that “é” as one and as two code points becomes the same.
enum Decomposition {
  /// Appends the decomposition of `scalar`, which is the scalar itself if it has none.
  static func append(_ scalar: Unicode.Scalar, to scalars: inout [Unicode.Scalar]) {
    guard scalar.value >= 0xC0 else { return scalars.append(scalar) }
    if (0xAC00...0xD7A3).contains(scalar.value) { return appendHangul(scalar, to: &scalars) }
    guard let parts = parts(of: scalar) else { return scalars.append(scalar) }
    // Only the first scalar of a decomposition can be decomposed further.
    append(parts.first, to: &scalars)
    if let second = parts.second { scalars.append(second) }
  }

  /// Sorts runs of marks into canonical order. The sort is stable, and linear because a run can be as long
  /// as a text.
  static func order(_ scalars: inout [Unicode.Scalar]) {
    var start = scalars.startIndex
    while let first = scalars[start...].firstIndex(where: { combiningClass(of: $0) != 0 }) {
      let end = scalars[first...].firstIndex { combiningClass(of: $0) == 0 } ?? scalars.endIndex
      order(&scalars, first..<end)
      start = end
    }
  }

  /// Sorts a run of marks by combining class, with a counting sort, which is stable.
  private static func order(_ scalars: inout [Unicode.Scalar], _ run: Range<Int>) {
    let marks = Array(scalars[run])
    let classes = marks.map(combiningClass)
    guard zip(classes, classes.dropFirst()).contains(where: { $0 > $1 }) else { return }
    var offsets = [Int](repeating: 0, count: 257)
    for rank in classes { offsets[Int(rank) + 1] += 1 }
    for rank in 1...256 { offsets[rank] += offsets[rank - 1] }
    for (mark, rank) in zip(marks, classes) {
      scalars[run.lowerBound + offsets[Int(rank)]] = mark
      offsets[Int(rank)] += 1
    }
  }

  /// Code points below U+0300 all have class 0.
  private static func combiningClass(of scalar: Unicode.Scalar) -> UInt8 {
    scalar.value < 0x300 ? 0 : scalar.properties.canonicalCombiningClass.rawValue
  }

  private static func parts(
    of scalar: Unicode.Scalar
  ) -> (first: Unicode.Scalar, second: Unicode.Scalar?)? {
    let table = CanonicalDecompositions.packed
    var low = 0
    var high = table.count
    while low < high {
      let middle = (low + high) / 2
      if UInt32(table[middle] >> 42) < scalar.value { low = middle + 1 } else { high = middle }
    }
    guard low < table.count, UInt32(table[low] >> 42) == scalar.value else { return nil }
    let second = UInt32(table[low] & 0x1F_FFFF)
    guard let first = Unicode.Scalar(UInt32(table[low] >> 21 & 0x1F_FFFF)) else { return nil }
    return (first, second == 0 ? nil : Unicode.Scalar(second))
  }

  /// Appends the leading consonant, vowel and trailing consonant, if any, of a Hangul syllable, which are
  /// computed (The Unicode Standard, section 3.12).
  private static func appendHangul(
    _ syllable: Unicode.Scalar, to scalars: inout [Unicode.Scalar]
  ) {
    let index = syllable.value - 0xAC00
    let parts = [0x1100 + index / 588, 0x1161 + index % 588 / 28, 0x11A7 + index % 28]
    for (place, value) in parts.enumerated() where place < 2 || index % 28 != 0 {
      if let scalar = Unicode.Scalar(value) { scalars.append(scalar) }
    }
  }
}
