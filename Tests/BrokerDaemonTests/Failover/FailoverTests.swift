import Foundation
import Processes
import Testing

private let environment = ProcessInfo.processInfo.environment
private let runCount = environment["RUNS"].flatMap { Int($0) } ?? 2
private let brokerCount = environment["BROKERS"].flatMap { Int($0) } ?? 3
private let first = environment["FIRST"].flatMap { UInt64($0) } ?? 3
private let seeds =
  environment["SEED"].flatMap { UInt64($0) }.map { [$0] }
  ?? (0..<UInt64(runCount)).map { first + $0 }

@Suite(
  "B6, I1, I2, I5, S3 brokers on one database fail, and so does the server", .serialized,
  .disabled(if: PostgreSQLServer.obstacle != nil, "\(PostgreSQLServer.obstacle ?? "")"),
  .timeLimit(.minutes(5 + runCount)))
struct FailoverTests {
  /// `RUNS` sets the number of seeds, `FIRST` the first one, `SEED` the only one; `BROKERS` the number of brokers.
  @Test(arguments: seeds)
  func `every device sees what was acknowledged, once and in order`(seed: UInt64) async throws {
    let conditions = FailoverConditions(
      seed: seed, brokerCount: brokerCount, stepCount: FailoverRun.stepCount)
    if conditions.areClocksApart, let obstacle = FalseClock.obstacle {
      print("seed \(seed): not run. \(obstacle)")
      try Test.cancel("\(obstacle)")
    }
    var run = try await FailoverRun(seed: seed, under: conditions)
    let failure = await run.run()
    let result = run.result
    if environment["RUNS"] != nil || environment["SEED"] != nil {
      print("seed \(seed): \(conditions); \(result)")
      if failure != nil || !result.problems.isEmpty {
        try run.save(in: "\(FileManager.default.temporaryDirectory.path())/failover-\(seed)")
      }
    }
    #expect(result.problems == [])
    if let failure { throw failure }
  }
}

extension FailoverRun.Result: CustomStringConvertible {
  var description: String {
    let counts = faults.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }
    return """
      \(writeCount) writes, \(noticeCount) notifications\(Self.text(moves, "moves"))\
      \(Self.text(movesBesidePauses, "moves beside a paused broker")), brokers ended \(endCounts.killed) + \(endCounts.own) times and were replaced \(endCounts.replaced) \
      times; \
      \(counts.joined(separator: ", "))
      """
  }

  private static func text(_ moves: [Duration], _ name: String) -> String {
    moves.last.map { ", \(moves.count) \(name), the slowest \($0)" } ?? ""
  }
}
