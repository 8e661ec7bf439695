// The derived name of an account whose user chooses none.

import BrokerCore
import Testing

@Suite("Account names")
struct AccountNameRulesTests {
  @Test func `a user who chooses no name gets a name derived from the uid`() {
    #expect(free(taken: []) == "user-12347")
  }

  @Test func `a derived name that is taken gets a suffix of letters and digits`() throws {
    let name = try #require(free(taken: ["user-12347"]))
    #expect(name.wholeMatch(of: /user-12347-[a-z0-9]{4}/) != nil)
  }

  @Test func `a suffix that is in use is not chosen again`() throws {
    let first = try #require(free(taken: ["user-12347"]))
    let second = try #require(free(taken: ["user-12347", first]))
    #expect(second.hasPrefix("user-12347-"))
    #expect(second != first)
  }

  @Test func `no name is returned if every attempt is in use`() {
    var generator = CountingGenerator()
    #expect(AccountNameRules.free(for: 1, using: &generator) { _ in true } == nil)
  }

  private func free(taken: Set<String>) -> String? {
    var generator = CountingGenerator()
    return AccountNameRules.free(for: 12347, using: &generator) { taken.contains($0) }
  }

  /// Generates the same numbers on every run.
  private struct CountingGenerator: RandomNumberGenerator {
    private var state: UInt64 = 0

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      return state
    }
  }
}
