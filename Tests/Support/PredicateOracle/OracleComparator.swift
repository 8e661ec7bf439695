/// Compares two values under options. Values of kinds that cannot be compared make every comparison false,
/// `!=` included; the functions below return `nil` for them.
struct OracleComparator {
  private let folding: OracleFolding

  init(ignoresCase: Bool = false, ignoresMarks: Bool = false) {
    folding = OracleFolding(ignoresCase: ignoresCase, ignoresMarks: ignoresMarks)
  }

  func holds(_ left: OracleValue, _ sign: OracleSign, _ right: OracleValue) -> Bool {
    switch sign {
    case .equal: areEqual(left, right) == true
    case .notEqual: areEqual(left, right) == false
    case .less: order(left, right).map { $0 < 0 } ?? false
    case .lessOrEqual: order(left, right).map { $0 <= 0 } ?? false
    case .greater: order(left, right).map { $0 > 0 } ?? false
    case .greaterOrEqual: order(left, right).map { $0 >= 0 } ?? false
    case .between: isBetween(left, right)
    case .isIn: isMember(left, of: right)
    case .contains: contains(left, right)
    case .begins: texts(left, right) { $0.starts(with: $1) }
    case .ends: texts(left, right) { $0.count >= $1.count && $0.suffix($1.count) == $1[...] }
    case .like: texts(left, right) { OracleText.matches($0, pattern: $1) }
    }
  }

  private func isBetween(_ value: OracleValue, _ bounds: OracleValue) -> Bool {
    guard case .list(let bounds) = bounds, bounds.count == 2 else { return false }
    return holds(value, .greaterOrEqual, bounds[0]) && holds(value, .lessOrEqual, bounds[1])
  }

  private func isMember(_ value: OracleValue, of list: OracleValue) -> Bool {
    guard case .list(let members) = list else { return false }
    return members.contains { areEqual(value, $0) == true }
  }

  private func contains(_ value: OracleValue, _ part: OracleValue) -> Bool {
    if case .list = value { return isMember(part, of: value) }
    return texts(value, part, OracleText.contains)
  }

  private func texts(
    _ left: OracleValue, _ right: OracleValue, _ test: ([UInt32], [UInt32]) -> Bool
  ) -> Bool {
    guard case .text(let left) = left, case .text(let right) = right else { return false }
    return test(folding.scalars(left), folding.scalars(right))
  }

  private func areEqual(_ left: OracleValue, _ right: OracleValue) -> Bool? {
    if let order = order(left, right) { return order == 0 }
    switch (left, right) {
    case (.bytes(let left), .bytes(let right)): return left == right
    case (.place(let north, let east), .place(let otherNorth, let otherEast)):
      return north == otherNorth && east == otherEast
    case (.reference(let left), .reference(let right)): return left.utf8.elementsEqual(right.utf8)
    case (.asset(let left, let size), .asset(let right, let otherSize)):
      return left == right && size == otherSize
    case (.list(let left), .list(let right)):
      return left.count == right.count && zip(left, right).allSatisfy { areEqual($0, $1) == true }
    default: return nil
    }
  }

  /// Returns a negative number, zero or a positive number if `left` is less than, equal to or greater than
  /// `right`.
  private func order(_ left: OracleValue, _ right: OracleValue) -> Int? {
    switch (left, right) {
    case (.text(let left), .text(let right)):
      return order(folding.scalars(left), folding.scalars(right))
    case (.moment(let left), .moment(let right)): return order([left], [right])
    default:
      guard let left = OracleNumber(left), let right = OracleNumber(right) else { return nil }
      return order(left, right)
    }
  }

  /// The order of Unicode scalars is that of their UTF-8 bytes.
  private func order<Element: Comparable>(_ left: [Element], _ right: [Element]) -> Int {
    left.lexicographicallyPrecedes(right) ? -1 : left == right ? 0 : 1
  }

  private func order(_ left: OracleNumber, _ right: OracleNumber) -> Int {
    left < right ? -1 : right < left ? 1 : 0
  }
}
