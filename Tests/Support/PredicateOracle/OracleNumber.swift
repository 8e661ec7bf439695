/// A number of any kind, as its whole part and the signed rest between -1 and 1. The comparison is exact,
/// because truncating a real number loses nothing.
struct OracleNumber: Comparable {
  private let wholePart: WholePart
  private let rest: Double

  private enum WholePart: Comparable {
    case below(Double)
    case whole(Int64)
    case above(Double)
  }

  /// Creates the number of `value`; `nil` if it is not one. A boolean is 1 or 0.
  init?(_ value: OracleValue) {
    switch value {
    case .whole(let number): (wholePart, rest) = (.whole(number), 0)
    case .boolean(let isTrue): (wholePart, rest) = (.whole(isTrue ? 1 : 0), 0)
    case .real(let number):
      let cut = number.rounded(.towardZero)
      if let whole = Int64(exactly: cut) {
        (wholePart, rest) = (.whole(whole), number - cut)
      } else {
        (wholePart, rest) = (number < 0 ? .below(number) : .above(number), 0)
      }
    default: return nil
    }
  }

  static func < (left: Self, right: Self) -> Bool {
    left.wholePart == right.wholePart ? left.rest < right.rest : left.wholePart < right.wholePart
  }
}
