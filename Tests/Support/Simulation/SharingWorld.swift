// A simulated world of shares: a broker, three people and their five devices. People share zones; create,
// revoke and use links; join; are promoted, demoted and removed. Meanwhile all of them write and query,
// connections end, and the broker crashes between any two steps. Every message that the broker sends is
// checked against a model of the permissions (I11, I24). In the settled world each device has exactly the
// records that its account may read, old ones included (I9, I12), and has received the expected notifications
// (I10).

import BrokerCore
import Records
import RecordsWire

/// A simulated world of shares.
package struct SharingWorld {
  /// The results of a run.
  package struct Report: Sendable {
    /// Steps performed.
    package var steps = 0
    /// Record states written.
    package var commits = 0
    /// How often an account lost access to a zone.
    package var losses = 0
    /// Records of other accounts that devices had at the end.
    package var sharedRecords = 0
    /// Notifications from zones of other accounts.
    package var notifications = 0

    package init() {}
  }

  private enum Action: Hashable, Sendable { case write, request, ask, fault, tick, progress }

  /// A step moves one message, and it takes many messages for an account to join, be removed and return.
  private static let stepsPerStep = 6.5

  private static let names = ["ada", "bob", "eve"]
  private static let contact = RecordType(stored: "Contact")

  private let climate: Climate
  private let actionOdds: Odds<Action>
  private var generator: SimulationGenerator
  private var broker: SimulatedBroker
  private var oracle = SharingOracle()
  private var sessions: [SharingSession]
  private var unreportedSegments: [ConnectionID] = []
  private var lastConnection = 0
  private var lastSecret: UInt64 = 0
  private var lastMessage: UInt64 = 0
  private var secrets: [ZoneID: [ShareSecret]] = [:]
  private var seconds: Int64 = 0
  /// The results of the run.
  package private(set) var report = Report()
  /// Receives a line for every event, to debug a failed seed.
  package var trace: ((String) -> Void)?

  /// Creates the world of `seed`.
  package init(seed: UInt64, stepsMaximum: Int) throws {
    generator = SimulationGenerator(seed: seed)
    climate = Climate(
      drawnBy: &generator, devices: 5...5, stepsMaximum: stepsMaximum,
      stepsPerStep: Self.stepsPerStep)
    // NB: delivering one message takes about eight steps; more messages would only accumulate.
    let usual: Odds<Action> = Odds([
      .write: 30, .request: 40, .ask: 5, .fault: 3, .tick: 10, .progress: 912,
    ])
    actionOdds = usual.drawn(by: &generator, needed: [.write, .request, .progress])
    broker = try SimulatedBroker(generator: &generator)
    sessions = [0, 0, 1, 1, 2].enumerated().map { index, person in
      SharingSession(index: index, name: Self.names[person])
    }
  }

  private var now: Timestamp {
    Timestamp(microseconds: 1_800_000_000_000_000 + seconds * 1_000_000)
  }

  /// Performs the steps with faults, lets the world settle and compares.
  /// - Throws: `InvariantViolation`, or an error of the store.
  package mutating func run() throws {
    try settle()
    begin()
    try settle()
    for _ in 0..<climate.steps { try step() }
    for index in sessions.indices { try setStalled(index, false) }
    try settle()
    for session in sessions { try compare(session) }
    report.losses = oracle.losses
    report.steps = climate.steps
    report.commits = oracle.written.count
  }

  /// Makes every account discoverable; each creates a group and subscribes to the shared database.
  private mutating func begin() {
    for (index, name) in Self.names.enumerated() {
      guard let first = sessions.firstIndex(where: { $0.name == name }) else { continue }
      sessions[first].up.append(.account(.setDiscoverable(true)))
      let zone = ZoneID(owner: .current, name: ZoneName(UInt128(100 + index)))
      sessions[first].write([.saveZone(title: name)], in: zone)
    }
    for index in sessions.indices where index != 3 {
      sessions[index].up.append(.saveSubscription(everything(in: nil, of: index)))
    }
  }

  private func everything(in zone: ZoneID?, of index: Int) -> SubscriptionForm {
    SubscriptionForm(
      id: SubscriptionID(stored: "\(index) \(zone?.name.value ?? 0)"),
      device: sessions[index].device, database: .shared,
      kind: zone.map { .zone($0, type: nil) } ?? .database(type: nil))
  }

  private mutating func settle() throws {
    var quiet = 0
    var count = 0
    while quiet < 4 {
      count += 1
      guard count < 100_000 else { throw InvariantViolation("I16", "the world does not settle") }
      if try advance() { quiet = 0 } else { (quiet, _) = (quiet + 1, try tick()) }
    }
  }

  // MARK: Steps

  private mutating func step() throws {
    switch actionOdds.next(&generator) {
    case .write: write()
    case .request: sendRequest()
    case .ask: ask()
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
    case segment, commit, report, read
  }

  /// Performs one event that is in progress; returns `false` if there is none.
  private mutating func advance() throws -> Bool {
    var choices: [Progress] = []
    for session in sessions {
      if session.connection == nil { choices.append(.connect(session.index)) }
      if !session.up.isEmpty { choices.append(.up(session.index)) }
      if !session.down.isEmpty, !session.isStalled { choices.append(.down(session.index)) }
    }
    if broker.results != nil {
      choices.append(.report)
    } else if !broker.waiting.isEmpty {
      choices.append(.commit)
    }
    if broker.isReading { choices.append(.read) }
    if !unreportedSegments.isEmpty { choices.append(.segment) }
    guard let choice = choices.randomElement(using: &generator) else { return false }
    try take(choice)
    return true
  }

  private mutating func take(_ choice: Progress) throws {
    switch choice {
    case .connect(let index): try connect(index)
    case .up(let index):
      guard let connection = sessions[index].connection else { return }
      let message = sessions[index].up.removeFirst()
      trace?("the broker hears \(message) of device \(index)")
      lastMessage += 1
      try perform(
        broker.handle(.received(connection, number: lastMessage, message, byteCount: 100)))
    case .down(let index):
      let message = sessions[index].down.removeFirst()
      trace?("device \(index) hears \(message)")
      try sessions[index].received(message)
    case .segment:
      let connection = unreportedSegments.remove(at: generator.below(unreportedSegments.count))
      try perform(broker.handle(.segmentWasWritten(connection)))
    case .commit:
      for (request, result) in broker.commit(at: now, generator: &generator) {
        trace?("committed: \(request)")
        try oracle.take(request, result)
      }
    case .report:
      // NB: messages for results that precede a revocation in the same batch may still be sent.
      oracle.beginReport()
      try perform(broker.report())
      oracle.endReport()
    case .read: try perform(broker.read(at: now, generator: &generator))
    }
  }

  private mutating func connect(_ index: Int) throws {
    trace?("device \(index) connects")
    lastConnection += 1
    let connection = ConnectionID(lastConnection)
    sessions[index].connection = connection
    try perform(broker.handle(.opened(connection, .localUser(0))))
    sessions[index].up = [.hello(sessions[index].hello)]
  }

  // MARK: Messages from the broker

  private mutating func perform(_ actions: [BrokerAction]) throws {
    for action in actions {
      switch action {
      case .send(let connection, _, let message): try send(message, to: connection)
      case .broadcast(let message, let connections):
        for connection in connections { try send(message, to: connection) }
      case .publish(let segments, let connections):
        for segment in segments {
          for connection in connections { try send(frame: segment.frame, to: connection) }
        }
      case .sendSegment(let connection, let frame):
        unreportedSegments.append(connection)
        try send(frame: frame, to: connection)
      case .store, .storeLater, .read, .asset, .watch, .pause, .resume, .close, .logRefusal,
        .logMaintenance:
        break
      }
    }
  }

  private mutating func send(frame: [UInt8], to connection: ConnectionID) throws {
    try send(BrokerFrame(payload: Array(frame.dropFirst(4))).message, to: connection)
  }

  private mutating func send(_ message: BrokerMessage, to connection: ConnectionID) throws {
    guard let index = sessions.firstIndex(where: { $0.connection == connection }) else { return }
    trace?("device \(index) is sent \(message)")
    if case .goodbye = message { return sessions[index].disconnected() }
    if let account = sessions[index].account { try oracle.check(message, to: account) }
    sessions[index].down.append(message)
  }

  // MARK: Faults

  private mutating func fault() throws {
    let index = generator.below(sessions.count)
    switch generator.below(6) {
    case 0, 1:
      guard let connection = sessions[index].connection else { return }
      sessions[index].disconnected()
      try perform(broker.handle(.closed(connection)))
    case 2, 3: try setStalled(index, !sessions[index].isStalled)
    default:
      trace?("the broker dies")
      broker.crash()
      oracle.endReport()
      unreportedSegments = []
      for index in sessions.indices { sessions[index].disconnected() }
      try perform(broker.handle(.ticked(seconds: seconds)))
    }
  }

  private mutating func setStalled(_ index: Int, _ isStalled: Bool) throws {
    guard let connection = sessions[index].connection, sessions[index].isStalled != isStalled
    else { return }
    sessions[index].isStalled = isStalled
    try perform(broker.handle(.writabilityChanged(connection, isWritable: !isStalled)))
  }

  // MARK: People

  /// The groups of all accounts.
  private var zones: [ZoneID] {
    Self.names.enumerated().compactMap { index, name in
      sessions.first { $0.name == name }?.account.map {
        ZoneID(owner: $0, name: ZoneName(UInt128(100 + index)))
      }
    }
  }

  /// Writes to a zone, usually one that the account may write to.
  private mutating func write() {
    let index = generator.below(sessions.count)
    let known = sessions[index].entries.keys.filter { $0.name != .standard }.sorted()
    guard
      let zone = generator.happens(percent: 80)
        ? known.randomElement(using: &generator) : zones.randomElement(using: &generator)
    else { return }
    let operations = (0...generator.below(2)).map { _ -> Operation in
      let name = RecordName(stored: "r\(generator.below(6))")
      if generator.happens(percent: 20) {
        return .delete(Operation.Delete(name: name, tag: nil, isForced: true))
      }
      return .save(
        Operation.Save(
          name: name, type: Self.contact, policy: .allKeys, tag: nil,
          fields: EncodedRecord(["a": .int64(Int64(generator.below(1000)))])))
    }
    sessions[index].write(operations, in: zone)
  }

  /// Queries records that may belong to another account, or subscribes to another account's zone.
  private mutating func ask() {
    let index = generator.below(sessions.count)
    guard sessions[index].isReady, let zone = zones.randomElement(using: &generator) else { return }
    let question: ClientMessage =
      switch generator.below(4) {
      case 0: .saveSubscription(everything(in: zone, of: index))
      case 1: .fetch([RecordID(zone: zone, name: RecordName(stored: "r1"))])
      default:
        .query(
          QueryForm(
            database: .shared, zone: generator.happens(percent: 50) ? zone : nil,
            type: Self.contact,
            predicate: PredicateText("TRUEPREDICATE")))
      }
    sessions[index].up.append(question)
  }

  /// Sends a sharing request for a zone, usually from its owner, but any account may try.
  private mutating func sendRequest() {
    guard let zone = zones.randomElement(using: &generator) else { return }
    if generator.below(300) == 0, let last = sessions.last, zone.owner == last.account {
      return sessions[last.index].write([.deleteZone()], in: zone)
    }
    let others = sessions.indices.filter { sessions[$0].account != zone.owner }
    let owners = sessions.indices.filter { sessions[$0].account == zone.owner }
    if generator.happens(percent: 45) {
      guard let index = others.randomElement(using: &generator) else { return }
      return say(entering(zone), by: index)
    }
    let crowd = generator.happens(percent: 85) ? owners : others
    guard let index = crowd.randomElement(using: &generator),
      let target = others.randomElement(using: &generator), let account = sessions[target].account
    else { return }
    say(managing(zone, account, sessions[target].name), by: index)
  }

  private mutating func say(_ request: SharingRequest, by index: Int) {
    guard sessions[index].isReady else { return }
    sessions[index].up.append(.share(request))
  }

  private mutating func entering(_ zone: ZoneID) -> SharingRequest {
    if generator.happens(percent: 10) { return .leave(zone) }
    // Usually the current link; sometimes a revoked or an invented one.
    let secret: ShareSecret =
      switch generator.below(20) {
      case 0: ShareSecret(UInt128(generator.next()))
      case 1: secrets[zone, default: []].randomElement(using: &generator) ?? ShareSecret(0)
      default: oracle.links[zone] ?? ShareSecret(0)
      }
    switch generator.below(10) {
    case 0: return .preview(secret)
    case 1, 2: return .requestAccess(secret)
    default: return .accept(secret)
    }
  }

  private mutating func managing(
    _ zone: ZoneID, _ account: AccountID, _ name: String
  ) -> SharingRequest {
    let permission: SharePermission = generator.happens(percent: 60) ? .readWrite : .readOnly
    switch generator.below(20) {
    case 0..<4:
      return .create(zone, ShareForm(publicPermission: permission, link: newLink(to: zone)))
    case 4..<7: return .renewLink(zone, newLink(to: zone))
    case 7:
      return .setPublicPermission(zone, generator.happens(percent: 20) ? .none : permission)
    case 8 where generator.happens(percent: 40): return .revokeLink(zone)
    case 9..<12: return .invite(zone, name: name, permission)
    case 12, 13:
      return .setParticipant(
        zone, account, permission, isAdministrator: generator.happens(percent: 30))
    case 14, 15: return .removeParticipant(zone, account)
    case 16 where generator.happens(percent: 30): return .stop(zone)
    case 17 where generator.happens(percent: 30): return .answerRequest(zone, account, .block)
    default: return .answerRequest(zone, account, .approve(permission))
    }
  }

  private mutating func newLink(to zone: ZoneID) -> LinkForm {
    lastSecret += 1
    let secret = ShareSecret(UInt128(lastSecret))
    secrets[zone, default: []].append(secret)
    return LinkForm(
      digest: secret.bytes, expires: generator.happens(percent: 5) ? now.adding(seconds: 5) : nil,
      uses: generator.happens(percent: 10) ? 1 : nil)
  }

  // MARK: Comparison

  private mutating func compare(_ session: SharingSession) throws {
    guard let account = session.account, let device = session.device else { return }
    let due = oracle.zones(of: account, among: zones)
    let held = Set(session.replicas.keys.filter { $0.name != .standard })
    guard held == due else {
      throw InvariantViolation(
        held.isSubset(of: due) ? "I12" : "I11",
        "device \(session.index) has \(held), but may read \(due)")
    }
    for zone in due {
      let records = session.replicas[zone]?.records ?? [:]
      guard records == oracle.records[zone, default: [:]] else {
        throw InvariantViolation("I9", "device \(session.index) has wrong records of \(zone)")
      }
      if zone.owner != account { report.sharedRecords += records.count }
    }
    for (record, tags) in oracle.expectedNotifications(for: device, of: account) {
      let received = session.notifications[record] ?? []
      report.notifications += received.count
      for tag in tags where received.count(where: { $0 == tag }) != 1 {
        throw InvariantViolation(
          "I10", "device \(session.index) received \(received) of \(record), not \(tag) once")
      }
    }
  }
}
