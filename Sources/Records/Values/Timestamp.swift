// Microseconds since 1970 in UTC. Times decorate; revisions order. Written and read as RFC 3339
// here, without Foundation, because the cores and the hot paths may not import it.

/// A moment, in microseconds since 1970-01-01T00:00:00Z.
package struct Timestamp: Hashable, Comparable, Sendable {
  /// Microseconds since 1970; negative before.
  package let microseconds: Int64

  /// The moment `microseconds` after 1970 began.
  package init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  package static func < (left: Self, right: Self) -> Bool {
    left.microseconds < right.microseconds
  }

  /// The moment `seconds` later; stays at the last one that can be said.
  package func adding(seconds: Int64) -> Self {
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
    let (sum, carry) = microseconds.addingReportingOverflow(product)
    guard !overflow, !carry else {
      return Self(microseconds: seconds < 0 ? .min : .max)
    }
    return Self(microseconds: sum)
  }
}

extension Timestamp: CustomStringConvertible {
  /// RFC 3339 in UTC, with as many decimals as are needed: `2026-11-21T03:24:31.5Z`.
  package var description: String {
    let days = floorDivide(microseconds, 86_400_000_000)
    // NB: not `microseconds - days * …`, which overflows on the first day that can be said.
    let rest = (microseconds % 86_400_000_000 + 86_400_000_000) % 86_400_000_000
    let seconds = rest / 1_000_000
    var text = CivilDate(daysSince1970: days).description
    // NB: written digit by digit, because a list of contacts has two times each.
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

/// A day of the Gregorian calendar, extended backwards, without a time zone.
package struct CivilDate: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The year; year 0 is 1 BC.
  package let year: Int64
  /// 1 to 12.
  package let month: Int64
  /// 1 to 31.
  package let day: Int64

  /// The day so many days after 1970-01-01. Works in 400-year eras that begin on 1 March, so that
  /// the leap day is an era's last.
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

  /// `2026-11-21`.
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
  /// Appends a number that is not negative with at least so many digits.
  fileprivate mutating func append(_ number: Int64, digits: Int) {
    if number >= 10 || digits > 1 { append(number / 10, digits: digits - 1) }
    unicodeScalars.append(Unicode.Scalar(UInt8(ascii: "0") + UInt8(number % 10)))
  }
}
