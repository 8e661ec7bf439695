// A broker and four devices that write, subscribe and are told, on dice: connections end, the broker
// dies between any two steps, sockets stall, acknowledgements are lost. Then everything settles, and
// what each device was told is what evaluating every subscription afresh over history tells (I10), each
// thing once and in order.

import BrokerCore
import Records

/// A simulated world of subscriptions.
package struct NotificationWorld {
  /// What a run came to.
  package struct Report: Sendable {
    /// Steps taken.
    package var steps = 0
    /// Changes committed.
    package var commits = 0
    /// What devices were told.
    package var told = 0
    /// Crashes of the broker.
    package var crashes = 0
    /// Subscriptions saved.
    package var saved = 0
  }

  private enum Deed: Hashable, Sendable { case write, subscribe, fault, tick, progress }

  /// A step moves one message, where a world of whole devices moves what follows from it as well.
  private static let stepsPerStep = 2.5

  private static let contact = RecordType(stored: "Contact")

  private let climate: Climate
  private let deeds: Odds<Deed>
  private var dice: Dice
  private var broker: SimulatedBroker
  private var oracle: SubscriptionOracle?
  private var listeners: [SimulatedListener]
  private var lastConnection = 0
  private var seconds: Int64 = 0
  private var hasFaults = true
  package private(set) var report = Report()

  /// A world that begins on `seed`.
  package init(seed: UInt64, stepsMost: Int) throws {
    dice = Dice(seed: seed)
    climate = Climate(
      drawnBy: &dice, devices: 2...5, stepsMost: stepsMost, stepsPerStep: Self.stepsPerStep)
    let usual: Odds<Deed> = Odds([
      .write: 14, .subscribe: 6, .fault: 4, .tick: 6, .progress: 70,
    ])
    deeds = usual.drawn(by: &dice, needed: [.write, .subscribe, .progress])
    broker = try SimulatedBroker(dice: &dice)
    listeners = (0..<climate.devices).map(SimulatedListener.init)
  }

  private var now: Timestamp {
    Timestamp(microseconds: 1_800_000_000_000_000 + seconds * 1_000_000)
  }

  /// Plays the steps with faults, then until everything is quiet, and compares.
  /// - Throws: `InvariantViolation`, or whatever the store threw.
  package mutating func run() throws {
    for _ in 0..<climate.steps { try step() }
    report.steps = climate.steps
    hasFaults = false
    for index in listeners.indices { try setStalled(index, false) }
    var quiet = 0
    var settling = 0
    while quiet < 4 {
      settling += 1
      guard settling < 50_000 else { throw InvariantViolation("I16", "it does not come to rest") }
      if try advance() { quiet = 0 } else { (quiet, _) = (quiet + 1, try tick()) }
    }
    for listener in listeners { try compare(listener) }
  }

  // MARK: Steps

  private mutating func step() throws {
    switch deeds.next(&dice) {
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

  /// Something that is under way goes one step on; `false` when nothing is.
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
    guard let choice = choices.randomElement(using: &dice) else { return false }
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
      for (request, result) in broker.commit(at: now, dice: &dice) {
        try oracle?.take(request, result)
        report.commits += result.committed?.zones.reduce(0) { $0 + $1.changes.count } ?? 0
      }
    case .report: try perform(broker.report())
    case .read: try perform(broker.read(at: now, dice: &dice))
    }
    return true
  }

  private mutating func connect(_ index: Int) throws {
    lastConnection += 1
    let connection = ConnectionID(lastConnection)
    listeners[index].connection = connection
    try perform(broker.handle(.opened(connection, uid: 0)))
    listeners[index].up = [.hello(listeners[index].hello)]
  }

  private mutating func perform(_ actions: [BrokerAction]) throws {
    for action in actions {
      guard case .send(let connection, _, let message) = action,
        let index = listeners.firstIndex(where: { $0.connection == connection })
      else { continue }
      if case .goodbye = message {
        // It was silent or took nothing for too long; it comes back.
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
    let index = dice.below(listeners.count)
    switch dice.below(6) {
    case 0, 1:
      guard let connection = listeners[index].connection else { return }
      listeners[index].disconnected()
      try perform(broker.handle(.closed(connection)))
    case 2, 3: try setStalled(index, !listeners[index].isStalled)
    default:
      report.crashes += 1
      broker.crash()
      for index in listeners.indices { listeners[index].disconnected() }
      // The machine is another one, and its clock goes on.
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
    let index = dice.below(listeners.count)
    let operations = (0...dice.below(3)).map { _ -> Operation in
      let name = RecordName(stored: "r\(dice.below(6))")
      if dice.happens(percent: 20) {
        return .delete(Operation.Delete(name: name, tag: nil, isForced: true))
      }
      let fields: Fields = [
        "a": .int64(Int64(dice.below(4))), "b": .string(["x", "y"][dice.below(2)]),
      ]
      return .save(
        Operation.Save(
          name: name, type: Self.contact,
          policy: dice.happens(percent: 50) ? .allKeys : .changedKeys,
          tag: nil, fields: EncodedRecord(fields)))
    }
    listeners[index].write([OperationGroup(zone: .standard, operations: operations)])
  }

  private mutating func subscribe() {
    let index = dice.below(listeners.count)
    guard let device = listeners[index].device, listeners[index].connection != nil else { return }
    let id = SubscriptionID(stored: "s\(dice.below(5))")
    if dice.happens(percent: 25) { return listeners[index].up.append(.deleteSubscription(id)) }
    report.saved += 1
    var notification = NotificationForm()
    if dice.happens(percent: 25) { notification.collapseKey = "k" }
    notification.title = "{b}"
    let predicate = ["TRUEPREDICATE", "a > 1", "b == 'x'", "NOT (a == 2 OR b == 'y')"]
    let query = SubscriptionForm.Kind.query(
      type: Self.contact, predicate: PredicateText(predicate[dice.below(4)]),
      zone: dice.happens(percent: 50) ? .standard : nil)
    let kinds: [SubscriptionForm.Kind] = [
      query, query, .zone(.standard, type: nil), .database(type: Self.contact),
    ]
    listeners[index].up.append(
      .saveSubscription(
        SubscriptionForm(
          id: id, device: dice.happens(percent: 30) ? device : nil, kind: kinds[dice.below(4)],
          options: FiringOptions(rawValue: UInt8(1 + dice.below(7))),
          firesOnce: dice.happens(percent: 20), includesOwnChanges: dice.happens(percent: 30),
          notification: notification)))
  }

  // MARK: Comparing

  /// I10: what the device was told is what it had to be told, in order; all that may be missing is what
  /// was told by a subscription that was deleted, or told again later under the same collapse key.
  private mutating func compare(_ listener: SimulatedListener) throws {
    guard let device = listener.device, let oracle else { return }
    var due = oracle.tellings[device, default: []][...]
    report.told += listener.told.count
    for (notification, firing) in listener.told {
      while let next = due.first, !next.isSaid(by: firing, notification) {
        try checkMayBeMissing(next, behind: due.dropFirst(), listener, oracle)
        due.removeFirst()
      }
      guard due.popFirst() != nil else {
        throw InvariantViolation(
          "I10",
          "listener \(listener.index) was told \(firing.reason) of \(notification.record) by "
            + "\(firing.subscription), which nothing says")
      }
    }
    while let next = due.popFirst() {
      try checkMayBeMissing(next, behind: due, listener, oracle)
    }
  }

  private func checkMayBeMissing(
    _ telling: SubscriptionOracle.Telling, behind: ArraySlice<SubscriptionOracle.Telling>,
    _ listener: SimulatedListener, _ oracle: SubscriptionOracle
  ) throws {
    if oracle.deleted.contains(telling.wording) { return }
    let isReplaced = behind.contains {
      $0.subscription == telling.subscription && $0.collapseKey == telling.collapseKey
    }
    if telling.collapseKey != nil, isReplaced { return }
    throw InvariantViolation(
      "I10",
      "listener \(listener.index) was not told \(telling.reason) of \(telling.record) at "
        + "\(telling.tag) by \(telling.subscription)")
  }
}

extension SubscriptionOracle.Telling {
  fileprivate func isSaid(by firing: Firing, _ notification: ChangeNotification) -> Bool {
    firing.subscription == subscription && firing.reason == reason && notification.record == record
      && notification.tag == tag
  }
}
