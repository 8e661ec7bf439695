// Records the writes that an agent acknowledged while processes are killed, suspended or out of disk space.
// Afterwards the devices must show every acknowledged write, once (I1, I2).

import Records
import Synchronization

/// The acknowledged and the attempted writes of one writer.
package struct Ledger: Sendable {
  /// The company of a contact: the last acknowledged value and the last attempted one.
  package struct Company: Sendable {
    package var acknowledged: String
    package var attempted: String
  }

  /// The companies by contact name, for contacts whose creation was acknowledged.
  package private(set) var companies: [String: Company] = [:]
  /// The names of all contacts whose creation was attempted.
  package private(set) var attempts: [String] = []

  /// The number of acknowledged writes.
  package private(set) var acknowledgedCount = 0

  /// Returns a sentence for each acknowledged write that `contacts` does not show, and for each duplicate.
  package func broken(in contacts: [ContactRow]) -> [String] {
    let found = Dictionary(grouping: contacts) { $0.firstName }
    var sentences: [String] = []
    for (name, company) in companies {
      let rows = found[name] ?? []
      if rows.count != 1 { sentences.append("\(name) is there \(rows.count) times.") }
      // Either the acknowledged value, or the next attempt, whose outcome is unknown.
      let right = [company.acknowledged, company.attempted]
      for row in rows where !right.contains(row.company) {
        sentences.append("\(name) is “\(row.company)”, not one of \(right).")
      }
    }
    for name in attempts where (found[name] ?? []).count > 1 {
      sentences.append("\(name) was made twice.")
    }
    return sentences
  }

  fileprivate mutating func attempt(_ name: String) {
    attempts.append(name)
  }

  fileprivate mutating func attempt(_ name: String, company: String) {
    companies[name]?.attempted = company
  }

  fileprivate mutating func acknowledge(_ name: String, company: String) {
    companies[name] = Company(acknowledged: company, attempted: company)
    acknowledgedCount += 1
  }
}

/// Adds and changes contacts as fast as an agent answers, and continues after the agent was unavailable.
package struct LedgerWriter: Sendable {
  private let name: String
  private let requests: AgentRequests
  private let isOver: Flag

  /// Creates a writer whose contacts' names begin with `name`. It stops when `isOver` is set.
  package init(name: String, requests: AgentRequests, isOver: Flag) {
    self.name = name
    self.requests = requests
    self.isOver = isOver
  }

  /// Writes until `isOver` is set. The outcome of an attempt that had no answer is unknown.
  /// - Throws: any rejection; the agent should reject none of these writes.
  package func write() async throws -> Ledger {
    var ledger = Ledger()
    var count = 0
    while !isOver.isSet {
      count += 1
      do {
        try await write("\(name)\(count)", &ledger)
      } catch let error as RecordsError where error.code == .networkUnavailable {
        try await Task.sleep(for: .milliseconds(20))
      }
    }
    return ledger
  }

  private func write(_ first: String, _ ledger: inout Ledger) async throws {
    ledger.attempt(first)
    let id = try await requests.add(first: first, company: "0")
    ledger.acknowledge(first, company: "0")
    for round in 1...3 {
      ledger.attempt(first, company: "\(round)")
      try await requests.setCompany(of: id, to: "\(round)")
      ledger.acknowledge(first, company: "\(round)")
    }
  }

  /// Runs a writer on each of `devices` while `storm` runs. The dictionary's keys begin the contacts' names.
  /// - Returns: the writers' ledgers.
  package static func write(
    on devices: [String: AgentRequests], during storm: () async throws -> Void
  ) async throws -> [Ledger] {
    try await withThrowingTaskGroup(of: Ledger.self) { tasks in
      let isOver = Flag()
      for (name, requests) in devices {
        let writer = LedgerWriter(name: name, requests: requests, isOver: isOver)
        tasks.addTask { try await writer.write() }
      }
      try await storm()
      isOver.set()
      return try await tasks.reduce(into: []) { $0.append($1) }
    }
  }
}

/// A flag that is set once.
package final class Flag: Sendable {
  private let state = Mutex(false)

  /// Creates a flag that is not set.
  package init() {}

  /// Whether it is set.
  package var isSet: Bool { state.withLock { $0 } }

  /// Sets it.
  package func set() { state.withLock { $0 = true } }
}
