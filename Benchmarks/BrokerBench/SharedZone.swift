// The cost of sharing, with real processes. Three measurements:
// - A change in a zone that a hundred accounts share, until the last of them has it. In alternation, the
//   same change for a hundred devices of one account, which should take as long.
// - A revocation during writes, until the last byte of the zone has reached the removed participant.
// - The saves of another account while such a zone is deleted, with a thousand subscriptions of each of the
//   hundred participants.

import Crypto
import Foundation
import Measuring
import Records

/// Measures changes, revocations and a deletion in a shared zone.
struct SharedZone {
  private static let members = 100
  private static let rounds = 400
  private static let zone = ZoneID(name: ZoneName(7))

  private let setting: BenchSetting
  private let content: EncodedRecord

  init(_ setting: BenchSetting) throws {
    self.setting = setting
    content = try fields(bytes: 128)
  }

  /// Runs the three measurements.
  func measure() throws {
    try measureFanOut()
    try measureRevocation()
    try measureDeletion()
  }

  // MARK: Participants

  /// A shared zone with its owner and members.
  private struct Shared {
    let owner: BenchDevice
    let zone: ZoneID
    var members: [Member]
  }

  /// A member of the zone.
  private struct Member {
    var known: KnownDevice
    let account: AccountID
  }

  /// Creates a zone that `count` accounts share, none of them connected.
  private func share(among count: Int) throws -> Shared {
    var known = KnownDevice(name: "owner", account: "owner")
    let owner = try BenchDevice(setting, known)
    let account = try signedIn(owner, &known)
    let zone = ZoneID(owner: account, name: Self.zone.name)
    try owner.modify([.saveZone(title: "Shared")], in: zone)
    _ = try owner.outcome()
    var generator = SystemRandomNumberGenerator()
    let secret = ShareSecret.random(using: &generator)
    let link = LinkForm(digest: Array(SHA256.hash(data: secret.bytes)))
    try request(
      .create(zone, ShareForm(publicPermission: .readWrite, link: link)), from: owner)
    var shared = Shared(owner: owner, zone: zone, members: [])
    for index in 0..<count {
      var known = KnownDevice(name: "member", account: "member \(index)")
      let device = try BenchDevice(setting, known)
      let account = try signedIn(device, &known)
      try request(.accept(secret), from: device)
      shared.members.append(Member(known: known, account: account))
    }
    return shared
  }

  private func signedIn(_ device: BenchDevice, _ known: inout KnownDevice) throws -> AccountID {
    while true {
      switch try device.next() {
      case .welcome(let welcome):
        known.id = welcome.device
        return welcome.account
      case .error(let error), .goodbye(let error): throw BenchFailure(error.message)
      default: continue
      }
    }
  }

  private func request(_ order: SharingRequest, from device: BenchDevice) throws {
    try device.send(.share(order))
    while true {
      switch try device.next() {
      case .shared: return
      case .error(let error), .goodbye(let error): throw BenchFailure(error.message)
      default: continue
      }
    }
  }

  private func helloFrame(_ known: KnownDevice, following zone: ZoneID) -> [UInt8] {
    let hello = known.hello(following: [ZonePosition(zone: zone, token: nil)])
    return BenchDevice.helloFrame(hello)
  }

  // MARK: A change

  private func measureFanOut() throws {
    let broker = try setting.startBroker()
    defer { broker.stop() }
    let shared = try share(among: Self.members)
    let members = try FeedReaders(
      setting, named: "members",
      hellos: shared.members.map { helloFrame($0.known, following: shared.zone) })
    defer { members.stop() }
    let own = try BenchDevice(setting, name: "writer")
    let devices = try FeedReaders(setting, count: Self.members)
    defer { devices.stop() }
    var seconds: (shared: [Double], own: [Double]) = ([], [])
    for round in -50..<Self.rounds {
      let among = try lag(shared.owner, in: shared.zone, until: members, at: round + 51)
      let alone = try lag(own, in: .standard, until: devices, at: round + 51)
      guard round >= 0 else { continue }
      seconds.shared.append(among)
      seconds.own.append(alone)
    }
    Measurement.reportPercentiles(
      "change_to_100_members", seconds: seconds.shared, in: .microseconds)
    Measurement.reportPercentiles(
      "change_to_100_own_devices", seconds: seconds.own, in: .microseconds)
  }

  /// Saves a record and returns the seconds until the last reader has received it.
  private func lag(
    _ writer: BenchDevice, in zone: ZoneID, until readers: FeedReaders, at revision: Int
  ) throws -> Double {
    try readers.follow(to: Int64(revision))
    let start = Measurement.monotonicSeconds()
    try writer.save(records: 1, fields: content, in: zone)
    let done = try readers.doneAt()
    _ = try writer.outcome()
    return done - start
  }

  // MARK: A revocation

  private func measureRevocation() throws {
    let broker = try setting.startBroker()
    defer { broker.stop() }
    let shared = try share(among: Self.members)
    let others = try FeedReaders(
      setting, named: "others",
      hellos: shared.members[50...].map { helloFrame($0.known, following: shared.zone) })
    defer { others.stop() }
    var seconds: [Double] = []
    var leaked = 0
    for member in shared.members[..<50] {
      let removal = try remove(member, from: shared)
      seconds.append(removal.seconds)
      leaked += removal.leaked
    }
    Measurement.reportPercentiles(
      "removal_to_last_byte", seconds: seconds, in: .microseconds)
    Measurement.report("changes_after_removal", Double(leaked))
  }

  /// Removes a member while the owner writes to the zone. Returns the seconds from the answer to the last
  /// byte of the zone at the member, and the number of received changes that were committed after the
  /// removal.
  private func remove(
    _ member: Member, from shared: Shared
  ) throws -> (seconds: Double, leaked: Int) {
    let device = try BenchDevice(
      setting,
      member.known.hello(
        following: [ZonePosition(zone: shared.zone, token: nil)]))
    var isLive = false
    while !isLive { if case .level = try device.next() { isLive = true } }
    let before = 40
    let after = 40
    for _ in 0..<before { try shared.owner.save(records: 1, fields: content, in: shared.zone) }
    try shared.owner.send(.share(.removeParticipant(shared.zone, member.account)))
    for _ in 0..<after { try shared.owner.save(records: 1, fields: content, in: shared.zone) }
    var outcomes: [Revision] = []
    var received: [Revision] = []
    var (removed, last): (Double?, Double?) = (nil, nil)
    var isCutOff = false
    while outcomes.count < before + after || removed == nil || !isCutOff
      || Measurement.monotonicSeconds() < (last ?? 0) + 0.05
    {
      let ready = try setting.readable([shared.owner.socket, device.socket], milliseconds: 20)
      let now = Measurement.monotonicSeconds()
      if ready[0] {
        for message in try shared.owner.receivedMessages() {
          switch message {
          case .outcome(let outcome): outcomes.append(try shared.owner.tag(of: outcome))
          case .shared: removed = now
          case .error(let error), .goodbye(let error): throw BenchFailure(error.message)
          default: continue
          }
        }
      }
      if ready[1] {
        for message in try device.receivedMessages() {
          switch message {
          case .changes(let changes):
            received += changes.changes.map(\.tag)
            last = now
          case .reset:
            isCutOff = true
            last = now
          default: continue
          }
        }
      }
    }
    let end = outcomes[before - 1]
    return (max(0, (last ?? 0) - (removed ?? 0)), received.count { $0 > end })
  }

  // MARK: A deletion

  private func measureDeletion() throws {
    let broker = try setting.startBroker()
    defer { broker.stop() }
    let shared = try share(among: Self.members)
    for member in shared.members { try subscribe(member, to: shared.zone) }
    let other = try BenchDevice(setting, name: "other")
    Measurement.reportPercentiles(
      "save_before_deletion", seconds: try waits(of: other, seconds: 3), in: .milliseconds)
    try shared.owner.modify([.deleteZone()], in: shared.zone)
    let waits = try waits(of: other, seconds: 3)
    Measurement.reportPercentiles("save_beside_deletion", seconds: waits, in: .milliseconds)
    Measurement.report("save_beside_deletion_most_ms", (waits.max() ?? 0) * 1e3)
    _ = try shared.owner.outcome()
  }

  private func subscribe(_ member: Member, to zone: ZoneID) throws {
    var known = member.known
    let device = try BenchDevice(setting, known.hello(following: []))
    _ = try signedIn(device, &known)
    for index in 0..<Limits.subscriptionsPerAccount {
      let form = SubscriptionForm(
        id: SubscriptionID(stored: "s\(index)"), database: .shared, kind: .zone(zone, type: nil),
        notification: NotificationForm())
      try device.send(.saveSubscription(form))
      // Sixteen requests are in flight at a time.
      if index >= 16 { try saved(device) }
    }
    for _ in 0..<16 { try saved(device) }
  }

  private func saved(_ device: BenchDevice) throws {
    while true {
      switch try device.next() {
      case .subscriptionSaved: return
      case .error(let error), .goodbye(let error): throw BenchFailure(error.message)
      default: continue
      }
    }
  }

  /// Saves records of another account one after the other and returns the seconds of each.
  private func waits(of device: BenchDevice, seconds: Double) throws -> [Double] {
    let end = Measurement.monotonicSeconds() + seconds
    var waits: [Double] = []
    while true {
      let start = Measurement.monotonicSeconds()
      guard start < end else { return waits }
      try device.save(records: 1, fields: content)
      _ = try device.outcome()
      waits.append(Measurement.monotonicSeconds() - start)
    }
  }
}
