// PostgreSQL's binary forms of values: fewer bytes than text, and nothing to parse.

import SQLConnections

/// The types of columns and parameters, by their ids in every PostgreSQL database.
enum ValueType: UInt32 {
  case unspecified = 0
  case bool = 16
  case bytea = 17
  case char = 18
  case name = 19
  case int8 = 20
  case int2 = 21
  case int4 = 23
  case text = 25
  case oid = 26
  case unknown = 705
  case bpchar = 1042
  case varchar = 1043
  case numeric = 1700
  case void = 2278
}

/// The bytes of a value that is not NULL.
struct BinaryValue {
  let type: ValueType
  let bytes: UnsafeRawBufferPointer

  var value: SQLValue {
    switch type {
    case .bool, .int2, .int4, .int8, .oid, .numeric: .integer(number)
    case .text, .name, .varchar, .bpchar, .char, .unknown: .text(text)
    case .bytea: .bytes([UInt8](bytes))
    case .void, .unspecified: .null
    }
  }

  /// The value as an integer; texts are read up to the first character that is not a digit.
  var number: Int64 {
    switch type {
    case .bool: bytes.first == 0 ? 0 : 1
    case .int2: Int64(integer(Int16.self, at: 0))
    case .int4: Int64(integer(Int32.self, at: 0))
    case .oid: Int64(integer(UInt32.self, at: 0))
    case .int8: integer(Int64.self, at: 0)
    case .numeric: wholePart
    case .void, .unspecified: 0
    case .text, .name, .varchar, .bpchar, .char, .unknown, .bytea: Self.number(in: text)
    }
  }

  /// The value as text; integers in decimal digits.
  var text: String {
    switch type {
    case .bool, .int2, .int4, .int8, .oid, .numeric: number.description
    default: String(decoding: bytes, as: UTF8.self)
    }
  }

  /// The value as bytes; those of its text if it is an integer.
  var content: [UInt8] {
    switch type {
    case .bool, .int2, .int4, .int8, .oid, .numeric: Array(text.utf8)
    default: [UInt8](bytes)
    }
  }

  private func integer<Number: FixedWidthInteger>(_: Number.Type, at offset: Int) -> Number {
    guard offset + MemoryLayout<Number>.size <= bytes.count else { return 0 }
    return Number(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self))
  }

  /// The whole part of a `numeric`: its count of digits to base 10,000, the power of the first, sign, scale, digits.
  /// Numbers beyond 64 bits become the nearest integer, as in SQLite.
  private var wholePart: Int64 {
    let count = Int(integer(Int16.self, at: 0))
    let power = Int(integer(Int16.self, at: 2))
    let isNegative = integer(UInt16.self, at: 4) == 0x4000
    guard power >= 0, count > 0 else { return 0 }
    var sum: Int64 = 0
    for place in 0...power {
      let digit = place < count ? Int64(integer(Int16.self, at: 8 + 2 * place)) : 0
      // Downwards, because the least integer has no positive counterpart.
      let (product, overflows) = sum.multipliedReportingOverflow(by: 10_000)
      let (next, overflowsToo) = product.subtractingReportingOverflow(digit)
      guard !overflows, !overflowsToo else { return isNegative ? .min : .max }
      sum = next
    }
    if isNegative { return sum }
    return sum == .min ? .max : -sum
  }

  private static func number(in text: String) -> Int64 {
    let trimmed = text.drop { $0.isWhitespace }
    let sign = trimmed.prefix { $0 == "-" || $0 == "+" }.prefix(1)
    let digits = trimmed.dropFirst(sign.count).prefix { $0.isASCII && $0.isNumber }
    guard !digits.isEmpty else { return 0 }
    return Int64(sign + digits) ?? (sign == "-" ? .min : .max)
  }
}
