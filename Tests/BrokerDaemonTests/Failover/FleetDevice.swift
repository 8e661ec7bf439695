// A device of a run: a connection without a thread of its own, which notes in the history what it sends and gets. When its
// broker is gone or silent it goes to another one, and sends again what has no outcome.

import PredicateWorld
import Processes
import Records
import RecordsWire

/// A device that writes to zones and follows them.
final class FleetDevice {
  /// A zone that it follows.
  struct Followed {
    let id: ZoneID
    var token: ChangeToken?
    /// The revision of each record that exists.
    var records: [String: Int64] = [:]
    var isLive = false
    var isGone = false
  }

  /// A request without an outcome.
  struct Waiting {
    let request: ModifyRequest
    let writes: [[FailoverHistory.WriteID]]
    var frame: UInt64?
  }

  /// A removal of a participant that is to be done, or whose answer is awaited.
  struct Removal {
    let zone: FleetPlan.PlannedZone
    let account: Int
    let id: AccountID
    var frame: UInt64?
  }

  let number: Int
  let account: Int
  var identity: WireDevice
  var zones: [Int: Followed] = [:]
  var waiting: [Waiting] = []
  var removal: Removal?
  /// Up to which notification it has all; `nil` if it does not follow them.
  var noticed: NotificationNumber?
  var connection: FleetConnection?
  /// When it connects or sends again.
  var nextAttempt = ContinuousClock.now
  var nextWrite = ContinuousClock.now
  /// A zone from which another account was removed, to which it writes next.
  var urgentZone: Int?
  /// When it lost a broker that was killed or stopped, until it is live at another one.
  var lostSince: ContinuousClock.Instant?
  /// Whether a broker has been paused since then.
  var isBesidePause = false

  init(_ number: Int, following zones: [FleetPlan.PlannedZone]) {
    self.number = number
    account = FleetPlan.account(ofDevice: number)
    identity = WireDevice(account: FleetPlan.name(ofAccount: account))
    // One device of each account.
    noticed = number < FleetPlan.accountCount ? NotificationNumber.none : nil
    for zone in zones { self.zones[zone.number] = Followed(id: zone.id) }
  }

  /// Whether it follows all its zones and has seen all there is.
  var isLive: Bool {
    connection?.isWelcome == true && zones.values.allSatisfy { $0.isLive || $0.isGone }
  }

  /// Whether nothing that it sent waits for an answer.
  var isDone: Bool { waiting.isEmpty && removal == nil }

  // MARK: Connecting

  /// Connects to a broker and says hello. Returns whether the broker accepted the connection.
  func connect(to broker: FailoverBroker, at now: ContinuousClock.Instant) -> Bool {
    guard let connection = try? FleetConnection(to: broker, at: now) else { return false }
    self.connection = connection
    for zone in zones.keys { zones[zone]?.isLive = false }
    for index in waiting.indices { waiting[index].frame = nil }
    removal?.frame = nil
    connection.send(.hello(identity.hello()))
    return true
  }

  /// Ends the connection. It connects again at a time.
  func disconnect(until time: ContinuousClock.Instant) {
    connection?.close()
    connection = nil
    nextAttempt = time
  }

  /// Asks for its zones and notifications after a welcome.
  func attach(_ history: inout FailoverHistory) {
    let followed = zones.filter { !$0.value.isGone }
    for zone in followed.keys.sorted() { history.add(.attached(device: number, zone: zone)) }
    connection?.send(
      .attach(followed.values.map { ZonePosition(zone: $0.id, token: $0.token) }))
    if let noticed { connection?.send(.followNotifications(noticed)) }
  }

  // MARK: Sending

  /// Sends what has not been sent on this connection, unless answers to earlier requests are awaited that may be errors.
  func sendWaiting(at now: ContinuousClock.Instant) {
    guard let connection, connection.isWelcome, now >= nextAttempt else { return }
    if let removal, removal.frame == nil {
      self.removal?.frame = connection.send(
        .share(.removeParticipant(removal.zone.id, removal.id)))
    }
    let isRefused = waiting.first?.frame == nil && waiting.contains { $0.frame != nil }
    guard !isRefused else { return }
    for index in waiting.indices where waiting[index].frame == nil {
      waiting[index].frame = connection.send(.modify(waiting[index].request))
    }
  }

  /// Makes a request of writes to one zone or two, and notes them.
  func write(
    to chosen: [Int], using generator: inout SeededGenerator, _ history: inout FailoverHistory
  ) {
    let number = identity.lastNumber.next.value
    var writes: [[FailoverHistory.WriteID]] = []
    var groups: [OperationGroup] = []
    for zone in chosen {
      guard let followed = zones[zone], !followed.isGone else { continue }
      var group: [FailoverHistory.Write] = []
      for name in Set((0...generator.below(3)).map { _ in "r\(generator.below(15))" }).sorted() {
        let id = FailoverHistory.WriteID(
          device: self.number, request: number, zone: zone, record: name)
        group.append(
          FailoverHistory.Write(id: id, kind: kind(of: id, followed, using: &generator)))
      }
      writes.append(group.map(\.id))
      groups.append(OperationGroup(zone: followed.id, operations: group.map(\.operation)))
      for write in group { history.add(.sent(write)) }
    }
    guard !groups.isEmpty else { return }
    waiting.append(Waiting(request: identity.request(groups), writes: writes))
  }

  private func kind(
    of id: FailoverHistory.WriteID, _ followed: Followed,
    using generator: inout SeededGenerator
  ) -> FailoverHistory.Kind {
    let value = "\(id.device)-\(id.request)-\(String(repeating: "x", count: generator.below(200)))"
    guard let tag = followed.records[id.record] else { return .save(value, after: .absent) }
    if generator.percent(20) { return .deletion(after: .tag(tag)) }
    return .save(value, after: generator.percent(20) ? .any : .tag(tag))
  }
}

extension FailoverHistory.Write {
  /// The operation that asks a broker for it.
  fileprivate var operation: Operation {
    let name = RecordName(stored: id.record)
    switch kind {
    case .deletion(let precondition):
      return .delete(Operation.Delete(name: name, tag: precondition.tag))
    case .save(let value, let precondition):
      return .save(
        Operation.Save(
          name: name, type: RecordType(stored: "Note"),
          policy: precondition == .any ? .allKeys : .ifServerRecordUnchanged, tag: precondition.tag,
          fields: EncodedRecord(["text": .string(value)])))
    }
  }
}

extension FailoverHistory.Precondition {
  fileprivate var tag: Revision? {
    if case .tag(let tag) = self { Revision(tag) } else { nil }
  }
}

extension FleetDevice {
  /// What it waits for, for a message.
  var state: String {
    let place = connection.map { "at broker \($0.broker)" } ?? "not connected"
    let behind = zones.filter { !$0.value.isLive && !$0.value.isGone }.keys.sorted()
    return "\(place), zones not live \(behind), \(waiting.count) requests waiting"
  }
}
