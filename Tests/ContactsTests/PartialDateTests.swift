// Birthdays as people know them.

import Foundation
import Testing

@testable import Contacts

@Suite("A2 dates with parts missing")
struct PartialDateTests {
  @Test(arguments: [
    ("1984-06-05", "1984-06-05"), ("19840605", "1984-06-05"), ("--06-05", "--06-05"),
    ("--0605", "--06-05"), ("1984-06", "1984-06"), ("1984", "1984"), ("--06", "--06"),
    ("---05", "---05"), ("2000-02-29", "2000-02-29"), ("--02-29", "--02-29"),
  ])
  func `every form is read and written in one`(text: String, written: String) {
    #expect(PartialDate(text)?.description == written)
  }

  @Test(arguments: [
    "", "1984-13-01", "1984-02-30", "1900-02-29", "0000-01-01", "1984-6-5", "yesterday",
    "1984-06-05T10:00:00Z", "٠٠٠١-٠١-٠١",
  ])
  func `what is no date is not read`(text: String) {
    #expect(PartialDate(text) == nil)
  }

  @Test func `a day is a date if the calendar has it`() {
    let calendar = Calendar(identifier: .gregorian)
    func exists(_ year: Int, _ month: Int, _ day: Int) -> Bool {
      DateComponents(calendar: calendar, year: year, month: month, day: day).isValidDate
    }
    func padded(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
    for year in [1900, 1984, 2023, 2000] {
      for month in 0...13 {
        for day in 0...32 {
          let text = "\(year)-\(padded(month))-\(padded(day))"
          let date = PartialDate(text)
          #expect((date != nil) == exists(year, month, day), "\(text)")
          #expect(date == nil || date?.description == text)
          #expect(PartialDate(text.filter { $0 != "-" }) == date, "\(text)")
          #expect(PartialDate(year: year, month: month, day: day) == date, "\(text)")
          guard year == 2000 else { continue }
          // Without a year, a day exists if it does in a leap year.
          #expect((PartialDate("-" + text.dropFirst(4)) != nil) == (date != nil), "\(text)")
        }
      }
    }
  }

  @Test func `every known part is written, and read again`() {
    for year in [nil, 1, 1604, 9999, 0, 10_000] {
      for month in [nil, 1, 12, 0, 13] {
        for day in [nil, 1, 31, 0, 32] {
          let isKnown = year != nil || month != nil || day != nil
          let isBroken = year != nil && month == nil && day != nil
          let isYear = year.map { (1...9999).contains($0) } ?? true
          let isMonth = month.map { (1...12).contains($0) } ?? true
          let isDay = day.map { (1...31).contains($0) } ?? true
          let date = PartialDate(year: year, month: month, day: day)
          let isDate = isKnown && !isBroken && isYear && isMonth && isDay
          #expect((date != nil) == isDate, "\([year, month, day])")
          guard let date else { continue }
          #expect(PartialDate(date.description) == date, "\(date)")
        }
      }
    }
  }
}
