// Order and sections, with the five cases of the requirement.

import Collation
import Records
import Testing

@testable import Contacts

@Suite("A3 contact ordering")
struct ContactCollatorTests {
  private static let zed = contact("Zed", "Adams", "Acme")
  private static let amy = contact("Amy", "Bell")
  private static let cora = contact("Cora")
  private static let dunn = contact("", "Dunn")
  private static let eco = contact("", "", "Eco Ltd")
  private static let five = [eco, dunn, cora, amy, zed]

  private static func contact(
    _ first: String, _ last: String = "", _ company: String = ""
  ) -> Contact {
    Contact(
      id: RecordName(stored: "\(first)-\(last)-\(company)"), firstName: first, lastName: last,
      company: company)
  }

  private func sorted(
    _ contacts: [Contact], by order: NameOrder, _ language: String = "en"
  ) -> [String] {
    let ordering = ContactCollator.of(Language(language))
    return contacts.map { ContactName($0) }
      .map { (name: $0.displayName, place: ordering.sortKey(of: $0, order).bytes) }
      .sorted { $0.place.lexicographicallyPrecedes($1.place) }.map(\.name)
  }

  private func section(_ contact: Contact, _ language: String = "en") -> String {
    let ordering = ContactCollator.of(Language(language))
    let place = ordering.sortKey(of: ContactName(contact), .last).bytes
    return ordering.label(ofSection: ContactSortKey.section(of: place))
  }

  @Test(arguments: ["en_US", "sv_SE", "C", "ja_JP", "ru_RU"])
  func `the five cases come in the promised order, under their letters`(language: String) {
    let names = sorted(Self.five, by: .last, language)
    #expect(names == ["Zed Adams", "Amy Bell", "Cora", "Dunn", "Eco Ltd"])
    let sections = Self.five.reversed().map { section($0, language) }
    #expect(sections == ["A", "B", "C", "D", "E"])
  }

  @Test func `the person may let first names or companies lead`() {
    #expect(sorted(Self.five, by: .first) == ["Amy Bell", "Cora", "Dunn", "Eco Ltd", "Zed Adams"])
    #expect(
      sorted(Self.five, by: .company) == ["Zed Adams", "Amy Bell", "Cora", "Dunn", "Eco Ltd"])
  }

  @Test func `same last name, then first name; case and accents do not matter`() {
    let contacts = [("b", "Émile"), ("a", "emile"), ("c", "ÉMILE")].map {
      Self.contact($0.0, $0.1)
    }
    #expect(sorted(contacts, by: .last) == ["a emile", "b Émile", "c ÉMILE"])
    #expect(Set(contacts.map { section($0) }) == ["E"])
  }

  @Test func `a shorter last name comes first whatever the first names are`() {
    let contacts = [Self.contact("Al", "Bellamy"), Self.contact("Zoe", "Bell")]
    #expect(sorted(contacts, by: .last) == ["Zoe Bell", "Al Bellamy"])
  }

  @Test func `what begins with no letter stands under # behind the letters`() {
    let odd = Self.contact("", "", "4th Street")
    #expect(section(odd) == "#")
    #expect(
      sorted([odd, Self.contact("", "Яковлев"), Self.eco], by: .last)
        == ["Eco Ltd", "Яковлев", "4th Street"])
    #expect(section(Contact(id: RecordName(stored: "nobody"))) == "#")
  }

  @Test func `a name in Japanese stands where it is said to`() {
    var yamada = Self.contact("太郎", "山田")
    yamada.phoneticLastName = "やまだ"
    #expect(section(yamada, "ja_JP") == "や")
  }

  @Test func `languages that sort alike have one version, others have not`() {
    let version = ContactCollator.of(Language("en_US")).version
    #expect(ContactCollator.of(Language("en_GB")).version == version)
    #expect(ContactCollator.of(.neutral).version == version)
    #expect(ContactCollator.of(Language("sv_SE")).version != version)
    #expect(ContactCollator.of(Language("pl_PL")).version != version)
  }
}
