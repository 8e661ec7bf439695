// Parses RFC 3339 times, the format of a timestamp's description, without Foundation. A date that
// does not exist, such as 30 February, is rejected and not carried over into the next month.

extension Timestamp: LosslessStringConvertible {
  /// Parses an RFC 3339 time such as `2026-11-21T08:50:00.5Z` or `…+01:00`. A date alone means
  /// midnight UTC. Digits beyond microseconds are truncated. Returns `nil` for any other text.
  package init?(_ text: String) {
    var digits = TimeDigits(Array(text.utf8))
    guard let year = digits.number(4), digits.accept("-"), let month = digits.number(2),
      digits.accept("-"), let day = digits.number(2),
      let days = CivilDate.daysSince1970(year: year, month: month, day: day)
    else { return nil }
    var microseconds = days * 86_400_000_000
    if !digits.isAtEnd {
      guard digits.accept("T") || digits.accept("t") || digits.accept(" "),
        let time = digits.timeOfDay(), digits.isAtEnd
      else { return nil }
      microseconds += time
    }
    self.init(microseconds: microseconds)
  }
}

extension CivilDate {
  /// Returns the days from 1970-01-01 to a Gregorian date, or `nil` if the date does not exist.
  package static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64? {
    guard (1...12).contains(month), day >= 1 else { return nil }
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let days = era * 146_097 + dayOfEra - 719_468
    let back = CivilDate(daysSince1970: days)
    return back.month == month && back.day == day ? days : nil
  }
}

/// A cursor over the bytes of a time.
private struct TimeDigits {
  private let bytes: [UInt8]
  private var index = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { index == bytes.count }

  /// Advances past `sign` if it is the next byte. Returns whether it was.
  mutating func accept(_ sign: Unicode.Scalar) -> Bool {
    guard index < bytes.count, bytes[index] == UInt8(ascii: sign) else { return false }
    index += 1
    return true
  }

  mutating func number(_ count: Int) -> Int64? {
    var value: Int64 = 0
    for _ in 0..<count {
      guard let digit = digit() else { return nil }
      value = value * 10 + digit
    }
    return value
  }

  /// Returns the microseconds since midnight UTC, with the time zone offset subtracted.
  mutating func timeOfDay() -> Int64? {
    guard let hour = number(2), accept(":"), let minute = number(2), accept(":"),
      let second = number(2), hour < 24, minute < 60, second < 60
    else { return nil }
    var microseconds = ((hour * 60 + minute) * 60 + second) * 1_000_000
    if accept(".") {
      guard let fraction = fraction() else { return nil }
      microseconds += fraction
    }
    if accept("Z") || accept("z") { return microseconds }
    let isWest = accept("-")
    guard isWest || accept("+"), let hours = number(2), accept(":"), let minutes = number(2),
      hours < 24, minutes < 60
    else { return nil }
    let offset = (hours * 60 + minutes) * 60_000_000
    return isWest ? microseconds + offset : microseconds - offset
  }

  private mutating func fraction() -> Int64? {
    guard var value = digit() else { return nil }
    var count = 1
    while let digit = digit() {
      if count < 6 { value = value * 10 + digit }
      count += 1
    }
    while count < 6 {
      value *= 10
      count += 1
    }
    return value
  }

  private mutating func digit() -> Int64? {
    guard index < bytes.count, bytes[index] &- UInt8(ascii: "0") < 10 else { return nil }
    defer { index += 1 }
    return Int64(bytes[index] - UInt8(ascii: "0"))
  }
}
