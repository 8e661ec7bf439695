// Devices on other machines whose clocks are wrong, or that were away for long.

import Foundation
import GRDB
import Processes
import Records
import Testing

extension EndToEnd {
  @Suite(
    "R3, I21 wrong clocks and long absence",
    .enabled(if: FalseClock.obstacle == nil, "\(FalseClock.obstacle ?? "")"))
  struct ClockTests {
    @Test(arguments: ["+10y", "-10y"])
    func `a laptop whose clock is ten years off joins, edits and invites`(
      offset: String
    ) async throws {
      let (broker, desktop) = try await RemoteBroker.household()
      let directory = try TemporaryDirectory()
      let program = try FalseClock.script(running: "contactsd", offset: offset, in: directory)
      let laptop = try await Device(
        "laptop", account: nil, in: directory, brokerPath: nil, program: program)
      let joined = try await laptop.control("signin", try await broker.invite().link, "--yes")
      #expect(joined.status == 0, "\(joined.error)")
      try await laptop.settles()
      let both = [desktop.requests, laptop.requests]
      let id = try await desktop.requests.add(first: "Signe", company: "First")
      _ = try await Agreement.wait(among: both)
      for (device, company) in [(laptop, "Second"), (desktop, "Third"), (laptop, "Fourth")] {
        try await device.requests.setCompany(of: id, to: company)
        let contacts = try await Agreement.wait(among: both)
        #expect(contacts.first { $0.id == id }?.company == company)
      }
      let invitation = try await laptop.control("devices", "invite", "--json")
      let created = try JSONDecoder().decode(
        CreatedInvitation.self, from: Data(invitation.output.utf8))
      let style = Date.ISO8601FormatStyle(includingFractionalSeconds: created.expires.contains("."))
      let expires = try Date(created.expires, strategy: style)
      #expect((0...660).contains(expires.timeIntervalSinceNow), "\(created.expires)")
      let phone = try await Device("phone", account: nil, brokerPath: nil)
      #expect(try await phone.control("signin", created.link, "--yes").status == 0)
      try await phone.settles()
    }

    private func tombstoneCount(_ broker: RemoteBroker) throws -> Int {
      let queue = try DatabaseQueue(path: "\(broker.state)/broker.sqlite")
      return try queue.read {
        try Int.fetchOne($0, sql: "SELECT count(*) FROM record WHERE kind = 1") ?? 0
      }
    }

    @Test(.readsBrokerFile)
    func `a device that was away past the horizon loses none of its edits`() async throws {
      let (broker, desktop) = try await RemoteBroker.household()
      let laptop = try await broker.joined("laptop")
      let (kept, deleted) = (
        try await desktop.requests.add(first: "Kept"), try await desktop.requests.add(first: "Gone")
      )
      let both = [desktop.requests, laptop.requests]
      _ = try await Agreement.wait(among: both)
      // The laptop is away, and its person goes on editing.
      try await broker.broker.kill()
      let added = try await laptop.requests.add(first: "Offline")
      try await laptop.requests.setCompany(of: kept, to: "Edited offline")
      try await laptop.kill()
      try await broker.broker.restart()
      #expect(try await desktop.control("rm", deleted).status == 0)
      #expect(try await desktop.control("trash", "empty", "--yes").status == 0)
      try await desktop.settles()
      #expect(try tombstoneCount(broker) > 0)
      // A hundred days pass for the broker: tombstones expire after ninety.
      try await broker.broker.kill()
      try await broker.broker.restart(
        as: try FalseClock.script(
          running: "contacts-broker", offset: "+100d", in: broker.broker.directory))
      let confirmed = try await Device.run(
        "contacts-broker", ["clock", "confirm", "--state", broker.state])
      #expect(confirmed.status == 0, "\(confirmed.error)")
      try await Patience.wait(until: "the tombstones to expire") {
        try tombstoneCount(broker) == 0
      }
      try await laptop.restart()
      try await laptop.settles()
      let contacts = try await Agreement.wait(among: both)
      #expect(contacts.contains { $0.id == added })
      #expect(contacts.first { $0.id == kept }?.company == "Edited offline")
      #expect(!contacts.contains { $0.id == deleted })
    }
  }
}
