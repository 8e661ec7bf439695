// Equality and order of values. Every relation between values of different classes is false, even `!=`. So
// is every relation of a missing field.

import Records

extension ValueView {
  /// Returns whether the values have the same class and are equal. Texts are compared byte by byte.
  func isEqual(to other: ValueView) -> Bool {
    guard kind.comparisonClass == other.kind.comparisonClass else { return false }
    switch kind {
    case .missing, .entries, .unknown, .unfolded: return false
    case .text, .bytes, .reference: return hasBytes(of: other)
    case .whole, .real: return order(to: other) == .same
    case .date: return bits == other.bits
    case .asset: return bits == other.bits && hasBytes(of: other)
    case .location:
      // Numbers, so that 0 and −0 are the same place, unlike in the equality of values.
      return place.latitudeDegrees == other.place.latitudeDegrees
        && place.longitudeDegrees == other.place.longitudeDegrees
    case .list: return hasElements(of: other)
    }
  }

  /// Returns the order of the value relative to `other`; `nil` if their classes differ or have no order.
  func order(to other: ValueView) -> ValueOrder? {
    switch (kind, other.kind) {
    case (.whole, .whole), (.date, .date): ValueOrder(signed, other.signed)
    case (.real, .real): ValueOrder(real, other.real)
    case (.whole, .real): ValueOrder(whole: signed, real: other.real)
    case (.real, .whole): ValueOrder(whole: other.signed, real: real).reversed
    case (.text, .text): byteOrder(to: other)
    default: nil
    }
  }

  @inline(__always)
  func hasBytes(of other: ValueView) -> Bool {
    guard count == other.count else { return false }
    guard let start, let otherStart = other.start else { return count == 0 }
    return equal(start, otherStart, count: Int(count))
  }

  private func hasElements(of other: ValueView) -> Bool {
    var (left, right) = (elements, other.elements)
    while let element = left.next() {
      guard let counterpart = right.next(),
        ValueView(encoded: element.content).isEqual(to: ValueView(encoded: counterpart.content))
      else { return false }
    }
    return right.isAtEnd
  }

  private func byteOrder(to other: ValueView) -> ValueOrder {
    let (left, right) = (buffer, other.buffer)
    for index in 0..<Swift.min(left.count, right.count) where left[index] != right[index] {
      return left[index] < right[index] ? .before : .after
    }
    return ValueOrder(left.count, right.count)
  }
}

/// The order of one value relative to another.
enum ValueOrder {
  case before, same, after

  init<Number: Comparable>(_ left: Number, _ right: Number) {
    self = left < right ? .before : left == right ? .same : .after
  }

  /// Compares an integer with a double, without rounding either.
  init(whole: Int64, real: Double) {
    guard real < 0x1p63 else {
      self = .before
      return
    }
    guard real >= -0x1p63 else {
      self = .after
      return
    }
    let floor = real.rounded(.down)
    let order = ValueOrder(whole, Int64(floor))
    self = order == .same && real > floor ? .before : order
  }

  var reversed: ValueOrder {
    switch self {
    case .before: .after
    case .same: .same
    case .after: .before
    }
  }

  /// Returns whether this order satisfies `relation`; false for relations other than `<`, `<=`, `>`, `>=`.
  func satisfies(_ relation: Relation) -> Bool {
    switch relation {
    case .less: self == .before
    case .lessOrEqual: self != .after
    case .greater: self == .after
    case .greaterOrEqual: self != .before
    case .equal, .notEqual, .between, .in, .contains, .beginsWith, .endsWith, .like: false
    }
  }
}
