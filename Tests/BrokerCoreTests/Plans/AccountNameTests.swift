// What the account of a user is called who chooses no name.

import BrokerCore
import Testing

@Suite("Names of accounts")
struct AccountNameTests {
  @Test func `a user who chooses no name is called after the number`() {
    #expect(free(taken: []) == "user-12347")
  }

  @Test func `a derived name that is taken gets a suffix of letters and digits`() throws {
    let name = try #require(free(taken: ["user-12347"]))
    #expect(name.wholeMatch(of: /user-12347-[a-z0-9]{4}/) != nil)
  }

  @Test func `a suffix that is taken is drawn again`() throws {
    let first = try #require(free(taken: ["user-12347"]))
    let second = try #require(free(taken: ["user-12347", first]))
    #expect(second.hasPrefix("user-12347-"))
    #expect(second != first)
  }

  @Test func `drawing ends where every name is taken`() {
    var generator = CountingGenerator()
    #expect(AccountName.free(for: 1, using: &generator) { _ in true } == nil)
  }

  private func free(taken: Set<String>) -> String? {
    var generator = CountingGenerator()
    return AccountName.free(for: 12347, using: &generator) { taken.contains($0) }
  }

  /// Draws the same numbers on every run.
  private struct CountingGenerator: RandomNumberGenerator {
    private var state: UInt64 = 0

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      return state
    }
  }
}
