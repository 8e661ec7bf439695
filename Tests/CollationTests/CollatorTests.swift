// The order of names in several languages.

import Testing

@testable import Collation

@Suite("A3, F1 the order of languages")
struct CollatorTests {
  private func sorted(_ names: [String], _ language: String) -> [String] {
    let collator = Collator(Language(language))
    return names.sorted { collator.key([$0]).lexicographicallyPrecedes(collator.key([$1])) }
  }

  @Test func `Swedish has its letters behind Z, German among the others`() {
    let names = ["Östlund", "Zorn", "Åberg", "Ärlig", "Oster", "Ahl"]
    #expect(sorted(names, "sv_SE") == ["Ahl", "Oster", "Zorn", "Åberg", "Ärlig", "Östlund"])
    #expect(sorted(names, "de_DE") == ["Åberg", "Ahl", "Ärlig", "Oster", "Östlund", "Zorn"])
  }

  @Test func `accents and case count only where letters are the same`() {
    #expect(sorted(["Emilie", "émile", "Emile"], "en") == ["Emile", "émile", "Emilie"])
  }

  @Test func `numbers count as numbers`() {
    #expect(sorted(["Unit 10", "Unit 9"], "en") == ["Unit 9", "Unit 10"])
  }

  @Test func `a shorter leading part comes first whatever follows it`() {
    let collator = Collator(.neutral)
    let keys = [["Bell", "Zoe"], ["Bellamy", "Al"], ["Béll", "Adam"]].map(collator.key)
    #expect(keys[0].lexicographicallyPrecedes(keys[1]))
    // The accent counts for less than the first name.
    #expect(keys[2].lexicographicallyPrecedes(keys[0]))
  }

  @Test func `languages without rules of their own share their keys' version`() {
    let versions = ["en_US", "en_GB", "", "de"].map { Collator(Language($0)).version }
    #expect(Set(versions).count == 1)
    #expect(Collator(Language("sv")).version != versions[0])
  }

  @Test func `a text as long as a record may be still has a key`() {
    let key = Collator(Language("sv")).key([String(repeating: "Ö", count: 100_000), "x"])
    #expect(!key.isEmpty && key.count < 2000)
  }
}
