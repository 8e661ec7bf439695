// Names, and which of their parts lead.

import Records
import Testing

@testable import Contacts

@Suite("A2, A3 contact names")
struct ContactNameTests {
  private let zed = Contact(
    id: RecordName(stored: "1"), firstName: "Zed", lastName: "Adams", company: "Acme")

  @Test func `a list shows first and last name, else the company`() {
    #expect(ContactName(zed).displayName == "Zed Adams")
    let eco = Contact(id: RecordName(stored: "2"), company: " Eco Ltd ")
    #expect(ContactName(eco).displayName == "Eco Ltd")
    let cora = Contact(id: RecordName(stored: "3"), firstName: "Cora", company: "Acme")
    #expect(ContactName(cora).displayName == "Cora")
  }

  @Test func `the sort name has the parts in the chosen order`() {
    let name = ContactName(zed)
    #expect(name.sortName(.last) == "Adams Zed Acme")
    #expect(name.sortName(.first) == "Zed Adams Acme")
    #expect(name.sortName(.company) == "Acme Adams Zed")
  }

  @Test func `how a name is said leads where somebody gave it`() {
    var contact = Contact(id: RecordName(stored: "4"), firstName: "太郎", lastName: "山田")
    contact.phoneticFirstName = "たろう"
    contact.phoneticLastName = "やまだ"
    #expect(ContactName(contact).parts(.last) == ["やまだ", "たろう"])
    #expect(ContactName(contact).displayName == "太郎 山田")
  }

  @Test func `without any name the typed one, the nickname, the first e-mail or phone is shown`() {
    let entry = LabeledValue(
      id: EntryID(1), position: .between(nil, nil), label: "", value: "x@example.com")
    var contact = Contact(id: RecordName(stored: "7"), emails: [entry])
    #expect(ContactName(contact).displayName == "x@example.com")
    contact.nickname = "Ex"
    #expect(ContactName(contact).displayName == "Ex")
    contact.displayName = "Mr X"
    #expect(ContactName(contact).displayName == "Mr X")
    #expect(ContactName(Contact(id: RecordName(stored: "8"))).displayName.isEmpty)
  }
}
