// A run by seed: devices write and read through several brokers while brokers, servers and connections fail. At the end
// all of them work again, the devices catch up, and the checker looks at all that they saw.

import Foundation
import PostgreSQLStores
import PredicateWorld
import Processes
import Records
import RecordsWire
import SQLConnections

/// A run of one seed.
struct FailoverRun {
  /// The parts of a run, and what is counted.
  struct Result {
    var problems: [String] = []
    var faults: [String: Int] = [:]
    var moves: [Duration] = []
    var movesBesidePauses: [Duration] = []
    var writeCount = 0
    var noticeCount = 0
    var endCounts = (killed: 0, own: 0, replaced: 0)
  }

  static let stepCount = 10

  private let conditions: FailoverConditions
  private let servers: ServerPair
  private let database: String
  private var generator: SeededGenerator
  private var fleet: Fleet
  private(set) var result = Result()

  /// Starts the servers and brokers and makes the accounts and zones.
  init(seed: UInt64, under conditions: FailoverConditions) async throws {
    var generator = SeededGenerator(seed: seed)
    let servers = try await ServerPair()
    let database = "failover"
    try servers.primary.observer().run("CREATE DATABASE \(database)")
    let brokers = try conditions.clocks.indices.map { number in
      try FailoverBroker(
        number, database: database, servers: servers.servers, conditions: conditions)
    }
    var plan = FleetPlan(using: &generator)
    try await Self.start(brokers)
    try await plan.make(at: brokers[0].socketPath)
    fleet = Fleet(plan: plan, brokers: brokers, generator: SeededGenerator(seed: seed &+ 1 << 32))
    self.conditions = conditions
    self.servers = servers
    self.database = database
    self.generator = generator
  }

  private static func start(_ brokers: [FailoverBroker]) async throws {
    for broker in brokers {
      try await Patience.wait(until: "broker \(broker.number) to listen") {
        if let problem = try broker.supervise(at: .now) {
          throw RecordsError(.serviceUnavailable, "\(problem) \(broker.log)")
        }
        return broker.log.contains(" serving ")
      }
    }
  }

  /// Runs all steps. Returns why they could not be run, if so.
  mutating func run() async -> (any Error)? {
    do {
      try await runSteps()
      return nil
    } catch {
      return error
    }
  }

  private mutating func runSteps() async throws {
    try await fleet.run(until: { $0.devices.allSatisfy(\.isLive) })
    for step in 0..<Self.stepCount {
      let fault = FailoverFault(brokers: fleet.brokers.count, using: &generator)
      let isCrossed = !fault.isOfOneBroker && generator.percent(40)
      try await fleet.run(for: .milliseconds(generator.below(400)))
      if isCrossed { crossWithKill() }
      try await suffer(fault)
      for change in conditions.changes(after: step) { try await suffer(change) }
    }
    try await finish()
  }

  /// Lets a broker fail while the servers do.
  private mutating func crossWithKill() {
    fleet.kill(
      generator.one(of: fleet.brokers), for: .milliseconds(generator.below(1000)))
  }

  private mutating func suffer(_ fault: FailoverFault) async throws {
    result.faults[fault.name, default: 0] += 1
    switch fault {
    case .brokerKill(let number, let milliseconds):
      fleet.kill(fleet.brokers[number], for: .milliseconds(milliseconds))
    case .brokerPause(let number, let milliseconds):
      fleet.brokers[number].pause()
      try await fleet.run(for: .milliseconds(milliseconds))
      fleet.brokers[number].resume()
    case .cut(let number, let cut, let refusal):
      for proxy in fleet.brokers[number].proxies {
        proxy.arm(cut)
        if refusal > 0 { proxy.refuse(for: .milliseconds(refusal)) }
      }
      try await fleet.run(for: .milliseconds(500))
      for proxy in fleet.brokers[number].proxies { proxy.disarm() }
    case .removal: fleet.removeParticipant()
    case .replacement(let number): fleet.brokers[number].stop()
    default: try await sufferOfServers(fault)
    }
  }

  private mutating func sufferOfServers(_ fault: FailoverFault) async throws {
    let (servers, database, isOver) = (servers, database, Flag())
    let failure = Task {
      defer { isOver.set() }
      try await servers.suffer(fault, database: database)
    }
    fleet.isServerFailing = true
    try await fleet.run(until: { _ in isOver.isSet })
    fleet.isServerFailing = false
    try await failure.value
  }

  // MARK: The end

  private mutating func finish() async throws {
    fleet.isWriting = false
    for broker in fleet.brokers { broker.resume() }
    let end = ContinuousClock.now + .seconds(60)
    try await fleet.run(until: { fleet in
      .now >= end || fleet.devices.allSatisfy { $0.isLive && $0.isDone }
    })
    for device in fleet.devices where !device.isLive || !device.isDone {
      fleet.problems.append("Device \(device.number) is not done: \(device.state).")
    }
    // A last time, so that each device has what the others wrote last.
    try await fleet.run(for: .seconds(2))
    for broker in fleet.brokers { try await read(through: broker) }
    let members = Dictionary(
      uniqueKeysWithValues: fleet.plan.zones.map { ($0.number, Set($0.accounts)) })
    result.problems =
      fleet.problems + FailoverChecker.problems(of: fleet.history)
      + NotificationChecker.problems(of: fleet.history, members: members)
    result.noticeCount = fleet.history.events.count {
      if case .notified = $0 { true } else { false }
    }
    result.moves = fleet.moves.sorted()
    result.movesBesidePauses = fleet.movesBesidePauses.sorted()
    result.writeCount = fleet.history.events.count {
      if case .answered(_, .committed) = $0 { true } else { false }
    }
    for broker in fleet.brokers {
      result.endCounts.killed += broker.endCounts.killed
      result.endCounts.own += broker.endCounts.own
      result.endCounts.replaced += broker.endCounts.replaced
    }
  }

  /// Reads each zone from the start as a new device of its owner.
  private mutating func read(through broker: FailoverBroker) async throws {
    for account in 0..<FleetPlan.accountCount {
      let zones = fleet.plan.zones.filter { $0.owner == account }
      var device = WireDevice(account: FleetPlan.name(ofAccount: account))
      let client = try WireClient(socketPath: broker.socketPath)
      device.id = try await client.welcome(
        device.hello(zones: zones.map { ZonePosition(zone: $0.id, token: nil) })
      ).device
      var records: [Int: [String: FailoverHistory.Tagged]] = [:]
      for _ in zones { try await readNext(over: client, broker.number, into: &records) }
      client.close()
    }
  }

  /// Reads until a zone is complete. A broker may send all its commits, or only the newest states.
  private mutating func readNext(
    over client: WireClient, _ broker: Int,
    into records: inout [Int: [String: FailoverHistory.Tagged]]
  ) async throws {
    while true {
      guard let frame = try await client.next() else {
        throw RecordsError(.networkUnavailable, "The broker closed before the end of a zone.")
      }
      switch frame.message {
      case .changes(let changes):
        guard let zone = fleet.plan.number(of: changes.zone) else { continue }
        for change in changes.changes {
          guard let tagged = FailoverHistory.Tagged(change, zone: zone, devices: fleet.ids)
          else { continue }
          records[zone, default: [:]][change.name.text] = tagged.state.value.map { _ in tagged }
        }
      case .level(let id, _, let head, _, _):
        let zone = fleet.plan.number(of: id) ?? -1
        let states = (records[zone] ?? [:]).values.sorted { $0.tag < $1.tag }
        fleet.history.add(
          .finalRead(broker: broker, zone: zone, head: head.value, states))
        return
      default: break
      }
    }
  }

  /// Writes the history and the brokers' logs into a folder, for a search of the cause.
  func save(in folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var text = ""
    for (number, event) in fleet.history.events.enumerated() { text += "\(number) \(event)\n" }
    try text.write(toFile: "\(folder)/history", atomically: false, encoding: .utf8)
    for broker in fleet.brokers {
      try broker.log.write(
        toFile: "\(folder)/broker\(broker.number)", atomically: false, encoding: .utf8)
    }
    for (number, server) in servers.servers.enumerated() {
      try server.log.write(
        toFile: "\(folder)/server\(number)", atomically: false, encoding: .utf8)
    }
  }
}
