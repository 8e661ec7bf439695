// Seeds that are neighbours must not play the same world one step apart.

import Simulation
import Testing

@Suite("dice of simulated worlds")
struct DiceTests {
  private func row(of seed: UInt64) -> [UInt64] {
    var dice = Dice(seed: seed)
    return (0..<1000).map { _ in dice.next() }
  }

  @Test func `the same seed falls the same way`() {
    #expect(row(of: 7) == row(of: 7))
  }

  @Test func `neighbouring seeds share no number`() {
    for seed: UInt64 in 1..<20 {
      #expect(Set(row(of: seed)).isDisjoint(with: row(of: seed + 1)))
    }
  }
}
