// Short ids: a beginning of the id that no other id of the list has.

import AgentAPI
import PredicateWorld
import Records
import Testing

@testable import ControlCommands

@Suite("C1 short ids")
struct ShortIDsTests {
  /// Returns up to 40 different ids, of which many have long beginnings in common and some contain others.
  private static func ids(seed: UInt64) -> [String] {
    var random = SeededGenerator(seed: seed)
    var ids: [String] = []
    for _ in 0...random.below(40) {
      var id = ids.isEmpty || random.percent(30) ? "" : random.one(of: ids)
      id = String(id.prefix(random.below(17)))
      let length = random.percent(80) ? 16 : 1 + random.below(20)
      while id.count < length { id += random.one(of: ["a", "b", "7"]) }
      if !ids.contains(id) { ids.append(id) }
    }
    return ids
  }

  /// Tries every length, and compares with every other id.
  private static func naive(_ id: String, among ids: [String]) -> String {
    for length in 0...id.count where length >= 6 {
      let beginning = String(id.prefix(length))
      if ids.allSatisfy({ $0 == id || !$0.hasPrefix(beginning) }) { return beginning }
    }
    return id
  }

  @Test func `each is the shortest unique beginning of six characters or more`() {
    var long = 0
    for seed in 0..<200 {
      let ids = Self.ids(seed: UInt64(seed))
      let short = ShortIDs(ids)
      for id in ids {
        let shown = short[id]
        #expect(shown == Self.naive(id, among: ids), "seed \(seed): \(id)")
        #expect(id.hasPrefix(shown), "seed \(seed): \(id)")
        #expect(shown.count >= min(id.count, 6), "seed \(seed): \(id)")
        if shown.count > 6 { long += 1 }
      }
      #expect(Set(ids.map { short[$0] }).count == ids.count, "seed \(seed)")
    }
    #expect(long > 1000)
  }

  @Test func `an id that is listed twice is as short as if it were listed once`() {
    let short = ShortIDs(["abcdefgh", "abcdefgh", "abcdefxx"])
    #expect(short["abcdefgh"] == "abcdefg")
    #expect(short["abcdefxx"] == "abcdefx")
  }

  @Test func `an id that begins another one, or is not in the list, stays whole`() {
    let short = ShortIDs(["abcdefgh", "abcdefghij"])
    #expect(short["abcdefgh"] == "abcdefgh")
    #expect(short["abcdefghij"] == "abcdefghi")
    #expect(short["zzzzzzzzzz"] == "zzzzzzzzzz")
    #expect(ShortIDs([])["abc"] == "abc")
  }

  @Test func `of a UUID, random bits are shown too, not only the time`() {
    let id = "01a1fd03-0f97-766f-8eda-3a366f278a75"
    #expect(ShortIDs([id])[id] == "01a1fd03-0f97-766f")
    let other = "01a1fd03-0f97-766f-8edb-3a366f278a75"
    #expect(ShortIDs([id, other])[other] == "01a1fd03-0f97-766f-8edb")
    #expect(ShortIDs([id], charactersOfUUID: 13)[id] == "01a1fd03-0f97")
  }

  @Test func `a character of several bytes is not cut`() {
    let short = ShortIDs(["abcdeéx", "abcdeèy"])
    #expect(short["abcdeéx"] == "abcdeé")
    #expect(short["abcdeèy"] == "abcdeè")
  }
}
