import FoundationEssentials

/// The value of a record's field. CloudKit: `CKRecordValue`.
///
/// Strings, numbers, booleans and lists can be written as literals: `record["age"] = 30`.
public enum Value: Hashable, Sendable {
  /// A string.
  case string(String)
  /// An integer.
  case int64(Int64)
  /// A floating-point number. Saving one that is not finite throws `invalidArguments`.
  case double(Double)
  /// A truth value.
  case boolean(Bool)
  /// A point in time, stored with microsecond precision.
  case date(Date)
  /// Bytes that only the application interprets.
  case bytes([UInt8])
  /// Geographic coordinates.
  case location(Location)
  /// A reference to another record of the same zone.
  case reference(Reference)
  /// A file, stored next to the broker's database.
  case asset(Asset)
  /// An ordered list of the types above, 10,000 elements at most. A list cannot contain lists.
  case list([Value])
  /// An ordered list of elements with ids: phone numbers, e-mail addresses, postal addresses.
  case entries([Entry])
  /// A value of a type that this version of the library does not know. It can be saved again unchanged.
  case unknown([UInt8])
}

extension Value {
  /// The string; `nil` for another type.
  public var string: String? { if case .string(let text) = self { text } else { nil } }
  /// The integer; `nil` for another type.
  public var int64: Int64? { if case .int64(let number) = self { number } else { nil } }
  /// The number, converted from an integer if necessary; `nil` for another type.
  public var double: Double? {
    switch self {
    case .double(let number): number
    case .int64(let number): Double(number)
    default: nil
    }
  }
  /// The truth value; `nil` for another type.
  public var boolean: Bool? { if case .boolean(let truth) = self { truth } else { nil } }
  /// The point in time; `nil` for another type.
  public var date: Date? { if case .date(let date) = self { date } else { nil } }
  /// The list; `nil` for another type.
  public var list: [Value]? { if case .list(let values) = self { values } else { nil } }
  /// The entries; `nil` for another type.
  public var entries: [Entry]? { if case .entries(let entries) = self { entries } else { nil } }
  /// The asset; `nil` for another type.
  public var asset: Asset? { if case .asset(let asset) = self { asset } else { nil } }
  /// The reference; `nil` for another type.
  public var reference: Reference? { if case .reference(let it) = self { it } else { nil } }
}

extension Value: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  /// Creates a string from a literal.
  public init(stringLiteral text: String) { self = .string(text) }
}

extension Value: ExpressibleByIntegerLiteral {
  /// Creates an integer from a literal.
  public init(integerLiteral number: Int64) { self = .int64(number) }
}

extension Value: ExpressibleByFloatLiteral {
  /// Creates a floating-point number from a literal.
  public init(floatLiteral number: Double) { self = .double(number) }
}

extension Value: ExpressibleByBooleanLiteral {
  /// Creates a truth value from a literal.
  public init(booleanLiteral truth: Bool) { self = .boolean(truth) }
}

extension Value: ExpressibleByArrayLiteral {
  /// Creates a list from a literal.
  public init(arrayLiteral values: Value...) { self = .list(values) }
}
