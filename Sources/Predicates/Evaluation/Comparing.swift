// What it means for two values to be equal, or one before the other. Values of different classes
// are neither: every relation between them is false, `!=` included, as for a field that is missing.

import Records

extension ValueView {
  /// Whether the values are of one class and the same. Texts are compared byte by byte.
  func isEqual(to other: ValueView) -> Bool {
    guard kind.comparisonClass == other.kind.comparisonClass else { return false }
    switch kind {
    case .missing, .entries, .unknown, .unfolded: return false
    case .text, .bytes, .reference: return hasBytes(of: other)
    case .whole, .real: return order(to: other) == .same
    case .date: return bits == other.bits
    case .asset: return bits == other.bits && hasBytes(of: other)
    case .location: return place == other.place
    case .list: return hasElements(of: other)
    }
  }

  /// Which of two values of one class comes first; `nil` where they are not of one, or have no
  /// order.
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

/// Where one value stands relative to another.
enum ValueOrder {
  case before, same, after

  init<Number: Comparable>(_ left: Number, _ right: Number) {
    self = left < right ? .before : left == right ? .same : .after
  }

  /// A whole number relative to a real one, exactly, whatever their size.
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

  /// Whether `relation`, one of order, holds.
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
