import Contacts
import Records
import TestTiers
import Testing

@Suite("Duplicates: one person or two")
struct DuplicateTests {
  private func contact(
    _ first: String, _ last: String = "", company: String = "", phone: String? = nil,
    email: String? = nil, _ change: (inout Contact) -> Void = { _ in }
  ) -> Contact {
    func entry(_ value: String) -> LabeledValue {
      LabeledValue(id: EntryID(1), position: .between(nil, nil), label: "", value: value)
    }
    var contact = Contact(
      id: RecordName(stored: "x"), firstName: first, lastName: last, company: company,
      phones: phone.map { [entry($0)] } ?? [], emails: email.map { [entry($0)] } ?? [])
    change(&contact)
    return contact
  }

  private func facts(_ one: Contact, _ other: Contact) -> [ContactFacts.Kind]? {
    let there = DuplicateJudgement(ContactFacts(one), ContactFacts(other))
    let back = DuplicateJudgement(ContactFacts(other), ContactFacts(one))
    #expect(there?.reasons.map(\.fact) == back?.reasons.map(\.fact))
    return there?.reasons.map(\.fact)
  }

  @Test func `namesakes are two people`() {
    #expect(facts(contact("John", "Smith"), contact("John", "Smith")) == nil)
    #expect(
      facts(
        contact("John", "Smith", phone: "555 010 0199", email: "a@example.com"),
        contact("John", "Smith", phone: "555 010 0123", email: "b@example.com")) == nil)
  }

  @Test func `the same name and one more fact are one person`() {
    let plain = contact("John", "Smith", company: "Initech")
    #expect(facts(plain, contact("Smith", "John", company: "initech ")) == [.name, .company])
    let born = contact("John", "Smith") { $0.birthday = "1970-01-02" }
    #expect(facts(born, born) == [.name, .birthday])
  }

  @Test func `namesakes born on different days are two, whatever else agrees`() {
    let one = contact("John", "Smith", company: "Initech", phone: "5550100199") {
      $0.birthday = "1970-01-02"
    }
    var other = one
    other.birthday = "1999-01-02"
    #expect(facts(one, other) == nil)
  }

  @Test func `father and son share name and telephone`() {
    let senior = contact("John", "Smith", phone: "5550100199") { $0.nameSuffix = "Sr." }
    let junior = contact("John", "Smith", phone: "5550100199") { $0.nameSuffix = "Jr." }
    #expect(facts(senior, junior) == nil)
  }

  @Test(
    arguments: [
      ("+46 70 123 45 67", "070-123 45 67"), ("+1 (555) 010-0199", "555.010.0199"),
      ("0046701234567", "(070) 1234567"), ("5550100199 ext. 7", "555-010-0199"),
    ])
  func `a phone is the same in any written form`(one: String, other: String) {
    #expect(facts(contact("Ann", phone: one), contact("Ann", phone: other)) == [.phone, .name])
  }

  @Test func `a family's telephone makes nobody the same`() {
    let number = "08-123 45 67"
    #expect(
      facts(
        contact("Anna", "Svensson", phone: number), contact("Erik", "Svensson", phone: number))
        == nil)
  }

  @Test func `a firm is not one of its people`() {
    let firm = contact("", company: "Initech", phone: "555-010-0100")
    let person = contact("Ann", "Lee", company: "Initech", phone: "555-010-0100")
    #expect(facts(firm, person) == nil)
    #expect(facts(firm, firm) == [.phone, .company])
  }

  @Test(
    arguments: [
      ("A.", "Lovelace"), ("Ada", ""), ("Ada Augusta", "Lovelace"), ("", ""),
    ])
  func `a shorter form of the name with the same e-mail is the same person`(
    first: String, last: String
  ) {
    let whole = contact("Ada", "Lovelace", email: "Ada@Example.com")
    #expect(facts(whole, contact(first, last, email: "ada@example.com")) == [.email])
  }

  @Test func `another name needs two numbers that agree, and one word of the name`() {
    let before = contact("Ann", "Lee", phone: "5550100199", email: "ann@example.com")
    let after = contact("Ann", "Berg", phone: "5550100199", email: "ann@example.com")
    #expect(facts(before, after) == [.email, .phone])
    #expect(facts(before, contact("Ann", "Berg", email: "ann@example.com")) == nil)
    #expect(
      facts(before, contact("Bo", "Ek", phone: "5550100199", email: "ann@example.com")) == nil)
  }

  // MARK: Searching

  @Test func `a search proposes each pair once`() {
    var search = DuplicateSearch()
    search.add(contact("Ann", "Lee", phone: "5550100199", email: "ann@example.com"))
    search.add(contact("Bo", "Ek"))
    search.add(contact("Ann", "Lee", phone: "+15550100199", email: "ANN@example.com"))
    #expect(search.pairs().map { [$0.0, $0.1] } == [[0, 2]])
  }

  @Test(.onlyInCheck)
  func `a hundred thousand contacts behind one switchboard are looked through quickly`() {
    var search = DuplicateSearch()
    for number in 0..<100_000 {
      search.add(
        contact("F\(number % 50_000)", "L", company: "Initech", phone: "555-010-0100"))
    }
    let pairs = search.pairs()
    #expect(pairs.count < 700_000)
    let found = Set(pairs.map { $0.0 * 1_000_000 + $0.1 })
    let missing = (0..<50_000).filter { !found.contains($0 * 1_000_000 + $0 + 50_000) }
    #expect(missing.isEmpty)
  }
}
