// Birthdays as people know them.

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
}
