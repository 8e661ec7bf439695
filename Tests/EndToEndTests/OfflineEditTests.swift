import Glibc
import Processes
import Records
import Testing

extension EndToEnd {
  @Suite("B4, I9, I13 offline edits on two devices")
  struct OfflineEditTests {
    @Test func `edits of the same field are a conflict that retains both values`() async throws {
      let world = try await World()
      try await world.broker.kill()
      try await world.isDisconnected()
      let id = BundledIDs.id(4)
      try await world.laptop.requests.setCompany(of: id, to: "Of the laptop")
      try await world.phone.requests.setCompany(of: id, to: "Of the phone")
      try await world.broker.restart()
      let contacts = try await world.settle()
      let shown = try #require(contacts.first { $0.id == id }).company
      let other = shown == "Of the laptop" ? "Of the phone" : "Of the laptop"
      #expect(["Of the laptop", "Of the phone"].contains(shown))
      #expect(contacts.count == 10)
      for device in [world.laptop, world.phone] {
        try await Patience.wait(until: "the conflict on \(device.name)") {
          try await device.requests.status().conflicts == 1
        }
        // Id, contact, field, the value shown, the value that lost.
        let row = try #require(try await device.control("conflicts", "list").rows.first)
        #expect(row.suffix(2) == [shown, other])
        try await expectBothSides(of: row[0], on: device, shown: shown)
      }
      let conflict = try #require(
        try await world.phone.control("conflicts", "list").rows.first?.first)
      #expect(try await world.phone.control("conflicts", "resolve", conflict, "--mine").status == 0)
      try await world.laptop.shows(id, "the phone's value") { $0.company == "Of the phone" }
      try await Patience.wait(until: "the conflict to go from the laptop") {
        try await world.laptop.requests.status().conflicts == 0
      }
    }

    /// On each device “mine” is the value set there, and both values are labelled.
    private func expectBothSides(
      of conflict: String, on device: Device, shown: String
    ) async throws {
      let rows = try await device.control("conflicts", "show", conflict).rows
      for (side, name) in [
        ("mine", device.name), ("theirs", device.name == "phone" ? "laptop" : "phone"),
      ] {
        let value = "Of the \(name)"
        let label = value == shown ? "\(side) (shown)" : side
        let row = try #require(rows.first { $0.first == label }, "\(label) in \(rows)")
        #expect(row.dropFirst() == [value, "set on \(name) by alice"])
      }
    }

    @Test func `a second edit made while the first is in flight survives a lost reply`()
      async throws
    {
      let broker = try await RunningBroker()
      let directory = try TemporaryDirectory()
      let relay = try Relay(at: directory.file("r.sock"), to: broker.socketPath)
      try await relay.running {
        let laptop = try await Device("laptop", brokerPath: directory.file("r.sock"))
        let phone = try await Device("phone", brokerPath: broker.socketPath)
        try await laptop.settles()
        try await phone.settles()
        let id = "bundled-1-05"
        await relay.holdReplies()
        try await laptop.requests.setCompany(of: id, to: "First")
        // The broker applied the edit and sent it to the phone, but the laptop has no outcome.
        try await phone.shows(id, "the first edit") { $0.company == "First" }
        try await laptop.requests.setCompany(of: id, to: "Second")
        await relay.cut()
        try await phone.shows(id, "the second edit") { $0.company == "Second" }
        try await laptop.settles()
        #expect(try await laptop.requests.contact(id)?.company == "Second")
        #expect(try await laptop.requests.status().conflicts == 0)
        #expect(try await phone.requests.status().conflicts == 0)
      }
    }
  }
}
