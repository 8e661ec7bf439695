import Testing

@testable import Simulation

@Suite("odds of simulated worlds")
struct OddsTests {
  @Test func `actions are drawn in proportion to their weights`() {
    let odds: Odds<String> = Odds(["often": 30, "never": 0, "rarely": 10])
    var generator = SimulationGenerator(seed: 1)
    var counts: [String: Int] = [:]
    for _ in 0..<4000 { counts[odds.next(&generator), default: 0] += 1 }
    #expect(counts["never"] == nil)
    #expect((2800...3200).contains(counts["often"] ?? 0))
  }

  @Test func `a needed action keeps a weight, another may lose it`() {
    let usual: Odds<String> = Odds(["needed": 4, "other": 4])
    var without = 0
    for seed: UInt64 in 1...100 {
      var generator = SimulationGenerator(seed: seed)
      let odds = usual.drawn(by: &generator, needed: ["needed"])
      let drawn = Set((0..<200).map { _ in odds.next(&generator) })
      #expect(drawn.contains("needed"))
      without += drawn.contains("other") ? 0 : 1
    }
    #expect((3...40).contains(without))
  }
}
