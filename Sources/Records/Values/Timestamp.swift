// Times are for display; revisions determine order. RFC 3339 is formatted and parsed here without
// Foundation, which the cores must not import.

/// A point in time, in microseconds since 1970-01-01T00:00:00Z.
package struct Timestamp: Hashable, Comparable, Sendable {
  /// Microseconds since 1970; negative for earlier times.
  package let microseconds: Int64

  package init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  package static func < (left: Self, right: Self) -> Bool {
    left.microseconds < right.microseconds
  }

  /// Returns the time `seconds` later, clamped to the representable range.
  package func adding(seconds: Int64) -> Self {
    // NB: the product may exceed 64 bits although the sum does not.
    let sum = Int128(microseconds) + Int128(seconds) * 1_000_000
    return Self(microseconds: Int64(clamping: sum))
  }
}

extension Timestamp: CustomStringConvertible {
  /// The time as RFC 3339 in UTC, with only the decimals it needs: `2026-11-21T03:24:31.5Z`.
  package var description: String {
    let days = floorDivide(microseconds, 86_400_000_000)
    // NB: `microseconds - days * …` would overflow on the first representable day.
    let rest = (microseconds % 86_400_000_000 + 86_400_000_000) % 86_400_000_000
    let seconds = rest / 1_000_000
    var text = CivilDate(daysSince1970: days).description
    // NB: written digit by digit for speed, because each contact in a list has two times.
    for (mark, number) in [("T", seconds / 3600), (":", seconds / 60 % 60), (":", seconds % 60)] {
      text += mark
      text.append(number, digits: 2)
    }
    var (fraction, digits) = (rest % 1_000_000, 6)
    if fraction != 0 {
      while fraction % 10 == 0 { (fraction, digits) = (fraction / 10, digits - 1) }
      text += "."
      text.append(fraction, digits: digits)
    }
    return text + "Z"
  }
}

/// A date of the proleptic Gregorian calendar, without a time zone.
package struct CivilDate: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The year; year 0 is 1 BC.
  package let year: Int64
  /// The month, 1 to 12.
  package let month: Int64
  /// The day of the month, 1 to 31.
  package let day: Int64

  /// Creates the date `days` days after 1970-01-01. Computes with 400-year eras that begin on 1
  /// March, so that a leap day is the last day of its year.
  package init(daysSince1970 days: Int64) {
    let shifted = days + 719_468
    let era = floorDivide(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  package static func < (left: Self, right: Self) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }

  /// The date as `2026-11-21`.
  package var description: String {
    var text = year < 0 ? "-" : ""
    text.append(abs(year), digits: 4)
    text += "-"
    text.append(month, digits: 2)
    text += "-"
    text.append(day, digits: 2)
    return text
  }
}

private func floorDivide(_ dividend: Int64, _ divisor: Int64) -> Int64 {
  let quotient = dividend / divisor
  return dividend % divisor < 0 ? quotient - 1 : quotient
}

extension String {
  /// Appends a non-negative number, padded with zeros to `digits` digits.
  fileprivate mutating func append(_ number: Int64, digits: Int) {
    if number >= 10 || digits > 1 { append(number / 10, digits: digits - 1) }
    unicodeScalars.append(Unicode.Scalar(UInt8(ascii: "0") + UInt8(number % 10)))
  }
}
