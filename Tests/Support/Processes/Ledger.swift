// What was acknowledged, kept outside of everything that is killed, frozen or filled up; and the
// writer that keeps it. After the storm the devices are asked, and whatever the ledger says that
// they do not is a broken promise (I1, I2).

import Records
import Synchronization

/// What one writer was promised.
package struct Ledger: Sendable {
  /// A contact's company: the last value that was acknowledged, and the last that was tried.
  package struct Company: Sendable {
    package var acknowledged: String
    package var attempted: String
  }

  /// By the contacts' names; only those whose making was acknowledged.
  package private(set) var companies: [String: Company] = [:]
  /// The names of all contacts that were tried.
  package private(set) var attempts: [String] = []

  /// How many writes were acknowledged.
  package private(set) var acknowledgedCount = 0

  /// What of this ledger does not hold among `contacts`, a sentence each.
  package func broken(in contacts: [ContactRow]) -> [String] {
    let found = Dictionary(grouping: contacts) { $0.firstName }
    var sentences: [String] = []
    for (name, company) in companies {
      let rows = found[name] ?? []
      if rows.count != 1 { sentences.append("\(name) is there \(rows.count) times.") }
      // What was acknowledged, or the one attempt after it of which nobody knows the end.
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

/// Adds contacts and changes them as fast as an agent answers, and goes on when it is gone.
package struct LedgerWriter: Sendable {
  private let name: String
  private let requests: AgentRequests
  private let isOver: Flag

  /// A writer whose contacts' names begin with `name`, until `isOver` is set.
  package init(name: String, requests: AgentRequests, isOver: Flag) {
    self.name = name
    self.requests = requests
    self.isOver = isOver
  }

  /// Writes until it is over; an attempt that met nobody is not known to have happened.
  /// - Throws: what an agent refuses: nothing here should be.
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

  /// Lets a writer write on each of `devices`, whose names its contacts get, while `storm` lasts.
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

/// Says once that it is over.
package final class Flag: Sendable {
  private let state = Mutex(false)

  /// A flag that is not set.
  package init() {}

  /// Whether it is set.
  package var isSet: Bool { state.withLock { $0 } }

  /// Sets it.
  package func set() { state.withLock { $0 = true } }
}
