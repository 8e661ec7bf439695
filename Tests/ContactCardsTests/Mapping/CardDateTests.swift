import Contacts
import Testing

@testable import ContactCards

@Suite("A2 dates of cards")
struct CardDateTests {
  @Test(arguments: CardVersion.allCases)
  func `every date is read as it was written`(version: CardVersion) {
    let years: [Int?] = [nil, 1, 999, 1600, 1603, 1605, 1900, 1984, 2000, 9999]
    let months: [Int?] = [nil, 1, 2, 10, 12]
    let days: [Int?] = [nil, 1, 9, 29, 30, 31]
    var count = 0
    for year in years {
      for month in months {
        for day in days {
          guard let date = PartialDate(year: year, month: month, day: day) else { continue }
          count += 1
          let property = CardDate.property("BDAY", date.description, version)
          let omitted = property.value(of: "X-APPLE-OMIT-YEAR")
          let read = CardDate.read(property.value, omittedYear: omitted)
          #expect(read?.date == date && read?.isExact == true, "\(date) \(property.value)")
          // No other program shows a wrong year: only 3.0 and 2.1, which cannot omit it, have one.
          let hasYear = !property.value.hasPrefix("-")
          let isOmitted = version != .four && month != nil && day != nil && year == nil
          #expect(hasYear == (year != nil || isOmitted), "\(date) \(property.value)")
          #expect((omitted != nil) == isOmitted)
        }
      }
    }
    #expect(count > 150)
  }

  @Test(arguments: [
    ("1984-06-05T10:00", nil, "1984-06-05", false), ("1984-06-05 10:00", nil, "1984-06-05", false),
    (" 1984-06-05 ", nil, "1984-06-05", true), ("19840605t", nil, "1984-06-05", false),
    ("1604-06-05", nil, "--06-05", true), ("1700-06-05", "1700", "--06-05", true),
    ("1604-06-05", "1700", "--06-05", true), ("1700-06-05", "1604", "1700-06-05", true),
    ("1700-06-05", "x", "1700-06-05", true), ("0000-06-05", nil, "--06-05", true),
    ("00000605", nil, "--06-05", true), ("1604-06", nil, "--06", true),
  ])
  func `a time is set aside, and a year that is none is omitted`(
    text: String, omitted: String?, date: String, isExact: Bool
  ) {
    let read = CardDate.read(text, omittedYear: omitted)
    #expect(read?.date.description == date)
    #expect(read?.isExact == isExact)
  }

  @Test(arguments: ["", "T", "soon", "1604", "0000", "0000-13-01", "1984-02-30", "0000-00-00"])
  func `what names no day, month or year is no date`(text: String) {
    #expect(CardDate.read(text, omittedYear: nil) == nil)
  }

  @Test func `a text that is no date is written as one, and says so in 4.0`() {
    for version in CardVersion.allCases {
      let property = CardDate.property("BDAY", "about 1800, or so", version)
      #expect(property.value == "about 1800\\, or so")
      #expect(property.value(of: "VALUE") == (version == .four ? "text" : nil))
    }
  }
}
