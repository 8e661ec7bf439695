// Dates in cards: with hyphens in 3.0, without in 4.0; some programs add a time, and Apple's write 1604 for a
// missing year, with or without a parameter that states it.

import Contacts
import Records

enum CardDate {
  /// Parses a date; returns also whether `text` contains nothing else.
  static func read(_ text: String, omittedYear: String?) -> (date: PartialDate, isExact: Bool)? {
    let trimmed = text.trimmingBlanks()
    let day = trimmed.prefix { $0 != "T" && $0 != "t" && $0 != " " }
    let isExact = day.count == trimmed.count
    if let date = PartialDate(String(day)) {
      let omitted = omittedYear.flatMap { Int($0) } ?? 1604
      guard date.year == omitted || date.year == 1604 else { return (date, isExact) }
      return PartialDate(year: nil, month: date.month, day: date.day).map { ($0, isExact) }
    }
    // A year of zeros means a missing year too.
    guard day.hasPrefix("0000") else { return nil }
    let rest = day.dropFirst(4).filter { $0 != "-" }
    return PartialDate("--" + rest).map { ($0, isExact) }
  }

  /// Whether a value is a date with its year, month and day, as version 3.0 requires, and perhaps a time.
  static func isWhole(_ value: String) -> Bool {
    let date = PartialDate(String(value.prefix { $0 != "T" && $0 != "t" && $0 != " " }))
    return date.map { $0.day != nil && $0.year != nil } ?? false
  }

  /// A date with a time, or without. NB: unsafe, because a regex is not `Sendable`; it never changes.
  private nonisolated(unsafe) static let dateTime =
    /(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d):?(\d\d)(?::?(\d\d))?(\.\d+)?(Z)?(?:([+-]\d\d)(?::?(\d\d))?)?)?/

  /// Returns a date, with or without a time, in the form of a version: ISO 8601's extended form in 3.0, its basic form in 4.0.
  /// Returns other values unchanged.
  static func withTime(_ value: String, in version: CardVersion) -> String {
    guard let match = value.wholeMatch(of: dateTime) else { return value }
    let (_, year, month, day, hour, minute, second, fraction, zulu, zone, zoneMinute) = match.output
    guard PartialDate("\(year)-\(month)-\(day)") != nil else { return value }
    let (dash, colon) = version == .four ? ("", "") : ("-", ":")
    let date = "\(year)\(dash)\(month)\(dash)\(day)"
    guard let hour, let minute else { return date }
    let seconds = (second.map { colon + $0 } ?? "") + (fraction ?? "")
    let offset = (zulu ?? "") + (zone ?? "") + (zoneMinute.map { colon + $0 } ?? "")
    return "\(date)T\(hour)\(colon)\(minute)\(seconds)\(offset)"
  }

  /// Returns the property for `text`, a date in the form of `PartialDate` or any other text.
  static func property(_ name: String, _ text: String, _ version: CardVersion) -> CardProperty {
    guard let date = PartialDate(text) else {
      let value = CardText.escaped(text)
      guard version == .four else { return CardProperty(name: name, value: value) }
      return CardProperty(
        name: name, parameters: [CardParameter("VALUE", ["text"])], value: value)
    }
    if version != .four, date.year == nil, date.month != nil, date.day != nil {
      return CardProperty(
        name: name, parameters: [CardParameter("X-APPLE-OMIT-YEAR", ["1604"])],
        value: "1604" + date.description.dropFirst())
    }
    guard version == .four else { return CardProperty(name: name, value: text) }
    let leading = text.prefix { $0 == "-" }
    let digits = text.dropFirst(leading.count)
    // NB: The standard retains the hyphen of a year and a month: 1984-06.
    let value = date.day == nil ? String(digits) : digits.filter { $0 != "-" }
    return CardProperty(name: name, value: String(leading) + value)
  }
}
