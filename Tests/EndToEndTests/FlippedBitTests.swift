// Bits flip on the broker's disk, in the database and in its log. No device shows a wrong value, and the
// records that a device still holds are restored.

import BrokerClient
import Foundation
import Processes
import Testing

extension EndToEnd {
  @Suite("B6, I1, I16, I23 flipped bits on the broker's disk", .readsBrokerFile)
  struct FlippedBitTests {
    private static let marker = "Harbour Light Pianos"

    @Test func `a record with a flipped bit is withheld and named, and a repair restores it`()
      async throws
    {
      let world = try await World()
      let id = try await world.laptop.requests.add(first: "Ada", company: Self.marker)
      try await world.laptop.requests.setCompany(of: "bundled-1-01", to: "Another")
      try await world.settle()
      world.broker.program.send(SIGTERM)
      _ = try await world.broker.program.end()
      try world.broker.directory.flip(Self.marker, in: "state/broker.sqlite")

      try await world.broker.restart()
      // A new device does not show the damaged record, but all others.
      let tablet = try await Device("tablet", brokerPath: world.broker.socketPath)
      try await tablet.settles()
      #expect(try await tablet.requests.contact(id) == nil)
      #expect(try await tablet.requests.contact("bundled-1-01")?.company == "Another")
      let journal = world.broker.program.standardError
      #expect(journal.ranges(of: "a record is damaged and withheld").count == 1, "\(journal)")
      // A device that had the record still shows it.
      #expect(try await world.phone.requests.contact(id)?.company == Self.marker)
      let state = ["--state", world.broker.directory.file("state")]
      let check = try await Device.run("contacts-broker", ["check"] + state)
      #expect(check.status == 65)
      // The broker knows records by their names, which a device accepts as ids.
      let name = try #require(check.output.split(separator: "“").dropFirst().first)
        .prefix { $0 != "”" }
      #expect(journal.contains(name))
      #expect(try await world.phone.requests.contact(String(name))?.id == id)

      world.broker.program.send(SIGTERM)
      _ = try await world.broker.program.end()
      let repair = try await Device.run("contacts-broker", ["repair"] + state)
      #expect(repair.status == 0, "\(repair.error)")
      #expect(repair.output.contains("Repaired faults: 1."))
      try await world.broker.restart()
      let devices = [world.laptop, world.phone, tablet]
      let contacts = try await Agreement.wait(among: devices.map(\.requests))
      #expect(contacts.first { $0.id == id }?.company == Self.marker)
      #expect(contacts.count == 11)
      let whole = try await Device.run("contacts-broker", ["check"] + state)
      #expect(whole.output == "No faults found.\n", "\(whole.output)")
    }

    @Test func `a damaged record does not keep a client from the others in its request`()
      async throws
    {
      let broker = try await RunningBroker()
      let container = Container(
        name: "notes", broker: .unixSocket(broker.socketPath), account: "ada",
        device: DeviceIdentity(name: "laptop"))
      let texts = ["first", Self.marker, "third"]
      var ids: [RecordID] = []
      for text in texts {
        let note = Record(recordType: "Note", fields: ["text": .string(text)])
        ids.append(try await container.privateDatabase.save(note).id)
      }
      broker.program.send(SIGTERM)
      _ = try await broker.program.end()
      try broker.directory.flip(Self.marker, in: "state/broker.sqlite")
      try await broker.restart()
      let found = try await container.privateDatabase.records(for: ids)
      #expect(found.count == 3)
      for index in [0, 2] {
        #expect(try found[ids[index]]?.get()["text"] == .string(texts[index]))
      }
      guard case .failure(let error)? = found[ids[1]] else {
        Issue.record("\(found)")
        return
      }
      #expect(error.code == .internalError && error.reason == "damaged")
    }

    @Test func `a repair is refused while a broker runs`() async throws {
      let world = try await World()
      let state = world.broker.directory.file("state")
      let repair = try await Device.run("contacts-broker", ["repair", "--state", state])
      #expect(repair.status == 75)
    }

    /// SQLite ignores the log after its first damaged page. The broker is set back, which the devices notice.
    @Test func `a flipped bit in the log loses nothing that a device holds`() async throws {
      let world = try await World()
      let early = try await world.laptop.requests.add(first: "Early")
      try await world.settle()
      let marked = try await world.laptop.requests.add(first: "Ada", company: Self.marker)
      try await world.settle()
      let late = try await world.phone.requests.add(first: "Late")
      try await world.settle()
      try await world.broker.kill()
      try world.broker.directory.flip(Self.marker, in: "state/broker.sqlite-wal")
      try await world.broker.restart()
      let contacts = try await world.settle()
      for id in [early, marked, late] {
        #expect(contacts.count { $0.id == id } == 1, "\(id)")
      }
      #expect(contacts.first { $0.id == marked }?.company == Self.marker)
      let state = world.broker.directory.file("state")
      let check = try await Device.run("contacts-broker", ["check", "--state", state])
      #expect(check.output == "No faults found.\n", "\(check.output)")
    }
  }
}
