extension String {
  /// Returns whether both texts have the same bytes. Swift's `==` also holds for texts whose
  /// characters are composed differently, such as “é” as one scalar or as two.
  package func hasSameBytes(as other: String) -> Bool {
    var (left, right) = (self, other)
    return left.withUTF8 { left in right.withUTF8 { left.hasSameBytes(as: $0) } }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns whether both buffers have the same bytes. Compares eight at a time: the standard library compares one at a
  /// time, and names are compared two dozen times for each record of an import.
  func hasSameBytes(as other: Self) -> Bool {
    guard count == other.count else { return false }
    let (left, right) = (UnsafeRawBufferPointer(self), UnsafeRawBufferPointer(other))
    var offset = 0
    while offset + 8 <= count {
      let word = left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      guard word == right.loadUnaligned(fromByteOffset: offset, as: UInt64.self) else {
        return false
      }
      offset += 8
    }
    while offset < count {
      guard left[offset] == right[offset] else { return false }
      offset += 1
    }
    return true
  }
}
