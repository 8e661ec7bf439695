import FoundationEssentials
import Processes
import Testing

private let environment = ProcessInfo.processInfo.environment
private let runCount = environment["RUNS"].flatMap { Int($0) } ?? 8
private let first = environment["FIRST"].flatMap { UInt64($0) } ?? 1
private let seeds =
  environment["SEED"].flatMap { UInt64($0) }.map { [$0] }
  ?? (0..<UInt64(runCount)).map { first + $0 }

@Suite(
  "B6, I1, I2, S3 a PostgreSQL server that fails", onPostgreSQL, .serialized,
  .timeLimit(.minutes(5 + runCount / 20)))
struct FaultRunTests {
  private static let world = Result { try FaultWorld() }

  /// `RUNS` sets the number of seeds, `FIRST` the first one, `SEED` the only one.
  @Test(arguments: seeds)
  func `acknowledged writes are there once, and nothing else is`(seed: UInt64) async throws {
    let world = try Self.world.get()
    let (problems, summary) = try await onThread {
      var run = try FaultRun(seed: seed, in: world)
      try run.run()
      let counts = run.faults.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }
      return (
        run.ledger.problems,
        "seed \(seed): \(run.ledger.outcomes.count) acknowledged, \(run.refusalCount) refused; "
          + counts.joined(separator: ", ")
      )
    }
    if environment["RUNS"] != nil { print(summary) }
    #expect(problems == [])
  }
}
