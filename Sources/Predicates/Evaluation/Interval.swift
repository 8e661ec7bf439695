import Records

/// The bounds of a test of a number or date, which are stored as a constant of 16 bytes and 8 flags.
struct Interval {
  var low: UInt64 = 0
  var high: UInt64 = 0
  var flags: Flags = []

  struct Flags: OptionSet {
    let rawValue: UInt8
    static let hasLow = Flags(rawValue: 1)
    static let hasHigh = Flags(rawValue: 2)
    static let excludesLow = Flags(rawValue: 4)
    static let excludesHigh = Flags(rawValue: 8)
    static let isLowReal = Flags(rawValue: 16)
    static let isHighReal = Flags(rawValue: 32)
    static let isDate = Flags(rawValue: 64)
    static let isOutside = Flags(rawValue: 128)
  }
}

extension Interval {
  /// Creates the interval of the values that have `relation` to a number or date, or to two bounds.
  init(_ relation: Relation, _ values: [Value]) {
    switch relation {
    case .less, .lessOrEqual: setHigh(values[0], isExcluded: relation == .less)
    case .greater, .greaterOrEqual: setLow(values[0], isExcluded: relation == .greater)
    default:
      setLow(values[0], isExcluded: false)
      setHigh(values[values.count - 1], isExcluded: false)
      if relation == .notEqual { flags.insert(.isOutside) }
    }
  }

  private mutating func setLow(_ value: Value, isExcluded: Bool) {
    flags.formUnion(isExcluded ? [.hasLow, .excludesLow] : .hasLow)
    low = bits(of: value, real: .isLowReal)
  }

  private mutating func setHigh(_ value: Value, isExcluded: Bool) {
    flags.formUnion(isExcluded ? [.hasHigh, .excludesHigh] : .hasHigh)
    high = bits(of: value, real: .isHighReal)
  }

  private mutating func bits(of value: Value, real: Flags) -> UInt64 {
    switch value {
    case .int64(let number): return UInt64(bitPattern: number)
    case .boolean(let flag): return flag ? 1 : 0
    case .double(let number):
      flags.insert(real)
      return number.bitPattern
    case .date(let time):
      flags.insert(.isDate)
      return UInt64(bitPattern: time.microseconds)
    default: preconditionFailure("Only numbers and dates have intervals.")
    }
  }
}
