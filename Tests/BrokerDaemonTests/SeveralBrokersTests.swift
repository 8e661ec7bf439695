// Brokers on one PostgreSQL database, as devices that are connected to different ones see them.

import Crypto
import Foundation
import PostgreSQLConnections
import Processes
import Records
import RecordsWire
import SQLConnections
import Testing

@Suite(
  "S2 several brokers on one database", .timeLimit(.minutes(5)),
  .disabled(if: PostgreSQLServer.obstacle != nil, "\(PostgreSQLServer.obstacle ?? "")"))
struct SeveralBrokersTests {
  private let address: String
  private let first: RunningBroker
  private let second: RunningBroker

  init() async throws {
    address = try PostgreSQLServer.shared().makeDatabase()
    let settings = ["CONTACTS_BROKER_STORE": address]
    first = try await RunningBroker(settings: settings)
    second = try await RunningBroker(settings: settings)
  }

  private func nextChanges(_ client: WireClient) async throws -> ZoneChanges {
    try await client.first("changes") {
      if case .changes(let changes) = $0.message { changes } else { nil }
    }
  }

  @Test func `a save through one broker reaches the devices of another once and in order`()
    async throws
  {
    var writer = WireDevice()
    let writing = try await writer.connect(first)
    var reader = WireDevice()
    let reading = try await reader.connect(second, zones: .fromNothing)
    _ = try await reading.changesUntilLevel()
    var last = Revision.zero
    for number in 0..<50 {
      try await writer.perform(.note("\(number)"), over: writing)
      let changes = try await nextChanges(reading)
      #expect(changes.from == last && changes.changes.map(\.name.text) == ["\(number)"])
      last = changes.to
    }
  }

  @Test func `a device continues at another broker when its own is killed`() async throws {
    var device = WireDevice()
    var client = try await device.connect(first, zones: .fromNothing)
    var other = WireDevice()
    let otherClient = try await other.connect(second)
    try await device.perform(.note("a"), over: client)
    try await other.perform(.note("b"), over: otherClient)
    let times = try await Patience.times(below: .seconds(2)) { number in
      if number > 0 {
        try await first.restart()
        client = try await device.connect(first)
        try await device.perform(.note("again \(number)"), over: client)
      }
      try await first.kill()
      let start = ContinuousClock.now
      client = try await device.connect(second, zones: .fromNothing)
      let results = try await device.perform(.note("c \(number)"), over: client)
      guard case .saved? = results.first else { throw RecordsError.invalid("\(results)") }
      return ContinuousClock.now - start
    }
    #expect(times.contains { $0 < .seconds(2) }, "\(times)")
    try await first.restart()
    // Numbers and revisions go on wherever the device is.
    client = try await device.connect(first, zones: .fromNothing)
    try await device.perform(.note("d"), over: client)
    let (pages, head) = try await client.changesUntilLevel()
    let names = pages.flatMap(\.changes).map(\.name.text)
    #expect(names.prefix(3) == ["a", "b", "c 0"] && head >= Revision(3))
  }

  @Test func `a repeated request has its first outcome at every broker`() async throws {
    var device = WireDevice()
    let client = try await device.connect(first)
    let request = device.request([.note("a")])
    let outcome = try await client.outcome(of: request)
    client.close()
    let elsewhere = try await device.connect(second)
    #expect(try await elsewhere.outcome(of: request) == outcome)
  }

  @Test func `a removed participant hears of no later change, whichever brokers are asked`()
    async throws
  {
    let secret = ShareSecret(0xC0FF_EE00_1234_5678_9ABC_DEF0_0FED_CBA9)
    let form = ShareForm(
      publicPermission: .readWrite, link: LinkForm(digest: Array(SHA256.hash(data: secret.bytes))))
    let group = ZoneID(owner: .current, name: ZoneName(7))
    var anna = WireDevice(account: "anna")
    let atFirst = try await anna.connect(first)
    try await anna.perform(.saveZone(title: "Family"), .note("a"), in: group, over: atFirst)
    guard case .directory(let page) = try await atFirst.ask(.zones) else { return }
    let zone = try #require(page.entries.first { $0.zone.name == group.name }?.zone)
    _ = try await atFirst.ask(.share(.create(zone, form)))
    var other = WireDevice(account: "anna")
    let atSecond = try await other.connect(second)
    var bob = WireDevice(account: "bob")
    let guest = try await bob.connect(second)
    guard case .shared = try await guest.ask(.share(.accept(secret))),
      case .shared(.share(let joined)) = try await atFirst.ask(.share(.fetch(zone)))
    else {
      Issue.record("bob cannot accept at the second broker what was shared at the first")
      return
    }
    let account = try #require(joined.participants.last?.account)
    _ = try await guest.send(.attach([ZonePosition(zone: zone, token: nil)]))
    _ = try await guest.changesUntilLevel()
    _ = try await atFirst.ask(.share(.removeParticipant(zone, account)))
    try await other.perform(.note("secret"), in: zone, over: atSecond)
    let reset = try await guest.first("the end of access") { frame -> RecordsError? in
      switch frame.message {
      case .reset(zone, let error): error
      case .changes(let changes) where changes.zone == zone:
        throw Unexpected(frame.message)
      default: nil
      }
    }
    #expect(reset.code == .permissionFailure)
  }

  @Test func `a device that one broker revokes loses its connection to another`() async throws {
    var device = WireDevice()
    let client = try await device.connect(second)
    let id = try #require(device.id)
    let program = try RunningProgram(
      "contacts-broker",
      ["device", "revoke", "\(id)", "--state", first.directory.file("state")],
      environment: ["CONTACTS_BROKER_STORE": address])
    #expect(try await program.end() == 0, "\(program.standardError)")
    let goodbye = try await client.first("a goodbye") {
      if case .goodbye(let error) = $0.message { error } else { nil }
    }
    #expect(goodbye.reason == "revoked")
  }

  @Test func `brokers of the version before serve beside newer ones`() async throws {
    let database = try PostgreSQLConnection(address)
    // As a migration of the next version leaves the database, if this version may stay.
    try database.run("UPDATE contacts_broker.schema_version SET version = version + 1")
    try database.run("ALTER TABLE contacts_broker.zone ADD COLUMN added_later bigint DEFAULT 1")
    try database.run(
      """
      UPDATE contacts_broker.commit_log SET notice = notice || '\\xa2060100'::bytea
      WHERE position = (SELECT max(position) FROM contacts_broker.commit_log)
      """)
    var device = WireDevice()
    let client = try await device.connect(first)
    try await device.perform(.note("a"), over: client)
    try await second.kill()
    try await second.restart()
    let restarted = try await device.connect(second, zones: .fromNothing)
    let (pages, _) = try await restarted.changesUntilLevel()
    #expect(pages.flatMap(\.changes).map(\.name.text) == ["a"])
    // A version that cannot live with it ends, with a sentence.
    try database.run("UPDATE contacts_broker.schema_version SET oldest = version")
    _ = try? await device.perform(.note("b"), over: restarted)
    #expect(try await second.program.end() == 65)
    #expect(second.program.standardError.contains("another version of this program"))
  }
}
