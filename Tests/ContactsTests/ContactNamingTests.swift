// Names, and which of their parts lead.

import Records
import Testing

@testable import Contacts

@Suite("A2, A3 contact naming")
struct ContactNamingTests {
  private let zed = Contact(
    id: RecordName(stored: "1"), firstName: "Zed", lastName: "Adams", company: "Acme")

  @Test func `a list shows first and last name, else the company`() {
    #expect(ContactNaming(zed).displayName == "Zed Adams")
    let eco = Contact(id: RecordName(stored: "2"), company: " Eco Ltd ")
    #expect(ContactNaming(eco).displayName == "Eco Ltd")
    let cora = Contact(id: RecordName(stored: "3"), firstName: "Cora", company: "Acme")
    #expect(ContactNaming(cora).displayName == "Cora")
  }

  @Test func `the sort name has the parts in the chosen order`() {
    let naming = ContactNaming(zed)
    #expect(naming.sortName(.last) == "Adams Zed Acme")
    #expect(naming.sortName(.first) == "Zed Adams Acme")
    #expect(naming.sortName(.company) == "Acme Adams Zed")
  }

  @Test func `how a name is said leads where somebody gave it`() {
    var contact = Contact(id: RecordName(stored: "4"), firstName: "太郎", lastName: "山田")
    contact.phoneticFirstName = "たろう"
    contact.phoneticLastName = "やまだ"
    #expect(ContactNaming(contact).parts(.last) == ["やまだ", "たろう"])
    #expect(ContactNaming(contact).displayName == "太郎 山田")
  }

  @Test func `without any name the typed one, the nickname, the first e-mail or phone is shown`() {
    let entry = LabeledValue(
      id: EntryID(1), position: .between(nil, nil), label: "", value: "x@example.com")
    var contact = Contact(id: RecordName(stored: "7"), emails: [entry])
    #expect(ContactNaming(contact).displayName == "x@example.com")
    contact.nickname = "Ex"
    #expect(ContactNaming(contact).displayName == "Ex")
    contact.displayName = "Mr X"
    #expect(ContactNaming(contact).displayName == "Mr X")
    #expect(ContactNaming(Contact(id: RecordName(stored: "8"))).displayName.isEmpty)
  }
}
