// Words in any field, phones in any written form.

import Records
import Testing

@testable import Contacts

@Suite("C10 search")
struct ContactSearchTests {
  let text = ContactSearch.text(
    of: Contact(
      id: RecordName(stored: "c"), firstName: "Élodie", company: "Waterfall Ltd",
      phones: [
        LabeledValue(
          id: EntryID(1), position: .between(nil, nil), label: "home", value: "+1 (555) 010-0199")
      ]))

  @Test(arguments: ["elodie", "FALL", "élo water", "555 010", "5550100199", "010-01", "home"])
  func `what is there is found`(query: String) {
    #expect(ContactSearch.matches(ContactSearch.words(of: query), text: text))
  }

  @Test(arguments: ["elodie smith", "556", "work"])
  func `what is not there is not`(query: String) {
    #expect(!ContactSearch.matches(ContactSearch.words(of: query), text: text))
  }

  @Test func `a sign that stands for more than nine brings nothing down`() {
    let odd = Contact(
      id: RecordName(stored: "c"), firstName: "Mei",
      phones: [
        LabeledValue(id: EntryID(1), position: .between(nil, nil), label: "", value: "十Ⅻ㉈ 7")
      ])
    #expect(ContactSearch.text(of: odd).contains("7"))
  }
}
