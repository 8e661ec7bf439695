// What a field may hold. The same closed set as the broker's, with the types a Swift program has at
// hand: `Date` for moments, literals for texts and numbers.

import FoundationEssentials

/// What one field of a record holds. CloudKit: `CKRecordValue`.
///
/// Texts, numbers, booleans and lists may be written as literals: `record["age"] = 30`.
public enum Value: Hashable, Sendable {
  /// Text.
  case string(String)
  /// A whole number.
  case int64(Int64)
  /// A number. It must be finite; saving another throws `invalidArguments`.
  case double(Double)
  /// Yes or no.
  case boolean(Bool)
  /// A moment, kept to the microsecond.
  case date(Date)
  /// Bytes that mean something to the application only.
  case bytes([UInt8])
  /// A place on Earth.
  case location(Location)
  /// Another record of the same zone.
  case reference(Reference)
  /// A file kept beside the database.
  case asset(Asset)
  /// Any number of the kinds above, in order, 10,000 at most. Lists are not nested.
  case list([Value])
  /// Things with an identity of their own, in order: phones, e-mails, addresses.
  case entries([Entry])
  /// A kind this version does not know, as it came. It may be saved again, and then is what it was.
  case unknown([UInt8])
}

extension Value {
  /// The text; `nil` where the value is something else.
  public var string: String? { if case .string(let text) = self { text } else { nil } }
  /// The whole number; `nil` where the value is something else.
  public var int64: Int64? { if case .int64(let number) = self { number } else { nil } }
  /// The number, also of a whole one; `nil` where the value is something else.
  public var double: Double? {
    switch self {
    case .double(let number): number
    case .int64(let number): Double(number)
    default: nil
    }
  }
  /// Yes or no; `nil` where the value is something else.
  public var boolean: Bool? { if case .boolean(let truth) = self { truth } else { nil } }
  /// The moment; `nil` where the value is something else.
  public var date: Date? { if case .date(let date) = self { date } else { nil } }
  /// The list; `nil` where the value is something else.
  public var list: [Value]? { if case .list(let values) = self { values } else { nil } }
  /// The entries; `nil` where the value is something else.
  public var entries: [Entry]? { if case .entries(let entries) = self { entries } else { nil } }
  /// The asset; `nil` where the value is something else.
  public var asset: Asset? { if case .asset(let asset) = self { asset } else { nil } }
  /// The reference; `nil` where the value is something else.
  public var reference: Reference? { if case .reference(let it) = self { it } else { nil } }
}

extension Value: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  /// Written in source.
  public init(stringLiteral text: String) { self = .string(text) }
}

extension Value: ExpressibleByIntegerLiteral {
  /// Written in source.
  public init(integerLiteral number: Int64) { self = .int64(number) }
}

extension Value: ExpressibleByFloatLiteral {
  /// A number written in source.
  public init(floatLiteral number: Double) { self = .double(number) }
}

extension Value: ExpressibleByBooleanLiteral {
  /// `true` or `false` written in source.
  public init(booleanLiteral truth: Bool) { self = .boolean(truth) }
}

extension Value: ExpressibleByArrayLiteral {
  /// A list written in source.
  public init(arrayLiteral values: Value...) { self = .list(values) }
}
