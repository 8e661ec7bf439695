// Worlds by seed, five hundred in every run of the tests; `make simulate SEEDS=n` plays any number,
// optimised. A failing seed prints the command that plays it again; what it found then gets a test of its
// own, where it was wrong, and a row in docs/bugs.md.

import Simulation
import Testing

@Suite("I1–I17, I19, I22, I24 simulated worlds")
struct SeedTests {
  /// Short worlds: the tests are not optimised, and five hundred of full length would take minutes.
  private static let stepsMost = 120

  @Test(arguments: Seed.Kind.allCases)
  func `every world settles, and no invariant was broken`(kind: Seed.Kind) async throws {
    var total = Seed.Report()
    var count = 0
    for seed in (1...500).map({ Seed($0) }) where seed.kind == kind {
      // Two cores have two threads for everybody's tests.
      await Task.yield()
      count += 1
      do {
        total.add(try seed.play(stepsMost: Self.stepsMost))
      } catch {
        let replay = "make simulate SEED=\(seed.number) STEPS=\(Self.stepsMost)"
        Issue.record("seed \(seed.number): \(error)\nreplay: \(replay)")
      }
    }
    #expect(count > 50)
    #expect(total.commits > count * 5, "the worlds hardly did anything")
    switch kind {
    case .account:
      #expect(total.told > count, "hardly anybody was told anything")
      #expect(total.wentAlong > 0, "nothing went with what it is about")
      #expect(total.moves > count / 4, "hardly anything was moved")
      #expect(total.resolutions > 0, "no conflict was resolved")
    case .restores:
      #expect(total.restores > count, "hardly any backup was restored")
      #expect(total.damages > count / 2, "hardly anything was damaged")
    case .timeline: #expect(total.wentAlong > 0, "no comment went with its post")
    case .subscriptions: #expect(total.told > count * 10, "hardly anybody was told anything")
    case .shares:
      #expect(total.losses > count / 10, "hardly anybody lost anything")
      #expect(total.sharedRecords > count / 10, "hardly anything was shared")
      #expect(total.told > count / 10, "hardly anything was told")
    }
  }

  @Test func `the same seed plays the same world`() throws {
    for number in UInt64(7)..<27 {
      let first = try Seed(number).play(stepsMost: Self.stepsMost)
      let second = try Seed(number).play(stepsMost: Self.stepsMost)
      #expect(first.commits == second.commits)
      #expect(first.steps == second.steps)
      #expect(first.told == second.told)
    }
  }

  @Test func `neighbouring seeds play worlds of every kind and of many lengths`() throws {
    let seeds = (UInt64(1)...60).map { Seed($0) }
    #expect(Set(seeds.map(\.kind)) == Set(Seed.Kind.allCases))
    let steps = try seeds.filter { $0.kind == .account }.map {
      try $0.play(stepsMost: Self.stepsMost).steps
    }
    #expect(Set(steps).count > steps.count / 3)
    #expect(steps.allSatisfy { (30...Self.stepsMost).contains($0) })
  }
}
