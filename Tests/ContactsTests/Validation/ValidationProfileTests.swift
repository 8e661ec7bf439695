// The default rules: lenient, complete, one message a field.

import Records
import Testing

@testable import Contacts

@Suite("C2, C12 standard validation")
struct ContactValidationTests {
  func entry(_ value: String, label: String = "", id: UInt128 = 1) -> LabeledValue {
    LabeledValue(id: EntryID(id), position: .between(nil, nil), label: label, value: value)
  }

  func fields(_ contact: Contact) -> [String] {
    ValidationProfile.standard.problems(in: contact).map(\.field)
  }

  let id = RecordName(stored: "c")

  @Test func `one of first, last or company is enough, blanks are not`() {
    #expect(fields(Contact(id: id, firstName: "李")).isEmpty)
    #expect(fields(Contact(id: id, lastName: "X")).isEmpty)
    #expect(fields(Contact(id: id, company: "4")).isEmpty)
    #expect(fields(Contact(id: id, firstName: "  ")) == ["contact"])
  }

  @Test func `every field is looked at, each wrong one is named once`() {
    let contact = Contact(
      id: id, firstName: "A\u{7}",
      phones: [entry("none\u{0}"), entry("+46 (0)70", id: 2), entry("call", id: 3)],
      emails: [entry("nobody", id: 4), entry("a@b", id: 5)])
    let ids =
      [EntryID(1), EntryID(3)].map { "phones/\($0)" } + ["emails/\(EntryID(4))"]
    #expect(fields(contact) == ["firstName"] + ids)
  }

  @Test func `a label holds 255 bytes and not 256`() {
    let longest = String(repeating: "é", count: 127) + "e"
    #expect(fields(Contact(id: id, firstName: "A", phones: [entry("1", label: longest)])).isEmpty)
    let longer = Contact(id: id, firstName: "A", phones: [entry("1", label: longest + "e")])
    #expect(fields(longer).count == 1)
  }

  @Test func `a refusal lists every sentence and the first field`() {
    let contact = Contact(id: id, phones: [entry("x")])
    let refusal = #expect(throws: ContactRefusal.self) {
      try ValidationProfile.standard.check(contact)
    }
    #expect(refusal?.problems.map(\.field) == ["contact", "phones/\(EntryID(1))"])
    let error = refusal?.summary
    #expect(error?.code == .constraintViolation)
    #expect(error?.field == "contact")
    #expect(error?.message.split(separator: "\n").count == 2)
  }

  @Test func `what was wrong before does not keep a person from changing something else`() throws {
    let before = Contact(id: id, firstName: "A", emails: [entry("nobody")])
    var after = before
    after.company = "Acme"
    try ValidationProfile.standard.check(after, changedFrom: before)
    after.emails[0].value = "not an address"
    #expect(throws: ContactRefusal.self) {
      try ValidationProfile.standard.check(after, changedFrom: before)
    }
    #expect(throws: ContactRefusal.self) { try ValidationProfile.standard.check(before) }
  }

  @Test func `a day that no calendar has is refused, one without a year is not`() {
    var contact = Contact(id: id, firstName: "A")
    contact.birthday = "--02-29"
    contact.anniversary = "2001-02-30"
    #expect(fields(contact) == ["anniversary"])
  }

  @Test(arguments: ["a b@c", "a@ b", "a\u{A0}b@c"])
  func `an e-mail address with a blank is refused`(text: String) {
    #expect(fields(Contact(id: id, firstName: "A", emails: [entry(text)])).count == 1)
  }

  @Test(arguments: [
    ("not a url", false), ("words", false), ("example.com", true), ("http://localhost", true),
    ("intranet/page", true), ("mailto:a@b", true), ("https://例え.jp/ä", true),
  ])
  func `a web address of words is refused`(text: String, isRight: Bool) {
    var contact = Contact(id: id, firstName: "A")
    contact.urls = [entry(text)]
    #expect(fields(contact).isEmpty == isRight)
  }

  @Test func `the year 3000 and a name of 5,000 letters are refused`() {
    var contact = Contact(id: id, firstName: String(repeating: "a", count: 5000))
    contact.birthday = "3000-01-01"
    contact.anniversary = "2199-12-31"
    #expect(fields(contact) == ["firstName", "birthday"])
    contact.firstName = String(repeating: "a", count: 1000)
    contact.birthday = "0001-01-01"
    #expect(fields(contact).isEmpty)
  }

  @Test func `a note and a street may have lines, a name may not`() {
    var contact = Contact(id: id, firstName: "A\nB")
    contact.note = "one\ntwo\tthree"
    var address = PostalAddress(id: EntryID(7), position: .between(nil, nil))
    address.street1 = "House\nLane 3"
    address.city = "Lund\n"
    contact.addresses = [address]
    #expect(fields(contact) == ["firstName"])
  }

  @Test func `an entry without a value is not given`() {
    #expect(fields(Contact(id: id, firstName: "A", phones: [entry(" ", label: "home")])).isEmpty)
  }

  @Test func `messages carry no control characters`() {
    let contact = Contact(id: id, firstName: "A", emails: [entry("a\u{1B}[31m")])
    let message = ValidationProfile.standard.problems(in: contact)[0].message
    #expect(!message.unicodeScalars.contains { $0.value == 0x1B })
  }

  @Test func `a message shows the beginning of a text, also of one without characters' ends`() {
    let marks = "a" + String(repeating: "\u{301}", count: 100_000)
    #expect(FieldProblem.shown(marks).utf8.count < 500)
    #expect(FieldProblem.shown("a\u{301}") == "a\u{301}")
    #expect(FieldProblem.shown(String(repeating: "b", count: 41)).count == 40)
  }
}
