// A simulated world of subscriptions: a broker and a few devices that write, subscribe and receive
// notifications. Connections end, the broker crashes between any two steps, sockets stall, acknowledgements
// are lost. Finally each device must have received the notifications that evaluating every subscription over
// the history gives, each once and in order (I10).

import BrokerCore
import Records

/// A simulated world of subscriptions.
package struct NotificationWorld {
  /// The results of a run.
  package struct Report: Sendable {
    /// Steps performed.
    package var steps = 0
    /// Changes committed.
    package var commits = 0
    /// Notifications that devices received.
    package var notifications = 0
    /// Crashes of the broker.
    package var crashes = 0
    /// Subscriptions saved.
    package var saved = 0
  }

  private enum Action: Hashable, Sendable { case write, subscribe, fault, tick, progress }

  /// A step moves one message only; in worlds of complete devices a step also performs what follows from it.
  private static let stepsPerStep = 2.5

  private static let contact = RecordType(stored: "Contact")

  private let climate: Climate
  private let actionOdds: Odds<Action>
  private var generator: SimulationGenerator
  private var broker: SimulatedBroker
  private var oracle: SubscriptionOracle?
  private var listeners: [SimulatedListener]
  private var lastConnection = 0
  private var seconds: Int64 = 0
  private var hasFaults = true
  package private(set) var report = Report()

  /// Creates the world of `seed`.
  package init(seed: UInt64, stepsMaximum: Int) throws {
    generator = SimulationGenerator(seed: seed)
    climate = Climate(
      drawnBy: &generator, devices: 2...5, stepsMaximum: stepsMaximum,
      stepsPerStep: Self.stepsPerStep)
    let usual: Odds<Action> = Odds([
      .write: 14, .subscribe: 6, .fault: 4, .tick: 6, .progress: 70,
    ])
    actionOdds = usual.drawn(by: &generator, needed: [.write, .subscribe, .progress])
    broker = try SimulatedBroker(generator: &generator)
    listeners = (0..<climate.devices).map(SimulatedListener.init)
  }

  private var now: Timestamp {
    Timestamp(microseconds: 1_800_000_000_000_000 + seconds * 1_000_000)
  }

  /// Performs the steps with faults, lets the world settle and compares.
  /// - Throws: `InvariantViolation`, or an error of the store.
  package mutating func run() throws {
    for _ in 0..<climate.steps { try step() }
    report.steps = climate.steps
    hasFaults = false
    for index in listeners.indices { try setStalled(index, false) }
    var quiet = 0
    var settling = 0
    while quiet < 4 {
      settling += 1
      guard settling < 50_000 else { throw InvariantViolation("I16", "the world does not settle") }
      if try advance() { quiet = 0 } else { (quiet, _) = (quiet + 1, try tick()) }
    }
    for listener in listeners { try compare(listener) }
  }

  // MARK: Steps

  private mutating func step() throws {
    switch actionOdds.next(&generator) {
    case .write: write()
    case .subscribe: subscribe()
    case .fault: try fault()
    case .tick: try tick()
    case .progress: _ = try advance()
    }
  }

  private mutating func tick() throws {
    seconds += 1
    try perform(broker.handle(.ticked(seconds: seconds)))
  }

  private enum Progress {
    case connect(Int)
    case up(Int)
    case down(Int)
    case commit, report, read
  }

  /// Performs one event that is in progress; returns `false` if there is none.
  private mutating func advance() throws -> Bool {
    var choices: [Progress] = []
    for listener in listeners {
      if listener.connection == nil { choices.append(.connect(listener.index)) }
      if !listener.up.isEmpty { choices.append(.up(listener.index)) }
      if !listener.down.isEmpty, !listener.isStalled { choices.append(.down(listener.index)) }
    }
    if broker.results != nil {
      choices.append(.report)
    } else if !broker.waiting.isEmpty {
      choices.append(.commit)
    }
    if broker.isReading { choices.append(.read) }
    guard let choice = choices.randomElement(using: &generator) else { return false }
    switch choice {
    case .connect(let index): try connect(index)
    case .up(let index):
      guard let connection = listeners[index].connection else { return true }
      let message = listeners[index].up.removeFirst()
      try perform(broker.handle(.received(connection, number: 1, message, byteCount: 100)))
    case .down(let index):
      let message = listeners[index].down.removeFirst()
      try listeners[index].received(message)
    case .commit:
      for (request, result) in broker.commit(at: now, generator: &generator) {
        try oracle?.take(request, result)
        report.commits += result.committed?.zones.reduce(0) { $0 + $1.changes.count } ?? 0
      }
    case .report: try perform(broker.report())
    case .read: try perform(broker.read(at: now, generator: &generator))
    }
    return true
  }

  private mutating func connect(_ index: Int) throws {
    lastConnection += 1
    let connection = ConnectionID(lastConnection)
    listeners[index].connection = connection
    try perform(broker.handle(.opened(connection, .localUser(0))))
    listeners[index].up = [.hello(listeners[index].hello)]
  }

  private mutating func perform(_ actions: [BrokerAction]) throws {
    for action in actions {
      guard case .send(let connection, _, let message) = action,
        let index = listeners.firstIndex(where: { $0.connection == connection })
      else { continue }
      if case .goodbye = message {
        // The broker disconnects a listener that was silent or did not read for too long. It connects again.
        listeners[index].disconnected()
        continue
      }
      if case .welcome(let welcome) = message, oracle == nil {
        oracle = SubscriptionOracle(account: welcome.account)
      }
      listeners[index].down.append(message)
    }
  }

  // MARK: Faults

  private mutating func fault() throws {
    let index = generator.below(listeners.count)
    switch generator.below(6) {
    case 0, 1:
      guard let connection = listeners[index].connection else { return }
      listeners[index].disconnected()
      try perform(broker.handle(.closed(connection)))
    case 2, 3: try setStalled(index, !listeners[index].isStalled)
    default:
      report.crashes += 1
      broker.crash()
      for index in listeners.indices { listeners[index].disconnected() }
      // A new machine starts with the current clock.
      try perform(broker.handle(.ticked(seconds: seconds)))
    }
  }

  private mutating func setStalled(_ index: Int, _ isStalled: Bool) throws {
    guard let connection = listeners[index].connection, listeners[index].isStalled != isStalled
    else { return }
    listeners[index].isStalled = isStalled
    try perform(broker.handle(.writabilityChanged(connection, isWritable: !isStalled)))
  }

  // MARK: People

  private mutating func write() {
    let index = generator.below(listeners.count)
    let operations = (0...generator.below(3)).map { _ -> Operation in
      let name = RecordName(stored: "r\(generator.below(6))")
      if generator.happens(percent: 20) {
        return .delete(Operation.Delete(name: name, tag: nil, isForced: true))
      }
      let fields: Fields = [
        "a": .int64(Int64(generator.below(4))), "b": .string(["x", "y"][generator.below(2)]),
      ]
      return .save(
        Operation.Save(
          name: name, type: Self.contact,
          policy: generator.happens(percent: 50) ? .allKeys : .changedKeys,
          tag: nil, fields: EncodedRecord(fields)))
    }
    listeners[index].write([OperationGroup(zone: .standard, operations: operations)])
  }

  private mutating func subscribe() {
    let index = generator.below(listeners.count)
    guard let device = listeners[index].device, listeners[index].connection != nil else { return }
    let id = SubscriptionID(stored: "s\(generator.below(5))")
    if generator.happens(percent: 25) { return listeners[index].up.append(.deleteSubscription(id)) }
    report.saved += 1
    var notification = NotificationForm()
    if generator.happens(percent: 25) { notification.collapseKey = "k" }
    notification.title = "{b}"
    let predicate = ["TRUEPREDICATE", "a > 1", "b == 'x'", "NOT (a == 2 OR b == 'y')"]
    let query = SubscriptionForm.Kind.query(
      type: Self.contact, predicate: PredicateText(predicate[generator.below(4)]),
      zone: generator.happens(percent: 50) ? .standard : nil)
    let kinds: [SubscriptionForm.Kind] = [
      query, query, .zone(.standard, type: nil), .database(type: Self.contact),
    ]
    listeners[index].up.append(
      .saveSubscription(
        SubscriptionForm(
          id: id, device: generator.happens(percent: 30) ? device : nil,
          kind: kinds[generator.below(4)],
          options: FiringOptions(rawValue: UInt8(1 + generator.below(7))),
          firesOnce: generator.happens(percent: 20),
          includesOwnChanges: generator.happens(percent: 30),
          notification: notification)))
  }

  // MARK: Comparison

  /// I10: the device received the expected notifications in order. Only notifications of a deleted
  /// subscription, and those replaced by a later one with the same collapse key, may be missing.
  private mutating func compare(_ listener: SimulatedListener) throws {
    guard let device = listener.device, let oracle else { return }
    var due = oracle.expectedNotifications[device, default: []][...]
    report.notifications += listener.notifications.count
    for (notification, firing) in listener.notifications {
      while let next = due.first, !next.matches(firing, notification) {
        try checkMayBeMissing(next, followedBy: due.dropFirst(), listener, oracle)
        due.removeFirst()
      }
      guard due.popFirst() != nil else {
        throw InvariantViolation(
          "I10",
          "listener \(listener.index) received \(firing.reason) of \(notification.record) by "
            + "\(firing.subscription), which the oracle did not expect")
      }
    }
    while let next = due.popFirst() {
      try checkMayBeMissing(next, followedBy: due, listener, oracle)
    }
  }

  private func checkMayBeMissing(
    _ expected: SubscriptionOracle.ExpectedNotification,
    followedBy later: ArraySlice<SubscriptionOracle.ExpectedNotification>,
    _ listener: SimulatedListener, _ oracle: SubscriptionOracle
  ) throws {
    if oracle.deleted.contains(expected.version) { return }
    let isReplaced = later.contains {
      $0.subscription == expected.subscription && $0.collapseKey == expected.collapseKey
    }
    if expected.collapseKey != nil, isReplaced { return }
    throw InvariantViolation(
      "I10",
      "listener \(listener.index) did not receive \(expected.reason) of \(expected.record) at "
        + "\(expected.tag) by \(expected.subscription)")
  }
}

extension SubscriptionOracle.ExpectedNotification {
  fileprivate func matches(_ firing: Firing, _ notification: ChangeNotification) -> Bool {
    firing.subscription == subscription && firing.reason == reason && notification.record == record
      && notification.tag == tag
  }
}
