import Simulation
import Testing

@Suite("random numbers of simulated worlds")
struct SimulationGeneratorTests {
  private func numbers(of seed: UInt64) -> [UInt64] {
    var generator = SimulationGenerator(seed: seed)
    return (0..<1000).map { _ in generator.next() }
  }

  @Test func `the same seed gives the same numbers`() {
    #expect(numbers(of: 7) == numbers(of: 7))
  }

  @Test func `adjacent seeds share no number`() {
    for seed: UInt64 in 1..<20 {
      #expect(Set(numbers(of: seed)).isDisjoint(with: numbers(of: seed + 1)))
    }
  }
}
