// Canonical decomposition (Unicode, chapter 3.7): letters and their marks taken apart and the marks
// put into one order, so that “é” written in one code point and in two become the same.

/// Takes letters and their marks apart.
enum Decomposition {
  /// Appends what `scalar` consists of; itself where it has no parts.
  static func append(_ scalar: Unicode.Scalar, to scalars: inout [Unicode.Scalar]) {
    guard scalar.value >= 0xC0 else { return scalars.append(scalar) }
    if (0xAC00...0xD7A3).contains(scalar.value) { return appendHangul(scalar, to: &scalars) }
    guard let parts = parts(of: scalar) else { return scalars.append(scalar) }
    // Only what a scalar begins with can be taken apart further.
    append(parts.first, to: &scalars)
    if let second = parts.second { scalars.append(second) }
  }

  /// Brings runs of marks into canonical order; their order among equal classes stays.
  static func order(_ scalars: inout [Unicode.Scalar]) {
    for index in scalars.indices.dropFirst() {
      let scalar = scalars[index]
      let rank = scalar.properties.canonicalCombiningClass
      guard rank != .notReordered else { continue }
      var place = index
      while place > 0, scalars[place - 1].properties.canonicalCombiningClass > rank {
        scalars[place] = scalars[place - 1]
        place -= 1
      }
      scalars[place] = scalar
    }
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

  /// A syllable is a leading consonant, a vowel and perhaps a trailing consonant, by arithmetic.
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
