// What the log of commits says of a transaction, as JSON: a broker of the version before skips what it does not know, and
// an administrator can read it. No contents of records.

import BrokerCore
import FoundationEssentials
import Records

/// What other brokers must know of a transaction: what it changed for their connections, and what of their memory does not
/// fit the rows any more.
struct CommitLogEntry {
  /// What it changed for connections.
  var notice = CommitNotice()
  /// The rows of the devices whose request numbers have changed.
  var devices: Set<StoreKey> = []
  /// The rows of the subscriptions that were added, changed or removed.
  var subscriptions: Set<StoreKey> = []
  /// The devices that were removed.
  var removedDevices: Set<DeviceID> = []
  /// Whether other rows that brokers remember may have changed.
  var isBroad = false

  /// The entry of a transaction that may have changed anything.
  static var anything: CommitLogEntry {
    var entry = CommitLogEntry()
    entry.isBroad = true
    return entry
  }
}

extension CommitLogEntry {
  /// The entry as JSON.
  var text: String {
    let encoder = JSONEncoder()
    guard let data = try? encoder.encode(Form(self)) else {
      preconditionFailure("A log entry consists of numbers and texts, which JSON can express.")
    }
    return String(decoding: data, as: UTF8.self)
  }

  /// Reads an entry. One that cannot be read may have changed anything.
  init(text: String) {
    self = (try? JSONDecoder().decode(Form.self, from: Data(text.utf8)))?.entry ?? .anything
  }

  /// The JSON of an entry. What is empty is left out.
  fileprivate struct Form: Codable {
    var zones: [Zone]?
    var directories: [[StoreKey]]?
    var deletedZones: [ZoneName]?
    var losses: [Loss]?
    var ended: [End]?
    var notified: [Notified]?
    var resumed: [StoreKey]?
    var jobs: [String]?
    var devices: [StoreKey]?
    var subscriptions: [StoreKey]?
    var removedDevices: [String]?
    var isBroad: Bool?
  }

  fileprivate struct ZoneName: Codable {
    var container: StoreKey
    var owner: String
    var name: String

    init(_ key: FeedKey) {
      (container, owner, name) = (key.container, "\(key.zone.owner)", "\(key.zone.name)")
    }

    var key: FeedKey? {
      guard let owner = AccountID(owner), let name = Records.ZoneName(name) else { return nil }
      return FeedKey(container: container, zone: ZoneID(owner: owner, name: name))
    }
  }

  fileprivate struct Zone: Codable {
    var zone: ZoneName
    var row: StoreKey
    var incarnation: String
    var from: Int64
    var head: Int64
  }

  fileprivate struct Loss: Codable {
    var account: StoreKey
    var zone: ZoneName
    var isDeparture: Bool
  }

  fileprivate struct End: Codable {
    var kind: String
    var row: StoreKey
  }

  fileprivate struct Notified: Codable {
    var number: Int64
    var receivers: [StoreKey]
  }
}

// MARK: - Encoding

extension CommitLogEntry.Form {
  fileprivate init(_ entry: CommitLogEntry) {
    let notice = entry.notice
    zones =
      notice.zones.map { zone in
        CommitLogEntry.Zone(
          zone: CommitLogEntry.ZoneName(zone.key), row: zone.row,
          incarnation: "\(zone.incarnation)", from: zone.from.value, head: zone.head.value)
      }.orNil
    directories = notice.directories.map { [$0.container, $0.account] }.orNil
    deletedZones = notice.deletedZones.map(CommitLogEntry.ZoneName.init).orNil
    losses =
      notice.losses.map { loss in
        CommitLogEntry.Loss(
          account: loss.account,
          zone: CommitLogEntry.ZoneName(FeedKey(container: loss.container, zone: loss.zone)),
          isDeparture: loss.isDeparture)
      }.orNil
    ended = notice.expulsions.map(CommitLogEntry.End.init).orNil
    notified =
      notice.notified.map {
        CommitLogEntry.Notified(number: $0.number.value, receivers: $0.receivers)
      }.orNil
    resumed = notice.resumed.orNil
    jobs = notice.jobs.map(\.rawValue).orNil
    devices = Array(entry.devices).orNil
    subscriptions = Array(entry.subscriptions).orNil
    removedDevices = entry.removedDevices.map { "\($0)" }.orNil
    isBroad = entry.isBroad ? true : nil
  }
}

extension CommitLogEntry.End {
  fileprivate init(_ expulsion: Expulsion) {
    switch expulsion {
    case .revoked(let device): self.init(kind: "revoked", row: device)
    case .removed(let device): self.init(kind: "removed", row: device)
    case .formerKey(let device): self.init(kind: "formerKey", row: device)
    case .account(let account): self.init(kind: "account", row: account)
    }
  }

  fileprivate var expulsion: Expulsion? {
    switch kind {
    case "revoked": .revoked(row)
    case "removed": .removed(row)
    case "formerKey": .formerKey(of: row)
    case "account": .account(row)
    default: nil
    }
  }
}

extension Array {
  fileprivate var orNil: Self? { isEmpty ? nil : self }
}

// MARK: - Decoding

extension CommitLogEntry.Form {
  fileprivate var entry: CommitLogEntry {
    var entry = CommitLogEntry()
    entry.notice = notice
    entry.devices = Set(devices ?? [])
    entry.subscriptions = Set(subscriptions ?? [])
    entry.removedDevices = Set((removedDevices ?? []).compactMap { DeviceID($0) })
    entry.isBroad = isBroad ?? false
    return entry
  }

  private var notice: CommitNotice {
    var notice = CommitNotice()
    for advance in (zones ?? []).compactMap(\.advance) { notice.add(advance) }
    notice.directories = Set(
      (directories ?? []).filter { $0.count == 2 }.map {
        DirectoryKey(container: $0[0], account: $0[1])
      })
    notice.deletedZones = Set((deletedZones ?? []).compactMap(\.key))
    notice.losses = (losses ?? []).compactMap { loss in
      loss.zone.key.map {
        AccessLoss(
          container: $0.container, account: loss.account, zone: $0.zone,
          isDeparture: loss.isDeparture)
      }
    }
    notice.expulsions = (ended ?? []).compactMap(\.expulsion)
    notice.notified = (notified ?? []).map {
      NotificationCommit(number: NotificationNumber($0.number), receivers: $0.receivers)
    }
    notice.resumed = resumed ?? []
    notice.jobs = Set((jobs ?? []).compactMap { Job(rawValue: $0) })
    return notice
  }
}

extension CommitLogEntry.Zone {
  fileprivate var advance: ZoneAdvance? {
    guard let key = zone.key, let incarnation = Incarnation(incarnation) else { return nil }
    return ZoneAdvance(
      key: key, row: row, incarnation: incarnation, from: Revision(from), head: Revision(head))
  }
}
