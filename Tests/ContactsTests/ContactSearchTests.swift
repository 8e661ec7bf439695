// Words in any field, phones in any written form.

import Records
import Testing

@testable import Contacts

@Suite("C10 search")
struct ContactSearchTests {
  private static func entry(_ label: String, _ value: String) -> LabeledValue {
    LabeledValue(
      id: EntryID(UInt128(value.utf8.count)), position: .between(nil, nil), label: label,
      value: value)
  }

  private let text: String = {
    var contact = Contact(
      id: RecordName(stored: "c"), firstName: "Élodie", lastName: "Świątek",
      company: "Waterfall & Søn Ltd",
      phones: [entry("home", "+46 70-174 06 10")], emails: [entry("work", "e.s@example.com")])
    contact.nickname = "Lo"
    contact.title = "Gärtnerin"
    contact.note = "likes 竹内 tea"
    var address = PostalAddress(id: EntryID(7), position: .between(nil, nil))
    address.street1 = "12 Quai Branly"
    address.city = "Łódź"
    contact.addresses = [address]
    return ContactSearch.text(of: contact)
  }()

  private func isFound(_ query: String) throws -> Bool {
    try ContactQueryTerms(query).matches(text)
  }

  @Test(arguments: [
    "elodie", "WATER", "élo water", "water élo", "świ", "swiatek", "son", "lodz", "Łódź", "home",
    "gart", "example", "e.s@example.com", "quai branly", "branly 12", "竹内", "内", "lo", "Elodie Łod",
  ])
  func `words and beginnings of words are found in every field, in any order`(
    query: String
  ) throws {
    #expect(try isFound(query))
  }

  @Test(arguments: [
    "+46 70 174 06 10", "46701740610", "0046701740610", "070-174 06 10", "0701740610", "1740610",
    "0610", "70 17", "070 17", "174 06", "elodie 0610", "+46701740610",
  ])
  func `a phone is found in any written form, by its beginning and by its end`(
    query: String
  ) throws {
    #expect(try isFound(query))
  }

  @Test(arguments: ["elodie smith", "fall", "556", "work2", "0701740611", "竹下", "quai 13", "611"])
  func `what is not there is not`(query: String) throws {
    #expect(try !isFound(query))
  }

  @Test func `a number with its country finds one written without`() throws {
    let text = ContactSearch.text(
      of: Contact(id: RecordName(stored: "d"), phones: [Self.entry("", "070 174 06 10")]))
    #expect(try ContactQueryTerms("+46 70 174 06 10").matches(text))
    #expect(try !ContactQueryTerms("+46 70 174 06 11").matches(text))
  }

  @Test func `a Chinese character is no search for its Latin letters`() throws {
    let lisa = ContactSearch.text(of: Contact(id: RecordName(stored: "l"), firstName: "Lisa"))
    #expect(try !ContactQueryTerms("李").matches(lisa))
    #expect(try ContactQueryTerms("li").matches(lisa))
    let lukasz = ContactSearch.text(of: Contact(id: RecordName(stored: "k"), firstName: "Lukasz"))
    #expect(try ContactQueryTerms("Łukasz").matches(lukasz))
  }

  @Test func `a query without words has no terms; one with too many is refused`() throws {
    #expect(try ContactQueryTerms(" \" * ").terms.isEmpty)
    for query in [String(repeating: "a ", count: 17), String(repeating: "a", count: 1025)] {
      let error = #expect(throws: RecordsError.self) { try ContactQueryTerms(query) }
      #expect(error?.code == .limitExceeded)
    }
  }

  @Test func `of a very long note the beginning is found`() throws {
    var contact = Contact(id: RecordName(stored: "n"), firstName: "Ann")
    contact.note = "alpha " + String(repeating: "pad ", count: 50_000) + "omega"
    let text = ContactSearch.text(of: contact)
    #expect(text.utf8.count <= ContactSearch.textBytesMaximum)
    #expect(try ContactQueryTerms("ann alpha").matches(text))
  }

  @Test(arguments: ["a" + String(repeating: "\u{301}\u{323}", count: 200_000), "한글", "\u{FDFA}"])
  func `a name of half a megabyte is found by its beginning`(sign: String) throws {
    let name = sign.utf8.count > 1000 ? sign : String(repeating: sign, count: 100_000)
    let contact = Contact(id: RecordName(stored: "n"), firstName: name, lastName: "Ek")
    let text = ContactSearch.text(of: contact)
    #expect(text.utf8.count <= ContactSearch.textBytesMaximum)
    #expect(try ContactQueryTerms(String(sign.unicodeScalars.prefix(2))).matches(text))
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
