// Random operations on three devices of one account. Despite kills and lost connections the devices must show
// the same in the end, and no acknowledged value may be lost.

import Foundation
import Processes
import Records
import Testing

extension EndToEnd {
  @Suite("I1, I9, I13, I16, Z1 random operations on three devices")
  struct ConvergenceTests {
    /// The seeds of this run: `SEED`, or `ROUNDS` seeds from `FIRST`.
    static var seeds: [UInt64] {
      let environment = ProcessInfo.processInfo.environment
      if let seed = environment["SEED"].flatMap({ UInt64($0) }) { return [seed] }
      let first = environment["FIRST"].flatMap { UInt64($0) } ?? 1
      let rounds = environment["ROUNDS"].flatMap { UInt64($0) } ?? 3
      return Array(first..<first + rounds)
    }

    /// Whether the operations of a successful round are printed too.
    private static let isTraced = ProcessInfo.processInfo.environment["TRACE"] != nil

    @Test(arguments: seeds)
    func `the devices agree, and no acknowledged value is lost`(seed: UInt64) async throws {
      let start = ContinuousClock.now
      let report = try await Round(seed: seed, classes: OperationClass.chosen).run()
      print("round \(seed): \(report.failures.count) faults in \(ContinuousClock.now - start)")
      if Self.isTraced { print(report.log.joined(separator: "\n")) }
      #expect(report.isClean, "\(report)")
      #expect(report.log.count >= Round.operations)
    }
  }
}
