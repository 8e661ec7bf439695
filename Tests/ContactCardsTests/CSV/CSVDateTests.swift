import Contacts
import Records
import Testing

@testable import ContactCards

@Suite("F2 dates of tables")
struct CSVDateTests {
  @Test(arguments: [
    ("en", "4/1/1981", "1981-04-01", true), ("fr", "4/1/1981", "1981-01-04", true),
    ("fr", "1/13/1981", "1981-01-13", false), ("en", "13/1/1981", "1981-01-13", false),
    ("en", "4.1.1981", "1981-01-04", false), ("nl", "4-1-1981", "1981-01-04", true),
    ("ja", "1981/4/1", "1981-04-01", false), ("sv", "1981-4-1", "1981-04-01", false),
    ("en", "4/4/1981", "1981-04-04", false),
  ])
  func `the language of the columns says which number is the day`(
    language: String, text: String, date: String, isGuessed: Bool
  ) {
    let read = CSVDate(language: language).read(text)
    #expect(read?.date.description == date)
    #expect(read?.isGuessed == isGuessed)
  }

  @Test(arguments: ["", "4/1", "4/1/81", "4/1.1981", "31/31/1981", "a/b/1981", "4/1/1981/2"])
  func `what is no date is none`(text: String) {
    #expect(CSVDate(language: nil).read(text) == nil)
  }

  @Test(arguments: ["0/0/00", "0.0.00", "00/0/0", "0-0-00", "0/0/0000"])
  func `zeros are no date`(text: String) {
    #expect(CSVDate.isNone(text))
  }
}
