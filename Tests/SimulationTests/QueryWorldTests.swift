import Simulation
import Testing

@Suite("K5 queries on devices and their broker")
struct QueryWorldTests {
  @Test(arguments: 0..<40)
  func `each page is what the device shows, and in the end what the broker has`(seed: UInt64)
    throws
  {
    var world = try QueryWorld(seed: seed, stepsMaximum: 400)
    try world.run()
    #expect(world.report.comparisons > 0)
  }

  @Test
  func `worlds query devices with unsent edits, while indexes are filled and after sign-out`()
    throws
  {
    var sum = QueryWorld.Report()
    for seed in UInt64(1_000)..<1_020 {
      var world = try QueryWorld(seed: seed, stepsMaximum: 200)
      try world.run()
      sum.queries += world.report.queries
      sum.found += world.report.found
      sum.queriesWhileFilling += world.report.queriesWhileFilling
      sum.queriesWithUnsentEdits += world.report.queriesWithUnsentEdits
      sum.signOuts += world.report.signOuts
    }
    #expect(sum.queries > 100 && sum.found > 100)
    #expect(sum.queriesWhileFilling > 20 && sum.queriesWithUnsentEdits > 20 && sum.signOuts > 2)
  }
}
