// A date that may lack its year, as many known birthdays do, or other parts, as cards allow. A missing year
// is written as missing: 1604, which some programs write instead, is never stored in a contact.

/// A date with possibly unknown parts.
package struct PartialDate: Hashable, Sendable, CustomStringConvertible {
  /// 1 to 9999.
  package let year: Int?
  /// 1 to 12.
  package let month: Int?
  /// 1 to 31, and no more than the month has.
  package let day: Int?

  /// Creates a date from its parts; `nil` if there is none, a part does not exist, or only year and day are
  /// known, which no notation supports.
  package init?(year: Int?, month: Int?, day: Int?) {
    guard year != nil || month != nil || day != nil else { return nil }
    guard year == nil || month != nil || day == nil else { return nil }
    guard year.map((1...9999).contains) ?? true, month.map((1...12).contains) ?? true else {
      return nil
    }
    guard day.map((1...Self.days(year: year, month: month)).contains) ?? true else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// Parses `1984-06-05`, `19840605`, `--06-05`, `--0605`, `1984-06`, `1984`, `--06` or `---05`; `nil` for
  /// anything else, including a date with a time.
  package init?(_ text: String) {
    guard let parts = Self.parts(Array(text.utf8)) else { return nil }
    self.init(year: parts.year, month: parts.month, day: parts.day)
  }

  /// The date in ISO 8601, with hyphens for unknown parts: `--06-05`.
  package var description: String {
    let yearText = year.map { Self.padded($0, to: 4) }
    let monthText = month.map { Self.padded($0, to: 2) }
    let dayText = day.map { Self.padded($0, to: 2) }
    return switch (yearText, monthText, dayText) {
    case (let year?, let month?, let day?): "\(year)-\(month)-\(day)"
    case (let year?, let month?, nil): "\(year)-\(month)"
    case (let year?, nil, _): year
    case (nil, let month?, let day?): "--\(month)-\(day)"
    case (nil, let month?, nil): "--\(month)"
    case (nil, nil, let day): "---\(day ?? "")"
    }
  }

  private static func days(year: Int?, month: Int?) -> Int {
    switch month {
    case 2:
      guard let year else { return 29 }
      return year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        ? 29 : 28
    case 4, 6, 9, 11: return 30
    default: return 31
    }
  }

  private static func parts(_ text: [UInt8]) -> (year: Int?, month: Int?, day: Int?)? {
    let shape = text.map { isDigit($0) ? UInt8(ascii: "0") : $0 }
    func number(_ range: Range<Int>) -> Int {
      text[range].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
    return switch String(decoding: shape, as: UTF8.self) {
    case "0000-00-00": (number(0..<4), number(5..<7), number(8..<10))
    case "00000000": (number(0..<4), number(4..<6), number(6..<8))
    case "0000-00": (number(0..<4), number(5..<7), nil)
    case "0000": (number(0..<4), nil, nil)
    case "--00-00": (nil, number(2..<4), number(5..<7))
    case "--0000": (nil, number(2..<4), number(4..<6))
    case "--00": (nil, number(2..<4), nil)
    case "---00": (nil, nil, number(3..<5))
    default: nil
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
