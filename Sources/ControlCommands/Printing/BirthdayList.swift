// Birthdays in the order in which they come next. Today's date is a parameter, so that the order can be tested.

import AgentAPI
import Contacts
import Glibc

/// A day of the Gregorian calendar.
struct CalendarDay: Comparable, Hashable, Sendable {
  let year: Int
  let month: Int
  let day: Int

  /// The day of a moment in the user's time zone.
  init(of moment: time_t) {
    let parts = LocalTime.parts(of: moment)
    self.init(
      year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday))
  }

  init(year: Int, month: Int, day: Int) {
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// The day in ISO 8601.
  var text: String { PartialDate(year: year, month: month, day: day)?.description ?? "" }

  static func < (left: Self, right: Self) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }
}

/// Contacts with a birthday, the next one first.
enum BirthdayList {
  /// A contact and the day of its next birthday.
  struct Birthday: Sendable {
    let item: ContactPages.Item
    let next: CalendarDay

    /// The contact's JSON with the additional member `nextBirthday`.
    var json: [UInt8] {
      Array("{\"nextBirthday\":\"\(next.text)\",".utf8) + item.json.dropFirst()
    }
  }

  /// Returns the contacts whose birthday has a month and a day, with or without a year. Those on the same day
  /// keep their order.
  static func sorted(_ items: [ContactPages.Item], from today: CalendarDay) -> [Birthday] {
    items.compactMap { item in
      item.line.birthday.flatMap(PartialDate.init(_:)).flatMap { next($0, from: today) }
        .map { Birthday(item: item, next: $0) }
    }
    .enumerated()
    .sorted { ($0.element.next, $0.offset) < ($1.element.next, $1.offset) }
    .map(\.element)
  }

  /// Returns the first day from `today` on which `birthday` is celebrated; `nil` if its month or day is unknown.
  /// In common years, February 29 is celebrated on February 28, so that it stays in its month.
  static func next(_ birthday: PartialDate, from today: CalendarDay) -> CalendarDay? {
    guard let month = birthday.month, let day = birthday.day else { return nil }
    return [today.year, today.year + 1].lazy
      .map { year in
        let exists = PartialDate(year: year, month: month, day: day) != nil
        return CalendarDay(year: year, month: month, day: exists ? day : 28)
      }
      .first { $0 >= today }
  }
}
