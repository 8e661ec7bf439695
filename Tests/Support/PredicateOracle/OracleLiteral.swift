/// Reads numbers and the functions that make values: `date('…')`, `location(…)` and the others.
enum OracleLiteral {
  static func number(_ digits: String) throws -> OracleValue {
    if let whole = Int64(digits) { return .whole(whole) }
    guard digits.contains(where: { $0 == "." || $0 == "e" }), let real = Double(digits),
      real.isFinite
    else { throw OracleError("\(digits) is no number") }
    return .real(real)
  }

  static func call(_ function: String, _ arguments: [OracleValue]) throws -> OracleValue {
    switch (function, arguments.count) {
    case ("date", 1): return try moment(arguments[0])
    case ("bytes", 1):
      if case .text(let digits) = arguments[0] { return .bytes(try bytes(digits)) }
    case ("reference", 1):
      if case .text(let name) = arguments[0] { return .reference(name) }
    case ("location", 2):
      return .place(try real(arguments[0]), try real(arguments[1]))
    case ("asset", 2):
      if case .text(let digits) = arguments[0], case .whole(let size) = arguments[1] {
        return .asset(try bytes(digits), UInt64(size))
      }
    default: break
    }
    throw OracleError("no function \(function)")
  }

  private static func real(_ value: OracleValue) throws -> Double {
    switch value {
    case .whole(let number): return Double(number)
    case .real(let number): return number
    default: throw OracleError("a number expected")
    }
  }

  private static func bytes(_ digits: String) throws -> [UInt8] {
    let values = try digits.unicodeScalars.map { digit in
      guard let value = Int(String(digit), radix: 16) else { throw OracleError("no byte") }
      return value
    }
    guard values.count.isMultiple(of: 2) else { throw OracleError("half a byte") }
    return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] * 16 + values[$0 + 1]) }
  }

  private static func moment(_ value: OracleValue) throws -> OracleValue {
    switch value {
    case .whole(let microseconds): return .moment(microseconds)
    case .text(let text): return .moment(try microseconds(Array(text.unicodeScalars)))
    default: throw OracleError("a date expected")
    }
  }

  /// Reads `2026-11-21`, or `2026-11-21T08:50:00` with up to six decimals and `Z` or an offset.
  private static func microseconds(_ text: [Unicode.Scalar]) throws -> Int64 {
    func number(_ range: Range<Int>) throws -> Int64 {
      guard range.upperBound <= text.count,
        let number = Int64(String(String.UnicodeScalarView(text[range])))
      else { throw OracleError("no date") }
      return number
    }
    let days = try days(year: number(0..<4), month: number(5..<7), day: number(8..<10))
    guard text.count > 10 else { return days * 86_400_000_000 }
    let seconds = try days * 86400 + number(11..<13) * 3600 + number(14..<16) * 60 + number(17..<19)
    let decimals = text[19...].first == "." ? text[20...].prefix { ("0"..."9").contains($0) } : []
    let micros = String(String.UnicodeScalarView(decimals)).padding(6)
    let zone = decimals.isEmpty ? 19 : 20 + decimals.count
    var offset: Int64 = 0
    if text[zone] != "Z" {
      offset = try number(zone + 1..<zone + 3) * 3600 + number(zone + 4..<zone + 6) * 60
      if text[zone] == "-" { offset.negate() }
    }
    return (seconds - offset) * 1_000_000 + (Int64(micros) ?? 0)
  }

  /// Returns the days since 1970, counted year by year and month by month.
  private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    func isLeap(_ year: Int64) -> Bool {
      year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    }
    let years = year < 1970 ? Array(year..<1970) : Array(1970..<year)
    let whole: Int64 = years.reduce(0) { $0 + (isLeap($1) ? 366 : 365) }
    let lengths: [Int64] = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    let before = lengths.prefix(Int(month) - 1).reduce(0, +)
    return (year < 1970 ? -whole : whole) + before + day - 1
  }
}

extension String {
  fileprivate func padding(_ count: Int) -> String {
    self + String(repeating: "0", count: count - utf8.count)
  }
}
