extension String {
  /// Returns whether both texts have the same bytes. Swift's `==` also holds for texts whose
  /// characters are composed differently, such as “é” as one scalar or as two.
  package func hasSameBytes(as other: String) -> Bool {
    guard utf8.count == other.utf8.count, self == other else { return false }
    var (left, right) = (self, other)
    return left.withUTF8 { left in right.withUTF8 { left.elementsEqual($0) } }
  }
}
