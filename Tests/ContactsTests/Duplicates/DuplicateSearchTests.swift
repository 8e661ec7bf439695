// The search against a comparison of each contact with each other.

import PredicateWorld
import Records
import Testing

@testable import Contacts

@Suite("Duplicates: the search against all pairs")
struct DuplicateSearchTests {
  private func contacts(_ count: Int, _ random: inout SeededGenerator) -> [Contact] {
    (0..<count).map { index in
      func word(_ words: [String]) -> String { random.percent(50) ? "" : random.one(of: words) }
      func entries(_ words: [String]) -> [LabeledValue] {
        (0..<random.below(3)).map { place in
          LabeledValue(
            id: EntryID(UInt128(place)), position: .between(nil, nil), label: "",
            value: random.one(of: words))
        }
      }
      var contact = Contact(
        id: RecordName(stored: "\(index)"), firstName: word(["Ada", "ada", "A.", "Bo"]),
        lastName: word(["Quill", "QUILL", "Ek"]), company: word(["Works", "works ", "Bindery"]),
        phones: entries(["555-010-0199", "+1 555 010 0199", "5550100123", "12"]),
        emails: entries(["a@example.com", "A@Example.com ", "b@example.com"]))
      contact.uid = word(["1", "2"])
      contact.nickname = word(["Addie"])
      contact.birthday = word(["1984-06-05", "--06-05", "1990-01-01"])
      contact.nameSuffix = word(["Jr.", "PhD"])
      contact.urls = entries(["https://example.com", "https://example.com/"])
      return contact
    }
  }

  /// Whether two contacts share an address of their own, or a name and another fact.
  private func isWorthComparing(_ one: ContactFacts, _ other: ContactFacts) -> Bool {
    let isSameName = !one.nameWords.isEmpty && one.nameWords == other.nameWords
    return ContactFacts.Kind.allCases.contains { kind in
      let keys = Set((one.values[kind] ?? [:]).keys)
      let isShared = !keys.isDisjoint(with: (other.values[kind] ?? [:]).keys)
      return isShared && ([.uid, .email, .phone].contains(kind) || isSameName)
    }
  }

  @Test func `the pairs are those that a comparison of all with all finds`() {
    var likely = 0
    for seed in 1...40 {
      var random = SeededGenerator(seed: UInt64(seed))
      // No key has more contacts than are all compared with each other.
      let contacts = contacts(DuplicateSearch.crowd, &random)
      let facts = contacts.map { ContactFacts($0) }
      var search = DuplicateSearch()
      for contact in contacts { search.add(contact) }
      #expect(search.count == contacts.count)
      let pairs = search.pairs().map { [$0.0, $0.1] }
      var expected: [[Int]] = []
      for low in contacts.indices {
        for high in contacts.indices where high > low {
          let isWorth = isWorthComparing(facts[low], facts[high])
          if isWorth { expected.append([low, high]) }
          // A likely duplicate that the search does not find would never be proposed.
          if DuplicateJudgement(facts[low], facts[high]) != nil {
            likely += 1
            #expect(isWorth, "seed \(seed): \(low), \(high)")
          }
        }
      }
      #expect(pairs == expected, "seed \(seed)")
    }
    #expect(likely > 100)
  }

  @Test(arguments: [(2, 1), (20, 190), (21, 74), (100, 390)])
  func `up to twenty contacts of one number are all compared, of more the nearest four`(
    count: Int, pairCount: Int
  ) {
    var search = DuplicateSearch()
    for index in 0..<count {
      let phone = LabeledValue(
        id: EntryID(1), position: .between(nil, nil), label: "", value: "555-010-0199")
      search.add(
        Contact(id: RecordName(stored: "\(index)"), firstName: "F\(index)", phones: [phone]))
    }
    #expect(search.pairs().count == pairCount)
  }

  @Test func `a judgement is the same from both sides, and as heavy as its reasons`() {
    let weights: [ContactFacts.Kind: Int] = [
      .uid: 8, .email: 6, .phone: 4, .birthday: 4, .name: 3, .address: 3, .url: 3,
      .instantMessage: 3, .nickname: 2, .company: 1,
    ]
    for seed in 1...40 {
      var random = SeededGenerator(seed: UInt64(seed))
      let facts = contacts(12, &random).map { ContactFacts($0) }
      for one in facts {
        for other in facts {
          let there = DuplicateJudgement(one, other)
          let back = DuplicateJudgement(other, one)
          #expect(there?.reasons.map(\.fact) == back?.reasons.map(\.fact), "seed \(seed)")
          guard let there else { continue }
          let kinds = there.reasons.map(\.fact)
          #expect(there.weight == kinds.reduce(0) { $0 + (weights[$1] ?? 0) })
          #expect(kinds == ContactFacts.Kind.allCases.filter { kinds.contains($0) })
          #expect(kinds != [.name] && !kinds.isEmpty && one.generation == other.generation)
        }
      }
    }
  }
}
