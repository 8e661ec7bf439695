import PredicateWorld
import Records
import Testing

@Suite("B1 dates of the Gregorian calendar")
struct CivilDateTests {
  /// A date and its number of days since 1970-01-01.
  private struct Day {
    var days: Int64
    var year: Int64
    var month: Int64
    var day: Int64
  }

  private static func isLeap(_ year: Int64) -> Bool {
    year % 400 == 0 || year % 4 == 0 && year % 100 != 0
  }

  private static func length(_ month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The first days of all months of 400 years from 1970, counted month by month. After 400 years the
  /// calendar repeats, 146,097 days later.
  private static let months: [Day] = {
    var months: [Day] = []
    var first = Day(days: 0, year: 1970, month: 1, day: 1)
    while first.year < 2370 {
      months.append(first)
      first.days += length(first.month, of: first.year)
      first.month += 1
      if first.month == 13 { (first.year, first.month) = (first.year + 1, 1) }
    }
    return months
  }()

  /// Returns what is wrong with the conversions of a day, if anything.
  private func fault(_ day: Day) -> String? {
    let date = CivilDate(daysSince1970: day.days)
    guard date.year == day.year, date.month == day.month, date.day == day.day else {
      return "\(day) became \(date)"
    }
    let days = CivilDate.daysSince1970(year: day.year, month: day.month, day: day.day)
    return days == day.days ? nil : "\(day) is day \(days.map(String.init) ?? "none")"
  }

  @Test func `the first and last day of every month in 400 years is converted both ways`() {
    #expect(Self.months.count == 4800)
    var faults: [String] = []
    for first in Self.months {
      var last = first
      last.day = Self.length(first.month, of: first.year)
      last.days += last.day - 1
      faults += [fault(first), fault(last)].compactMap(\.self)
    }
    #expect(faults.isEmpty)
  }

  @Test(arguments: [-731, -6, -5, -1, 0, 1, 5, 20, 730] as [Int64])
  func `the calendar repeats every 400 years, before year 0 as well`(era: Int64) {
    var random = RandomValues(seed: UInt64(bitPattern: era))
    var faults: [String] = []
    for _ in 0..<300 {
      var day = random.generator.one(of: Self.months)
      let ahead = Int64(random.generator.below(Int(Self.length(day.month, of: day.year))))
      day.days += ahead + era * 146_097
      day.day += ahead
      day.year += era * 400
      if let fault = fault(day) { faults.append(fault) }
    }
    #expect(faults.isEmpty)
  }

  @Test(arguments: [-400, -4, -1, 0, 4, 1900, 1970, 2000, 2024, 2025, 2100] as [Int64])
  func `a date exists if its month has that many days`(year: Int64) {
    for month in -1...14 as ClosedRange<Int64> {
      for day in -1...33 as ClosedRange<Int64> {
        let exists =
          (1...12).contains(month) && day >= 1 && day <= Self.length(month, of: year)
        let days = CivilDate.daysSince1970(year: year, month: month, day: day)
        #expect((days != nil) == exists, "\(year)-\(month)-\(day)")
      }
    }
  }

  @Test func `dates are in the order of their days`() {
    let days = [-719_529, -719_528, -1, 0, 30, 31, 58, 59, 364, 365, 11_016] as [Int64]
    let dates = days.map { CivilDate(daysSince1970: $0) }
    for (left, one) in zip(days, dates) {
      for (right, other) in zip(days, dates) {
        #expect((one < other) == (left < right))
        #expect((one == other) == (left == right))
      }
    }
  }

  @Test func `a year has at least four digits, and a sign before year 0`() {
    #expect(CivilDate(daysSince1970: -719_528).description == "0000-01-01")
    #expect(CivilDate(daysSince1970: -719_529).description == "-0001-12-31")
    #expect(CivilDate(daysSince1970: 2_932_896).description == "9999-12-31")
    #expect(CivilDate(daysSince1970: 2_932_897).description == "10000-01-01")
  }
}
