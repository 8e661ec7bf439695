// The strict form, row by row, with the values on both sides of each limit.

import Records
import Testing

@testable import Contacts

@Suite("V us-form")
struct USFormRulesTests {
  let id = RecordName(stored: "c")

  func entry(_ value: String, id: UInt128 = 1) -> LabeledValue {
    LabeledValue(id: EntryID(id), position: .between(nil, nil), label: "home", value: value)
  }

  func fields(_ contact: Contact) -> [String] {
    ValidationProfile.usForm.problems(in: contact).map(\.field)
  }

  func isRight(phone: String) -> Bool { fields(Contact(id: id, phones: [entry(phone)])).isEmpty }
  func isRight(email: String) -> Bool { fields(Contact(id: id, emails: [entry(email)])).isEmpty }

  @Test(
    arguments: [
      ("Al", true), ("A", false), (" A ", false), (" Al ", true), ("李", false), ("李明", true),
      ("e\u{301}", false), ("👩‍👩‍👧", false), ("", true),
    ])
  func `V1 a first and a last name have two characters as people count`(
    name: String, isRight: Bool
  ) {
    let first = Contact(id: id, firstName: name, company: "Acme")
    #expect(fields(first) == (isRight ? [] : ["firstName"]))
    let last = Contact(id: id, lastName: name, company: "Acme")
    #expect(fields(last) == (isRight ? [] : ["lastName"]))
  }

  func address(_ part: String, _ value: String) -> Contact {
    var contact = Contact(id: id)
    var address = PostalAddress(id: EntryID(9), position: .between(nil, nil))
    switch part {
    case "street1": address.street1 = value
    case "street2": address.street2 = value
    case "city": address.city = value
    case "state": address.state = value
    default: address.zipcode = value
    }
    contact.addresses = [address]
    return contact
  }

  @Test(
    arguments: [
      ("street1", ["Abc", "123", "12Main", " 12Main "], ["Ab", "12 Main", "Straße", "12-A"]),
      ("street2", ["1", "4B", " B "], ["#4", "4 B", "é"]),
      ("city", ["Ada", "Austin"], ["Au", "New York", "Zürich", "Area51"]),
      ("state", ["Texas", "tx", "AE", "district of columbia"], ["Texass", "Bayern", "X"]),
      ("zipcode", ["78701", " 00501 "], ["7870", "787010", "78701-0001", "٧٨٧٠١", "7870a"]),
    ])
  func `V2–V6 each part of an address satisfies its rule`(
    part: String, right: [String], wrong: [String]
  ) {
    for value in right { #expect(fields(address(part, value)).isEmpty, "\(value)") }
    for value in wrong {
      let place = "addresses/\(EntryID(9))/\(part)"
      #expect(fields(address(part, value)) == [place], "\(value)")
    }
    #expect(fields(address(part, "  ")) == ["contact"])
  }

  @Test(
    arguments: [
      ("1234567", true), ("123456", false), (" 1234567 ", true), ("+123456", true),
      ("-123456", true), ("555-0100", false), ("555 0100", false), ("1234567a", false),
      ("9223372036854775807", true), ("9223372036854775808", false), ("١٢٣٤٥٦٧", false),
    ])
  func `V7 a phone has seven characters and is an integer`(phone: String, isRight: Bool) {
    #expect(self.isRight(phone: phone) == isRight)
  }

  @Test(arguments: [("a@b", true), ("@", true), ("a.b", false), (" a@b ", true)])
  func `V8 an e-mail holds an @`(email: String, isRight: Bool) {
    #expect(self.isRight(email: email) == isRight)
  }

  @Test func `V9 a contact is not empty`() {
    #expect(fields(Contact(id: id)) == ["contact"])
    #expect(fields(Contact(id: id, firstName: "  ", phones: [entry(" ")])) == ["contact"])
    #expect(fields(Contact(id: id, company: "A")).isEmpty)
    #expect(fields(Contact(id: id, phones: [entry("5550100")])).isEmpty)
    #expect(fields(Contact(id: id, emails: [entry("a@b")])).isEmpty)
  }

  @Test func `every field is looked at, each wrong one is named once, in the form's order`() {
    let contact = Contact(
      id: id, firstName: "A", lastName: "B", phones: [entry("1", id: 1), entry("2\u{7}", id: 2)],
      emails: [entry("x", id: 3)])
    #expect(
      fields(contact) == [
        "firstName", "lastName", "phones/\(EntryID(1))", "phones/\(EntryID(2))",
        "emails/\(EntryID(3))",
      ])
  }

  @Test func `what was wrong before is refused all the same`() {
    let before = Contact(id: id, firstName: "A", company: "Acme")
    var after = before
    after.company = "Acme Ltd"
    #expect(throws: ContactRefusal.self) {
      try ValidationProfile.usForm.check(after, changedFrom: before)
    }
  }

  @Test func `what cannot be right in any contact is refused here too`() {
    #expect(fields(Contact(id: id, company: "Ac\u{7}me")) == ["company"])
  }
}
