// The date in headers and properties (RFC 9110, section 5.6.7), without the formatters of Foundation, which need data
// that installed programs do not have.

import Records

/// Writes dates as HTTP does.
package enum HTTPDate {
  private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Returns a time as `Sun, 06 Nov 1994 08:49:37 GMT`.
  package static func text(_ time: Timestamp) -> String {
    let seconds = Int64((Double(time.microseconds) / 1_000_000).rounded(.down))
    let days = (Double(seconds) / 86_400).rounded(.down)
    let date = CivilDate(daysSince1970: Int64(days))
    let rest = seconds - Int64(days) * 86_400
    // 1970-01-01 was a Thursday.
    let weekday = weekdays[Int((Int64(days) % 7 + 7) % 7)]
    let clock = [rest / 3600, rest / 60 % 60, rest % 60].map(digits).joined(separator: ":")
    return
      "\(weekday), \(digits(date.day)) \(months[Int(date.month) - 1]) \(date.year) \(clock) GMT"
  }

  private static func digits(_ number: Int64) -> String {
    (number < 10 ? "0" : "") + String(number)
  }
}
