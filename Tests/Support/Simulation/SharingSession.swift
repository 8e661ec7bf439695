// A device in a world of shares, without the real replica.

import BrokerCore
import Records

/// A simplified device in a world of shares. It attaches every zone in its directory, stores the records,
/// deletes them when it loses access, writes with and without permission, and receives notifications. Its
/// stored state survives the end of a connection, which can happen at any moment.
struct SharingSession {
  /// The stored state of a zone.
  struct Replica {
    var token: ChangeToken?
    var records: [RecordName: Change] = [:]
  }

  let index: Int
  let name: String
  var connection: ConnectionID?
  /// Messages from the broker that have not arrived.
  var down: [BrokerMessage] = []
  /// Messages to the broker that have not arrived.
  var up: [ClientMessage] = []
  /// Whether the device does not read its socket.
  var isStalled = false

  // The state on its disk.
  private(set) var account: AccountID?
  private(set) var device: DeviceID?
  private(set) var directory = Revision.zero
  private(set) var entries: [ZoneID: DirectoryEntry] = [:]
  private(set) var replicas: [ZoneID: Replica] = [:]
  private(set) var notifications: [RecordID: [Revision]] = [:]
  private var position = NotificationNumber.none
  private var last = RequestNumber.zero
  private var unanswered: [ModifyRequest] = []

  init(index: Int, name: String) {
    self.index = index
    self.name = name
  }

  var isReady: Bool { connection != nil && device != nil }

  var hello: Hello {
    Hello(
      version: ProtocolVersion.newest, container: "contacts", accountName: name,
      deviceName: "device-\(index)", device: device, deviceKey: [UInt8(index + 1)],
      lastNumber: last, acknowledged: .zero, directory: directory,
      zones: replicas.keys.sorted().map {
        ZonePosition(zone: $0, token: replicas[$0]?.token)
      })
  }

  /// The connection ended, and the messages in transit were lost.
  mutating func disconnected() {
    (connection, up, down, isStalled) = (nil, [], [], false)
  }

  /// Queues a write request.
  mutating func write(_ operations: [Operation], in zone: ZoneID) {
    last = last.next
    let request = ModifyRequest(
      number: last, acknowledged: .zero,
      groups: [OperationGroup(zone: zone, operations: operations)])
    unanswered.append(request)
    if isReady { up.append(.modify(request)) }
  }

  // MARK: Receiving

  /// Handles a message from the broker and queues the messages that follow.
  mutating func received(_ message: BrokerMessage) throws {
    switch message {
    case .welcome(let welcome):
      (account, device) = (welcome.account, welcome.device)
      up += unanswered.map(ClientMessage.modify)
      up.append(.followNotifications(position))
    case .outcome(let outcome): unanswered.removeAll { $0.number == outcome.number }
    case .directory(let page): read(page)
    case .changes(let stretch): try apply(stretch)
    case .level(let zone, let incarnation, let head, let scanStart, _):
      replicas[zone]?.token = ChangeToken(
        incarnation: incarnation, revision: head, scanStart: scanStart)
    case .reset(let zone, let error):
      replicas[zone] = nil
      if error.code == .changeTokenExpired { follow(zone) }
    case .notifications(let page): take(page)
    default: break
    }
  }

  private mutating func read(_ page: DirectoryPage) {
    let isWhole = page.from == .zero
    guard page.to > directory || isWhole && page.to == directory else { return }
    guard page.from <= directory else { return up.append(.zones) }
    directory = page.to
    if isWhole { entries = [:] }
    for entry in page.entries {
      if entry.isDeleted {
        (entries[entry.zone], replicas[entry.zone]) = (nil, nil)
      } else {
        entries[entry.zone] = entry
        if replicas[entry.zone] == nil { follow(entry.zone) }
      }
    }
  }

  private mutating func follow(_ zone: ZoneID) {
    replicas[zone] = Replica()
    up.append(.attach([ZonePosition(zone: zone, token: nil)]))
  }

  private mutating func apply(_ stretch: ZoneChanges) throws {
    guard var replica = replicas[stretch.zone] else {
      throw InvariantViolation(
        "I11", "device \(index) received changes of \(stretch.zone), which it had lost")
    }
    let position = replica.token?.revision ?? .zero
    // A device that loses a zone and regains it while its attach message is in transit sends the message
    // twice, and receives the changes twice.
    if replica.token != nil, stretch.to <= position { return }
    guard stretch.from <= position else {
      throw InvariantViolation(
        "I5",
        "device \(index) received the changes after \(stretch.from) of \(stretch.zone), "
          + "but has position \(position)")
    }
    for change in stretch.changes where change.tag > position {
      replica.records[change.name] = change.kind == .saved ? change : nil
    }
    replica.token = ChangeToken(
      incarnation: stretch.incarnation, revision: stretch.to,
      scanStart: stretch.scanStart ?? replica.token?.scanStart ?? .zero)
    replicas[stretch.zone] = replica
  }

  private mutating func take(_ page: NotificationPage) {
    for notification in page.notifications where notification.number > position {
      position = notification.number
      notifications[notification.record, default: []].append(notification.tag)
    }
    for fold in page.collapsed { position = max(position, fold.last) }
    up.append(.acknowledgeNotifications(position))
  }
}
