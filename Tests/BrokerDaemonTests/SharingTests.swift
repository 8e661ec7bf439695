// Two accounts share a group over a real broker's socket: create, share, accept, edit from both sides, make
// read-only, leave and stop sharing, with the broker killed between any two steps.

import Crypto
import Processes
import Records
import RecordsWire
import Testing

@Suite("Z2, Z3, Z4, Z5, I11 sharing over the socket", .timeLimit(.minutes(5)))
struct SharingTests {
  private static let secret = ShareSecret(0xC0FF_EE00_1234_5678_9ABC_DEF0_0FED_CBA9)
  private static let link = LinkForm(digest: Array(SHA256.hash(data: secret.bytes)))
  private static let group = ZoneID(owner: .current, name: ZoneName(7))

  /// An account's device and its connection, which is opened again after the broker was killed.
  private struct Person {
    var device: WireDevice
    var client: WireClient

    init(_ name: String, at broker: RunningBroker) async throws {
      device = WireDevice(account: name)
      client = try await device.connect(broker)
    }

    func share(_ order: SharingRequest) async throws -> ShareAnswer {
      let answer = try await client.ask(.share(order))
      guard case .shared(let shared) = answer else { throw Unexpected(answer) }
      return shared
    }

    func refusal(_ order: SharingRequest) async throws -> RecordsError {
      let answer = try await client.ask(.share(order))
      guard case .error(let error) = answer else { throw Unexpected(answer) }
      return error
    }

    mutating func write(_ name: String, in zone: ZoneID) async throws -> RecordsError.Code? {
      let results = try await device.perform(.note(name), in: zone, over: client)
      guard case .failed(let error, _)? = results.first else { return nil }
      return error.code
    }
  }

  /// Two accounts and their broker, which the test kills and restarts.
  private struct Stage {
    let broker: RunningBroker
    var anna: Person
    var bob: Person
    var zone: ZoneID

    init() async throws {
      broker = try await RunningBroker()
      anna = try await Person("anna", at: broker)
      bob = try await Person("bob", at: broker)
      try await anna.device.perform(
        .saveZone(title: "Family"), .note("a"), in: SharingTests.group, over: anna.client)
      let answer = try await anna.client.ask(.zones)
      guard case .directory(let page) = answer else { throw Unexpected(answer) }
      zone = page.entries.first { $0.zone.name == SharingTests.group.name }?.zone ?? .standard
    }

    /// Kills and restarts the broker before the next step.
    mutating func fall() async throws {
      try await broker.kill()
      try await broker.restart()
      anna.client = try await anna.device.connect(broker)
      bob.client = try await bob.device.connect(broker)
    }
  }

  private func entry(_ person: Person, _ zone: ZoneID) async throws -> DirectoryEntry? {
    let answer = try await person.client.ask(.zones)
    guard case .directory(let page) = answer else { throw Unexpected(answer) }
    return page.entries.first { $0.zone == zone }
  }

  @Test func `sharing works from invitation to end with a broker that is killed at every step`()
    async throws
  {
    var stage = try await Stage()
    let zone = stage.zone
    try #require(zone.name == Self.group.name)
    let form = ShareForm(publicPermission: .readWrite, link: Self.link)
    guard case .share(let share) = try await stage.anna.share(.create(zone, form)) else { return }
    #expect(share.link?.digest == Self.link.digest && share.participants.map(\.name) == ["anna"])
    try await stage.fall()
    guard case .preview(let preview) = try await stage.bob.share(.preview(Self.secret)) else {
      return
    }
    #expect(preview.ownerName == "anna" && preview.title == "Family" && preview.recordCount == 1)
    #expect(try await stage.bob.client.record("a", in: zone) == nil)
    _ = try await stage.bob.share(.accept(Self.secret))
    try await stage.fall()
    let entered = try await entry(stage.bob, zone)
    #expect(entered?.ownerName == "anna" && entered?.isWritable == true)
    #expect(try await stage.bob.client.record("a", in: zone) != nil)
    #expect(try await stage.bob.write("by bob", in: zone) == nil)
    try await stage.fall()
    #expect(try await stage.anna.client.record("by bob", in: zone) != nil)
    let bob = try #require(share.participants.first).account
    guard case .share(let joined) = try await stage.anna.share(.fetch(zone)),
      let guest = joined.participants.last?.account, guest != bob
    else {
      Issue.record("bob is not in the share")
      return
    }
    _ = try await stage.anna.share(
      .setParticipant(zone, guest, .readOnly, isAdministrator: false))
    try await stage.fall()
    #expect(try await stage.bob.write("no more", in: zone) == .permissionFailure)
    #expect(try await entry(stage.bob, zone)?.isWritable == false)
    _ = try await stage.bob.share(.leave(zone))
    try await stage.fall()
    #expect(try await entry(stage.bob, zone)?.isDeleted == true)
    #expect(try await stage.bob.write("gone", in: zone) == .zoneNotFound)
    _ = try await stage.anna.share(.stop(zone))
    try await stage.fall()
    #expect(try await stage.bob.refusal(.accept(Self.secret)).reason == "revoked")
    #expect(try await stage.anna.client.record("by bob", in: zone) != nil)
  }

  @Test func `a removed participant is cut off within a second, and the log names it`()
    async throws
  {
    let times = try await Patience.times(below: .seconds(1)) { _ in try await timeToCutOff() }
    #expect(times.contains { $0 < .seconds(1) }, "\(times)")
  }

  /// Removes a participant, and returns how long it stayed connected to the group.
  private func timeToCutOff() async throws -> Duration {
    var stage = try await Stage()
    let zone = stage.zone
    let form = ShareForm(publicPermission: .readWrite, link: Self.link)
    _ = try await stage.anna.share(.create(zone, form))
    _ = try await stage.bob.share(.accept(Self.secret))
    _ = try await stage.bob.client.send(.attach([ZonePosition(zone: zone, token: nil)]))
    let (pages, _) = try await stage.bob.client.changesUntilLevel()
    #expect(pages.flatMap(\.changes).map(\.name.text) == ["a"])
    let answer = try await stage.anna.share(.fetch(zone))
    guard case .share(let share) = answer, let guest = share.participants.last
    else { throw Unexpected(.shared(answer)) }
    #expect(guest.isLevel == true)
    let start = ContinuousClock.now
    _ = try await stage.anna.share(.removeParticipant(zone, guest.account))
    let (lost, error) = try await stage.bob.client.first("a reset") { frame in
      if case .reset(let zone, let error) = frame.message { (zone, error) } else { nil }
    }
    #expect(lost == zone && error.code == .permissionFailure)
    let time = ContinuousClock.now - start
    #expect(try await stage.anna.write("later", in: zone) == nil)
    #expect(try await stage.bob.write("late", in: zone) == .zoneNotFound)
    #expect(try await stage.bob.refusal(.accept(Self.secret)).reason == "removed")
    for _ in 0..<11 {
      _ = try await stage.bob.refusal(.preview(ShareSecret(.random(in: 0 ... .max))))
    }
    let slowed = try await stage.bob.refusal(.preview(Self.secret))
    #expect(slowed.code == .requestRateLimited)
    let journal = stage.broker.program.standardError
    #expect(journal.contains("\(guest.account)") && journal.contains("\(zone)"))
    #expect(journal.contains("permissionFailure") && journal.contains("zoneNotFound"))
    #expect(!journal.lowercased().contains("c0ffee00"))
    return time
  }
}
