// A broker, three people and their five devices, on dice: zones are shared, links made, taken back and
// tried, people come in, are promoted, demoted and removed, while everybody writes, asks and is told,
// connections end and the broker dies between any two steps. Whatever leaves the broker is checked
// against a model of everybody's rights (I11, I24); when it has settled, each device holds exactly what
// its rights allow, all of it, old records too (I9, I12), and was told what it had to be (I10).

import BrokerCore
import Records
import RecordsWire

/// A simulated world of shares.
package struct SharingWorld {
  /// What a run came to.
  package struct Report: Sendable {
    /// Steps taken.
    package var steps = 0
    /// States written.
    package var commits = 0
    /// Times that somebody lost a zone.
    package var losses = 0
    /// Records that devices of others than the owner held at the end.
    package var sharedRecords = 0
    /// What subscriptions told of others' zones.
    package var told = 0

    /// Nothing came of anything yet.
    package init() {}
  }

  private enum Deed: Hashable, Sendable { case write, order, ask, fault, tick, progress }

  /// A step moves one message, and it takes many for somebody to come in, be let go and come back.
  private static let stepsPerStep = 6.5

  private static let names = ["ada", "bob", "eve"]
  private static let contact = RecordType(stored: "Contact")

  private let climate: Climate
  private let deeds: Odds<Deed>
  private var dice: Dice
  private var broker: SimulatedBroker
  private var oracle = SharingOracle()
  private var sessions: [SharingSession]
  private var pieces: [ConnectionID] = []
  private var lastConnection = 0
  private var lastSecret: UInt64 = 0
  private var lastMessage: UInt64 = 0
  private var secrets: [ZoneID: [ShareSecret]] = [:]
  private var seconds: Int64 = 0
  /// What came of the run.
  package private(set) var report = Report()
  /// Told of everything that happens, for whoever looks into a seed that failed.
  package var trace: ((String) -> Void)?

  /// A world that begins on `seed`.
  package init(seed: UInt64, stepsMost: Int) throws {
    dice = Dice(seed: seed)
    climate = Climate(
      drawnBy: &dice, devices: 5...5, stepsMost: stepsMost, stepsPerStep: Self.stepsPerStep)
    // NB: one message takes about eight steps from mouth to ear; more would only pile up.
    let usual: Odds<Deed> = Odds([
      .write: 30, .order: 40, .ask: 5, .fault: 3, .tick: 10, .progress: 912,
    ])
    deeds = usual.drawn(by: &dice, needed: [.write, .order, .progress])
    broker = try SimulatedBroker(dice: &dice)
    sessions = [0, 0, 1, 1, 2].enumerated().map { index, person in
      SharingSession(index: index, name: Self.names[person])
    }
  }

  private var now: Timestamp {
    Timestamp(microseconds: 1_800_000_000_000_000 + seconds * 1_000_000)
  }

  /// Plays the steps with faults, then until everything is quiet, and compares.
  /// - Throws: `InvariantViolation`, or whatever the store threw.
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

  /// Everybody lets itself be found, makes a group and subscribes to what is shared.
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
      guard count < 100_000 else { throw InvariantViolation("I16", "it does not come to rest") }
      if try advance() { quiet = 0 } else { (quiet, _) = (quiet + 1, try tick()) }
    }
  }

  // MARK: Steps

  private mutating func step() throws {
    switch deeds.next(&dice) {
    case .write: write()
    case .order: order()
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
    case piece, commit, report, read
  }

  /// Something that is under way goes one step on; `false` when nothing is.
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
    if !pieces.isEmpty { choices.append(.piece) }
    guard let choice = choices.randomElement(using: &dice) else { return false }
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
    case .piece:
      let connection = pieces.remove(at: dice.below(pieces.count))
      try perform(broker.handle(.segmentWasWritten(connection)))
    case .commit:
      for (request, result) in broker.commit(at: now, dice: &dice) {
        trace?("committed: \(request)")
        try oracle.take(request, result)
      }
    case .report:
      // NB: what stands ahead of a loss in its batch may still go out in the same breath.
      oracle.beginReport()
      try perform(broker.report())
      oracle.endReport()
    case .read: try perform(broker.read(at: now, dice: &dice))
    }
  }

  private mutating func connect(_ index: Int) throws {
    trace?("device \(index) connects")
    lastConnection += 1
    let connection = ConnectionID(lastConnection)
    sessions[index].connection = connection
    try perform(broker.handle(.opened(connection, uid: 0)))
    sessions[index].up = [.hello(sessions[index].hello)]
  }

  // MARK: What leaves the broker

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
        pieces.append(connection)
        try send(frame: frame, to: connection)
      case .store, .storeLater, .read, .asset, .pause, .resume, .close, .logRefusal,
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
    let index = dice.below(sessions.count)
    switch dice.below(6) {
    case 0, 1:
      guard let connection = sessions[index].connection else { return }
      sessions[index].disconnected()
      try perform(broker.handle(.closed(connection)))
    case 2, 3: try setStalled(index, !sessions[index].isStalled)
    default:
      trace?("the broker dies")
      broker.crash()
      oracle.endReport()
      pieces = []
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

  /// Everybody's groups.
  private var zones: [ZoneID] {
    Self.names.enumerated().compactMap { index, name in
      sessions.first { $0.name == name }?.account.map {
        ZoneID(owner: $0, name: ZoneName(UInt128(100 + index)))
      }
    }
  }

  /// Writes somewhere, mostly where it may.
  private mutating func write() {
    let index = dice.below(sessions.count)
    let known = sessions[index].entries.keys.filter { $0.name != .standard }.sorted()
    guard
      let zone = dice.happens(percent: 80)
        ? known.randomElement(using: &dice) : zones.randomElement(using: &dice)
    else { return }
    let operations = (0...dice.below(2)).map { _ -> Operation in
      let name = RecordName(stored: "r\(dice.below(6))")
      if dice.happens(percent: 20) {
        return .delete(Operation.Delete(name: name, tag: nil, isForced: true))
      }
      return .save(
        Operation.Save(
          name: name, type: Self.contact, policy: .allKeys, tag: nil,
          fields: EncodedRecord(["a": .int64(Int64(dice.below(1000)))])))
    }
    sessions[index].write(operations, in: zone)
  }

  /// Asks for records that may be another's, or subscribes to another's zone.
  private mutating func ask() {
    let index = dice.below(sessions.count)
    guard sessions[index].isReady, let zone = zones.randomElement(using: &dice) else { return }
    let question: ClientMessage =
      switch dice.below(4) {
      case 0: .saveSubscription(everything(in: zone, of: index))
      case 1: .fetch([RecordID(zone: zone, name: RecordName(stored: "r1"))])
      default:
        .query(
          QueryForm(
            database: .shared, zone: dice.happens(percent: 50) ? zone : nil, type: Self.contact,
            predicate: PredicateText("TRUEPREDICATE")))
      }
    sessions[index].up.append(question)
  }

  /// Gives an order about a zone: the owner mostly, but anybody may try.
  private mutating func order() {
    guard let zone = zones.randomElement(using: &dice) else { return }
    if dice.below(300) == 0, let last = sessions.last, zone.owner == last.account {
      return sessions[last.index].write([.deleteZone], in: zone)
    }
    let others = sessions.indices.filter { sessions[$0].account != zone.owner }
    let owners = sessions.indices.filter { sessions[$0].account == zone.owner }
    if dice.happens(percent: 45) {
      guard let index = others.randomElement(using: &dice) else { return }
      return say(entering(zone), by: index)
    }
    let crowd = dice.happens(percent: 85) ? owners : others
    guard let index = crowd.randomElement(using: &dice),
      let target = others.randomElement(using: &dice), let account = sessions[target].account
    else { return }
    say(managing(zone, account, sessions[target].name), by: index)
  }

  private mutating func say(_ order: SharingRequest, by index: Int) {
    guard sessions[index].isReady else { return }
    sessions[index].up.append(.share(order))
  }

  private mutating func entering(_ zone: ZoneID) -> SharingRequest {
    if dice.happens(percent: 10) { return .leave(zone) }
    // Mostly the link there is; sometimes one that was, or never was.
    let secret: ShareSecret =
      switch dice.below(20) {
      case 0: ShareSecret(UInt128(dice.next()))
      case 1: secrets[zone, default: []].randomElement(using: &dice) ?? ShareSecret(0)
      default: oracle.links[zone] ?? ShareSecret(0)
      }
    switch dice.below(10) {
    case 0: return .preview(secret)
    case 1, 2: return .requestAccess(secret)
    default: return .accept(secret)
    }
  }

  private mutating func managing(
    _ zone: ZoneID, _ account: AccountID, _ name: String
  ) -> SharingRequest {
    let permission: SharePermission = dice.happens(percent: 60) ? .readWrite : .readOnly
    switch dice.below(20) {
    case 0..<4:
      return .create(zone, ShareForm(publicPermission: permission, link: newLink(to: zone)))
    case 4..<7: return .renewLink(zone, newLink(to: zone))
    case 7:
      return .setPublicPermission(zone, dice.happens(percent: 20) ? .none : permission)
    case 8 where dice.happens(percent: 40): return .revokeLink(zone)
    case 9..<12: return .invite(zone, name: name, permission)
    case 12, 13:
      return .setParticipant(
        zone, account, permission, isAdministrator: dice.happens(percent: 30))
    case 14, 15: return .removeParticipant(zone, account)
    case 16 where dice.happens(percent: 30): return .stop(zone)
    case 17 where dice.happens(percent: 30): return .answerRequest(zone, account, .block)
    default: return .answerRequest(zone, account, .approve(permission))
    }
  }

  private mutating func newLink(to zone: ZoneID) -> LinkForm {
    lastSecret += 1
    let secret = ShareSecret(UInt128(lastSecret))
    secrets[zone, default: []].append(secret)
    return LinkForm(
      digest: secret.bytes, expires: dice.happens(percent: 5) ? now.adding(seconds: 5) : nil,
      uses: dice.happens(percent: 10) ? 1 : nil)
  }

  // MARK: Comparing

  private mutating func compare(_ session: SharingSession) throws {
    guard let account = session.account, let device = session.device else { return }
    let due = oracle.zones(of: account, among: zones)
    let held = Set(session.replicas.keys.filter { $0.name != .standard })
    guard held == due else {
      throw InvariantViolation(
        held.isSubset(of: due) ? "I12" : "I11",
        "device \(session.index) holds \(held), and may see \(due)")
    }
    for zone in due {
      let records = session.replicas[zone]?.records ?? [:]
      guard records == oracle.records[zone, default: [:]] else {
        throw InvariantViolation("I9", "device \(session.index) holds other records of \(zone)")
      }
      if zone.owner != account { report.sharedRecords += records.count }
    }
    for (record, tags) in oracle.tellings(for: device, of: account) {
      let told = session.told[record] ?? []
      report.told += told.count
      for tag in tags where told.count(where: { $0 == tag }) != 1 {
        throw InvariantViolation(
          "I10", "device \(session.index) was told \(told) of \(record), not once of \(tag)")
      }
    }
  }
}
