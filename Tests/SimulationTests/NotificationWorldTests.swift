// Worlds of subscriptions by seed, as in ConvergenceTests.

import Simulation
import Testing

@Suite("I10, I16 simulated worlds of subscriptions")
struct NotificationWorldTests {
  @Test func `every device is told what evaluating afresh over history tells, once`() async throws {
    var told = 0
    for seed in ConvergenceTests.seeds {
      await Task.yield()
      do {
        var world = try NotificationWorld(seed: seed)
        try world.run(steps: NotificationWorld.usualSteps)
        told += world.report.told
      } catch {
        Issue.record("seed \(seed): \(error)\nreplay: make simulate SEED=\(seed)")
      }
    }
    #expect(told > ConvergenceTests.seeds.count * 10, "the worlds hardly told anything")
  }
}
