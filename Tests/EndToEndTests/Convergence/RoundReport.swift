// The result of a round, with all that is needed to run it again.

/// The report of a round.
struct RoundReport: CustomStringConvertible {
  let seed: UInt64
  let classes: Set<OperationClass>
  /// The failures, a sentence each.
  var failures: [String] = []
  /// The operations and their results.
  var log: [String] = []
  /// The ends of the agents' logs, if the round failed.
  var agentLogs: [String] = []

  init(seed: UInt64, classes: Set<OperationClass>) {
    self.seed = seed
    self.classes = classes
  }

  var isClean: Bool { failures.isEmpty }

  var description: String {
    let left = OperationClass.allCases.filter { !classes.contains($0) }.map(\.rawValue)
    let without = left.isEmpty ? "" : " WITHOUT=\(left.joined(separator: ","))"
    let parts =
      ["Round \(seed) failed. Again: make converge SEED=\(seed)\(without)"]
      + failures.map { "- \($0)" } + ["Operations:"] + log
      + agentLogs.enumerated().map { "Log of device \($0):\n\($1)" }
    return parts.joined(separator: "\n")
  }
}
