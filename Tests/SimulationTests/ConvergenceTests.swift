// Worlds by seed. A failing seed prints the command that plays it again; it then gets a place, and a
// sentence, in RegressionTests.

import Simulation
import Testing

@Suite("I1–I10, I13–I17, I22 simulated worlds")
struct ConvergenceTests {
  /// Enough for every run of the tests; `make simulate SEEDS=n` plays any number, optimised.
  static let seeds: Range<UInt64> = 1..<26

  @Test func `every world settles with nothing lost`() async throws {
    var commits = 0
    var told = 0
    for seed in Self.seeds {
      // Two cores have two threads for everybody's tests.
      await Task.yield()
      do {
        var world = try World(seed: seed)
        try world.run(steps: World.usualSteps)
        commits += world.report.commits
        told += world.report.told
      } catch {
        Issue.record("seed \(seed): \(error)\nreplay: make simulate SEED=\(seed)")
      }
    }
    #expect(commits > Self.seeds.count * 10, "the worlds hardly did anything")
    #expect(told > Self.seeds.count, "hardly anybody was told anything")
  }

  @Test func `the same seed plays the same world`() throws {
    var first = try World(seed: 7)
    var second = try World(seed: 7)
    try first.run(steps: 300)
    try second.run(steps: 300)
    #expect(first.report.commits == second.report.commits)
    #expect(first.report.steps == second.report.steps)
    #expect(first.report.edits == second.report.edits)
  }
}
