// A day that may lack its year, as most birthdays people know; or lack more, as cards allow. No
// year is written as no year: 1604, which some programs put there instead, never reaches a contact.

/// A date of which parts may be unknown.
package struct PartialDate: Hashable, Sendable, CustomStringConvertible {
  /// 1 to 9999.
  package let year: Int?
  /// 1 to 12.
  package let month: Int?
  /// 1 to 31, and no more than the month has.
  package let day: Int?

  /// The date with these parts; `nil` if there is none, the parts do not exist, or only year and
  /// day are known, which no calendar writes.
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

  /// Reads `1984-06-05`, `19840605`, `--06-05`, `--0605`, `1984-06`, `1984`, `--06` or `---05`;
  /// `nil` for anything else, a time behind it included.
  package init?(_ text: String) {
    guard let parts = Self.parts(Array(text.utf8)) else { return nil }
    self.init(year: parts.year, month: parts.month, day: parts.day)
  }

  /// As ISO 8601 writes it, with hyphens in the place of what is unknown: `--06-05`.
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
