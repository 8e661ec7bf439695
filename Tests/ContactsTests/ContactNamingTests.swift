// Order, sections and names, with the five cases of the requirement.

import Records
import Testing

@testable import Contacts

@Suite("A3 contact naming")
struct ContactNamingTests {
  let zed = Contact(
    id: RecordName(stored: "1"), firstName: "Zed", lastName: "Adams", company: "Acme")
  let amy = Contact(id: RecordName(stored: "2"), firstName: "Amy", lastName: "Bell")
  let cora = Contact(id: RecordName(stored: "3"), firstName: "Cora")
  let dunn = Contact(id: RecordName(stored: "4"), lastName: "Dunn")
  let eco = Contact(id: RecordName(stored: "5"), company: "Eco Ltd")

  func sorted(_ contacts: [Contact], by order: NameOrder) -> [String] {
    contacts.map { ContactNaming($0, order: order) }.sorted { left, right in
      left.sortKey.utf8.lexicographicallyPrecedes(right.sortKey.utf8)
    }.map(\.displayName)
  }

  @Test func `the five cases come in order`() {
    let names = sorted([eco, dunn, cora, amy, zed], by: .last)
    #expect(names == ["Zed Adams", "Amy Bell", "Cora", "Dunn", "Eco Ltd"])
    let sections = [zed, amy, cora, dunn, eco].map { ContactNaming($0).sectionKey }
    #expect(sections == ["A", "B", "C", "D", "E"])
  }

  @Test func `the person may let first names or companies lead`() {
    let all = [zed, amy, cora, dunn, eco]
    #expect(sorted(all, by: .first) == ["Amy Bell", "Cora", "Dunn", "Eco Ltd", "Zed Adams"])
    #expect(sorted(all, by: .company) == ["Zed Adams", "Amy Bell", "Cora", "Dunn", "Eco Ltd"])
    #expect(ContactNaming(zed, order: .company).sortName == "Acme Adams Zed")
  }

  @Test func `same last name, then first name; case and accents do not matter`() {
    let contacts = [("b", "Émile"), ("a", "emile"), ("c", "ÉMILE")].map {
      Contact(id: RecordName(stored: $0.0), firstName: $0.0, lastName: $0.1)
    }
    #expect(sorted(contacts, by: .last) == ["a emile", "b Émile", "c ÉMILE"])
    #expect(Set(contacts.map { ContactNaming($0).sectionKey }) == ["E"])
  }

  @Test func `a shorter last name comes first whatever the first names are`() {
    let contacts = [("Zoe", "Bell"), ("Al", "Bellamy")].map {
      Contact(id: RecordName(stored: $0.0), firstName: $0.0, lastName: $0.1)
    }
    #expect(sorted(contacts.reversed(), by: .last) == ["Zoe Bell", "Al Bellamy"])
  }

  @Test func `what begins with no letter stands under # behind the letters`() {
    let odd = Contact(id: RecordName(stored: "6"), company: "4th Street")
    #expect(ContactNaming(odd).sectionKey == "#")
    #expect(sorted([odd, eco], by: .last) == ["Eco Ltd", "4th Street"])
  }

  @Test func `without any name the first e-mail or phone is shown`() {
    let entry = LabeledValue(
      id: EntryID(1), position: .between(nil, nil), label: "", value: "x@example.com")
    let contact = Contact(id: RecordName(stored: "7"), emails: [entry])
    #expect(ContactNaming(contact).displayName == "x@example.com")
    #expect(ContactNaming(Contact(id: RecordName(stored: "8"))).sectionKey == "#")
  }
}
