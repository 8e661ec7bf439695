// Worlds of shares by seed, as in ConvergenceTests.

import Simulation
import Testing

@Suite("I9, I10, I11, I12, I24, Z3, Z4 simulated worlds of shares")
struct SharingWorldTests {
  @Test func `nobody is ever sent what it may not see, and in the end has all it may`() async throws
  {
    var total = SharingWorld.Report()
    for seed in ConvergenceTests.seeds {
      await Task.yield()
      do {
        var world = try SharingWorld(seed: seed)
        try world.run(steps: SharingWorld.usualSteps)
        total.losses += world.report.losses
        total.sharedRecords += world.report.sharedRecords
        total.told += world.report.told
      } catch {
        Issue.record("seed \(seed): \(error)\nreplay: make simulate SEED=\(seed)")
      }
    }
    let count = ConvergenceTests.seeds.count
    #expect(total.losses > count, "hardly anybody lost anything")
    #expect(total.sharedRecords > count, "hardly anything was shared")
    #expect(total.told > count, "hardly anything was told")
  }
}
