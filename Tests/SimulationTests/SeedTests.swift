// Runs five hundred simulation seeds; `make simulate SEEDS=n` runs any number, built with optimization. A
// failed seed prints the command that replays it. Each fault found this way gets a test next to the faulty
// code and a row in docs/bugs.md.

import PostgreSQLStores
import Processes
import Simulation
import Testing

@Suite("I1–I17, I19, I22, I24 simulated worlds")
struct SeedTests {
  /// Limits the worlds, because tests are not optimized: five hundred full worlds would take minutes.
  private static let stepsMaximum = 120

  @Test(arguments: Seed.Kind.allCases)
  func `every world settles and violates no invariant`(kind: Seed.Kind) async throws {
    var total = Seed.Report()
    var count = 0
    for seed in (1...500).map({ Seed($0) }) where seed.kind == kind {
      // On two cores all tests share two threads.
      await Task.yield()
      count += 1
      do {
        total.add(try seed.play(stepsMaximum: Self.stepsMaximum))
      } catch {
        let replay = "make simulate SEED=\(seed.number) STEPS=\(Self.stepsMaximum)"
        Issue.record("seed \(seed.number): \(error)\nreplay: \(replay)")
      }
    }
    #expect(count > 50)
    #expect(total.commits > count * 5, "the worlds have hardly any commits")
    switch kind {
    case .account:
      #expect(total.notifications > count, "hardly any device was notified")
      #expect(total.cascadedDeletions > 0, "no note was deleted with its record")
      #expect(total.moves > count / 4, "hardly any contact was moved")
      #expect(total.resolutions > 0, "no conflict was resolved")
      #expect(total.groupRestorations > 0, "no deleted group was restored")
    case .restores:
      #expect(total.restores > count, "hardly any backup was restored")
      #expect(total.damages > count / 2, "hardly any record was damaged")
    case .timeline: #expect(total.cascadedDeletions > 0, "no comment was deleted with its post")
    case .subscriptions: #expect(total.notifications > count * 10, "hardly any device was notified")
    case .shares:
      #expect(total.losses > count / 10, "hardly any account lost a zone")
      #expect(total.sharedRecords > count / 10, "hardly any record was shared")
      #expect(total.notifications > count / 10, "hardly any device was notified")
    }
  }

  // Worlds of full length, whose faults the shorter ones above do not reach.
  @Test(arguments: [2385, 5014, 5265, 5481, 5534, 22541, 30442, 901_201, 901_730] as [UInt64])
  func `a seed of full length that once failed passes`(number: UInt64) throws {
    #expect(try Seed(number).play(stepsMaximum: 800).steps > 0)
  }

  /// The worlds whose brokers have no backups, which PostgreSQL makes itself.
  @Test(
    .disabled(if: PostgreSQLServer.obstacle != nil, "\(PostgreSQLServer.obstacle ?? "")"),
    arguments: Seed.Kind.allCases.filter { $0 != .restores })
  func `worlds with a broker on PostgreSQL settle and violate no invariant`(
    kind: Seed.Kind
  ) async throws {
    var total = Seed.Report()
    for seed in (1...100).map({ Seed($0) }).filter({ $0.kind == kind }).prefix(20) {
      await Task.yield()
      do {
        total.add(
          try seed.play(stepsMaximum: Self.stepsMaximum) { try PostgreSQLStores.make(cascades: $0) }
        )
      } catch {
        Issue.record("seed \(seed.number): \(error)")
      }
    }
    #expect(total.commits > 100, "the worlds have hardly any commits")
  }

  @Test func `the same seed gives the same world`() throws {
    for number in UInt64(7)..<27 {
      let first = try Seed(number).play(stepsMaximum: Self.stepsMaximum)
      let second = try Seed(number).play(stepsMaximum: Self.stepsMaximum)
      #expect(first.commits == second.commits)
      #expect(first.steps == second.steps)
      #expect(first.notifications == second.notifications)
    }
  }

  @Test func `adjacent seeds give worlds of every kind and of many lengths`() throws {
    let seeds = (UInt64(1)...60).map { Seed($0) }
    #expect(Set(seeds.map(\.kind)) == Set(Seed.Kind.allCases))
    let steps = try seeds.filter { $0.kind == .account }.map {
      try $0.play(stepsMaximum: Self.stepsMaximum).steps
    }
    #expect(Set(steps).count > steps.count / 3)
    #expect(steps.allSatisfy { (30...Self.stepsMaximum).contains($0) })
  }
}
