import Processes
import Records
import Synchronization
import Testing

extension EndToEnd {
  @Suite("B6, I1, I2, I8, I9 kill -9 under load")
  struct CrashTests {
    @Test func `nothing acknowledged is lost and nothing needs repair`() async throws {
      let world = try await World()
      let ledgers = try await withThrowingTaskGroup(of: Ledger.self) { tasks in
        let isOver = Flag()
        for (name, device) in [("l", world.laptop), ("p", world.phone)] {
          let writer = Writer(name: name, requests: device.requests, isOver: isOver)
          tasks.addTask { try await writer.write() }
        }
        for round in 0..<EndToEnd.kills {
          try await Task.sleep(for: .milliseconds(Int.random(in: 50...400)))
          try await kill(round, of: world)
        }
        isOver.set()
        var ledgers: [Ledger] = []
        for try await ledger in tasks { ledgers.append(ledger) }
        return ledgers
      }
      let contacts = try await world.settle()
      for ledger in ledgers { expect(ledger, in: contacts) }
      #expect(contacts.filter { $0.id.hasPrefix("bundled-") }.count == 10)
      let attempts = ledgers.reduce(0) { $0 + $1.attempts.count }
      #expect(contacts.count - 10 <= attempts)
    }

    private func kill(_ round: Int, of world: World) async throws {
      switch round % 3 {
      case 0:
        try await world.broker.kill()
        try await world.broker.restart()
      case 1:
        try await world.laptop.kill()
        try await world.laptop.restart()
      default:
        try await world.phone.kill()
        try await world.phone.restart()
      }
    }

    private func expect(_ ledger: Ledger, in contacts: [ContactRow]) {
      let found = Dictionary(grouping: contacts) { $0.firstName }
      #expect(!ledger.companies.isEmpty)
      for (name, company) in ledger.companies {
        let rows = found[name] ?? []
        #expect(rows.count == 1, "\(name) is there \(rows.count) times.")
        // What was acknowledged, or the one attempt after it of which nobody knows the end.
        let right = [company.acknowledged, company.attempted]
        #expect(rows.allSatisfy { right.contains($0.company) }, "\(name) is not \(right).")
      }
      for name in ledger.attempts { #expect((found[name] ?? []).count <= 1) }
    }

    @Test func `all three killed at once come back as they were`() async throws {
      let world = try await World()
      let id = try await world.laptop.requests.add(first: "Ann")
      try await world.phone.requests.setCompany(of: "bundled-1-01", to: "Of the phone")
      world.broker.program.send(9)
      try await world.laptop.kill()
      try await world.phone.kill()
      try await world.broker.kill()
      try await world.laptop.restart()
      try await world.phone.restart()
      #expect(try await world.laptop.requests.contact(id)?.firstName == "Ann")
      try await world.broker.restart()
      let contacts = try await world.settle()
      #expect(contacts.count == 11)
      #expect(contacts.first { $0.id == "bundled-1-01" }?.company == "Of the phone")
    }
  }
}

/// What one writer was promised, kept outside of everything that is killed.
private struct Ledger: Sendable {
  struct Company: Sendable {
    var acknowledged: String
    var attempted: String
  }

  /// By the contacts' names; only those whose making was acknowledged.
  var companies: [String: Company] = [:]
  var attempts: [String] = []
}

/// Says once that it is over.
private final class Flag: Sendable {
  private let state = Mutex(false)

  var isSet: Bool { state.withLock { $0 } }

  func set() { state.withLock { $0 = true } }
}

/// Adds contacts and changes them, as fast as its agent answers, and goes on when it is killed.
private struct Writer: Sendable {
  let name: String
  let requests: AgentRequests
  let isOver: Flag

  func write() async throws -> Ledger {
    var ledger = Ledger()
    var count = 0
    while !isOver.isSet {
      count += 1
      do {
        try await write("\(name)\(count)", &ledger)
      } catch let error as RecordsError where error.code == .networkUnavailable {
        // Killed: what was asked last is not known to have happened.
        try await Task.sleep(for: .milliseconds(20))
      }
    }
    return ledger
  }

  private func write(_ first: String, _ ledger: inout Ledger) async throws {
    ledger.attempts.append(first)
    let id = try await requests.add(first: first, company: "0")
    ledger.companies[first] = Ledger.Company(acknowledged: "0", attempted: "0")
    for round in 1...3 {
      ledger.companies[first]?.attempted = "\(round)"
      try await requests.setCompany(of: id, to: "\(round)")
      ledger.companies[first]?.acknowledged = "\(round)"
    }
  }
}
