// Which days of a contact are celebrated.

import Contacts
import Records
import Testing

@testable import CardDAV

@Suite("D6 days that come every year")
struct YearlyOccasionTests {
  private func date(_ number: UInt128, _ label: String, _ value: String) -> LabeledValue {
    LabeledValue(
      id: EntryID(number), position: .between(nil, nil), label: label, value: value)
  }

  @Test(arguments: ["1984-06-05", "19840605", "--06-05", "--0605"])
  func `a date with a month and a day is one, with or without a year`(text: String) {
    let all = YearlyOccasion.all(of: Contact("Cora", birthday: text))
    #expect(all.map(\.kind) == [.birthday])
    #expect(all.map(\.month) == [6] && all.map(\.day) == [5])
    #expect(all.map(\.year) == [text.first == "-" ? nil : 1984])
  }

  @Test(arguments: ["", "1984", "1984-06", "--06", "---05", "1984-02-30", "in June"])
  func `a date that does not say when to celebrate is none`(text: String) {
    #expect(YearlyOccasion.all(of: Contact("Cora", birthday: text)).isEmpty)
  }

  @Test func `anniversaries of other programs are dates with this label`() {
    var contact = Contact("Cora")
    contact.dates = [
      date(1, "Anniversary", "2010-09-18"), date(2, "moved in", "2011-01-01"),
      date(3, "anniversary", "soon"),
    ]
    #expect(YearlyOccasion.all(of: contact).map(\.word) == [EntryID(1).description])
  }

  @Test func `an anniversary that is stored twice is celebrated once`() {
    var contact = Contact("Cora", birthday: "2010-09-18")
    contact.anniversary = "2010-09-18"
    contact.dates = [date(1, "anniversary", "2010-09-18"), date(2, "anniversary", "2012-09-18")]
    let all = YearlyOccasion.all(of: contact)
    #expect(all.map(\.word) == ["birthday", "anniversary", EntryID(2).description])
  }
}
