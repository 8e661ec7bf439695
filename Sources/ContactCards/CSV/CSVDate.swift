// Dates of tables. Programs write them as the user's system does, which the language of the columns tells.

import Contacts
import Records

/// The order in which a table has the parts of a date.
struct CSVDate: Hashable, Sendable {
  /// Whether the day comes before the month, where neither the sign between them nor their values tell.
  let isDayFirst: Bool

  /// The order in tables of a language (BCP 47); `nil` for one that is unknown, which is read as American.
  init(language: String?) {
    isDayFirst = language.map { $0 != "en" && $0 != "ja" } ?? false
  }

  /// A date, and whether its day and month could be each other.
  struct Reading: Hashable, Sendable {
    let date: PartialDate
    let isGuessed: Bool
  }

  /// Returns the date in `text`; `nil` if it is none with a whole year.
  func read(_ text: String) -> Reading? {
    guard let numbers = Self.numbers(text) else { return nil }
    if numbers[0] > 31 {
      return PartialDate(year: numbers[0], month: numbers[1], day: numbers[2]).map {
        Reading(date: $0, isGuessed: false)
      }
    }
    let hasPoints = text.contains(".")
    let isDayFirst = numbers[1] > 12 ? false : numbers[0] > 12 || hasPoints || isDayFirst
    let (day, month) = isDayFirst ? (numbers[0], numbers[1]) : (numbers[1], numbers[0])
    return PartialDate(year: numbers[2], month: month, day: day).map {
      Reading(date: $0, isGuessed: !hasPoints && max(day, month) <= 12 && day != month)
    }
  }

  /// Returns the three numbers of a text that could be a date with a whole year; otherwise `nil`.
  static func numbers(_ text: String) -> [Int]? {
    guard let separator = text.first(where: { !$0.isNumber }), "./-".contains(separator) else {
      return nil
    }
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    let numbers = parts.compactMap {
      $0.trimmingBlanks().count <= 4 ? Int($0.trimmingBlanks()) : nil
    }
    guard parts.count == 3, numbers.count == 3, numbers.contains(where: { $0 > 99 }) else {
      return nil
    }
    return numbers
  }

  /// Whether `text` is how Outlook writes that there is no date: `0/0/00`.
  static func isNone(_ text: String) -> Bool {
    let parts = text.split { "./-".contains($0) }
    return parts.count == 3 && parts.allSatisfy { Int($0) == 0 }
  }
}
