// Names, and which of their parts lead.

import Records
import Testing

@testable import Contacts

@Suite("A2, A3 contact names")
struct ContactNameTests {
  private let zed = Contact(
    id: RecordName(stored: "1"), firstName: "Zed", lastName: "Adams", company: "Acme")

  @Test func `a display name is shown as it was written, and sorted by the parts`() {
    var nagy = Contact(id: RecordName(stored: "5"), firstName: "Béla", lastName: "Nagy")
    nagy.displayName = "Nagy Béla"
    #expect(ContactName(nagy).displayName == "Nagy Béla")
    nagy.displayName = "Nagy, Béla"
    #expect(ContactName(nagy).displayName == "Béla Nagy", "a directory's order")
    #expect(ContactName(nagy).parts(.last) == ["Nagy", "Béla"])
    var works = Contact(
      id: RecordName(stored: "6"), firstName: "Jon", lastName: "Roe", company: "Roe Works")
    works.displayName = "Roe Works"
    #expect(ContactName(works).displayName == "Roe Works")
    #expect(ContactName(works).parts(.last) == ["Roe Works", "Roe", "Jon"])
    var jane = Contact(id: RecordName(stored: "7"), company: "Acme")
    jane.displayName = "Jane Roe"
    #expect(ContactName(jane).parts(.last) == ["Jane Roe", "Acme"])
  }

  @Test func `a list shows first and last name, else the company`() {
    #expect(ContactName(zed).displayName == "Zed Adams")
    let eco = Contact(id: RecordName(stored: "2"), company: " Eco Ltd ")
    #expect(ContactName(eco).displayName == "Eco Ltd")
    let cora = Contact(id: RecordName(stored: "3"), firstName: "Cora", company: "Acme")
    #expect(ContactName(cora).displayName == "Cora")
  }

  @Test(arguments: 0..<200)
  func `a name depends on its fields only`(seed: Int) throws {
    var drafts = RandomDrafts(seed: seed)
    var generator = SystemRandomNumberGenerator()
    let edit = ContactEdit.replacing(Contact(id: RecordName(stored: "8")), with: drafts.draft())
    let changes = try edit.changes(to: Fields(), using: &generator)
    let fields = changes.applied(to: Fields())
    let few = Fields(
      fields.all.filter { ContactName.fields.contains($0.key) }.map { ($0.key, $0.value) })
    let id = RecordName(stored: "8")
    #expect(
      ContactName(ContactRecord.contact(named: id, fields: few))
        == ContactName(ContactRecord.contact(named: id, fields: fields)), "seed \(seed)")
  }

  @Test func `the sort name has the parts in the chosen order`() {
    let name = ContactName(zed)
    #expect(name.sortName(.last) == "Adams Zed Acme")
    #expect(name.sortName(.first) == "Zed Adams Acme")
    #expect(name.sortName(.company) == "Acme Adams Zed")
  }

  @Test func `a phonetic name determines the order if the contact has one`() {
    var contact = Contact(id: RecordName(stored: "4"), firstName: "太郎", lastName: "山田")
    contact.phoneticFirstName = "たろう"
    contact.phoneticLastName = "やまだ"
    #expect(ContactName(contact).parts(.last) == ["やまだ", "たろう"])
    #expect(ContactName(contact).displayName == "山田太郎")
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

  @Test func `a second version of the rules agrees for every combination of parts`() {
    for bits in 0..<4096 {
      func part(_ bit: Int, _ text: String) -> String {
        // What is absent is empty or consists of blanks.
        bits >> bit & 1 == 1 ? " \(text) " : (bits + bit).isMultiple(of: 3) ? " " : ""
      }
      func entries(_ bit: Int, _ text: String) -> [LabeledValue] {
        guard bits >> bit & 1 == 1 else { return [] }
        return [LabeledValue(id: EntryID(1), position: .between(nil, nil), label: "", value: text)]
      }
      var contact = Contact(
        id: RecordName(stored: "c"), firstName: part(0, "First"), lastName: part(1, "Last"),
        company: part(2, "Company"), phones: entries(9, "5550100"), emails: entries(10, "a@b"))
      contact.middleName = part(3, "Middle")
      contact.phoneticFirstName = part(4, "ふぁ")
      contact.phoneticLastName = part(5, "ら")
      contact.phoneticMiddleName = part(6, "み")
      contact.displayName = part(7, "Shown")
      contact.nickname = part(8, "Nick")
      if bits >> 11 & 1 == 1 { contact.namePrefix = " Dr. " }
      let expected = PlainName(contact)
      let name = ContactName(contact)
      #expect(name.displayName == expected.shown, "\(bits)")
      for order in NameOrder.allCases {
        #expect(name.parts(order) == expected.parts(order), "\(bits) \(order)")
        #expect(name.sortName(order) == expected.parts(order).joined(separator: " "))
      }
    }
  }
}

/// The rules of names, written a second time.
private struct PlainName {
  let shown, first, middle, last, company: String

  init(_ contact: Contact) {
    func given(_ texts: String...) -> String {
      texts.map { $0.trimmingBlanks() }.first { $0 != "" } ?? ""
    }
    first = given(contact.phoneticFirstName, contact.firstName)
    middle = given(contact.phoneticMiddleName, contact.middleName)
    last = given(contact.phoneticLastName, contact.lastName)
    company = given(contact.company)
    let written = [contact.namePrefix, contact.firstName, contact.middleName, contact.lastName]
    shown = given(
      contact.displayName, written.map { given($0) }.filter { $0 != "" }.joined(separator: " "),
      contact.company, contact.nickname, contact.emails.map(\.value).first ?? "",
      contact.phones.map(\.value).first ?? "")
  }

  func parts(_ order: NameOrder) -> [String] {
    var all = [first, middle]
    all.insert(last, at: order == .first ? 1 : 0)
    if all == ["", "", ""], shown != company { all = [shown] }
    all.insert(company, at: order == .company ? 0 : all.count)
    all.removeAll { $0 == "" }
    return all.isEmpty ? [shown] : all
  }
}
