// The rows of the address book's table, on two devices and a broker, with the commands that a person uses.
// The tests of the targets cover the edge cases.

import Processes
import Records
import Testing

extension EndToEnd {
  @Suite("rows of the address book with real processes")
  struct AddressBookTests {
    @Test func `C1, C2, C3 a contact with only a name is in the list as soon as it is saved`()
      async throws
    {
      let world = try await World()
      #expect(try await world.laptop.control("list").rows.count == 10)
      let refused = try await world.laptop.control("add", "--phone", "555 0100")
      #expect(refused.status == 65)
      let added = try await world.laptop.control("add", "--last", "Zimmer")
      let id = try #require(added.rows.first?.first, "\(added.error)")
      let list = try await world.laptop.control("list").rows
      #expect(list.count == 11)
      #expect(list.last?.prefix(2) == [id, "Zimmer"])
    }

    @Test func `C4 a contact's details are shown and edited`() async throws {
      let world = try await World()
      #expect(
        try await world.laptop.control("edit", "bundled-1-01", "--company", "Engines").status == 0)
      let rows = try await world.laptop.control("show", "Ada Quill").rows
      #expect(rows.contains { $0.prefix(2) == ["company", "Engines"] })
    }

    @Test func `C5 all contacts are there after all programs were killed and restarted`()
      async throws
    {
      let world = try await World()
      let id = try await world.laptop.requests.add(first: "Kept", company: "Acme")
      let before = try await world.laptop.control("list").output
      try await world.laptop.kill()
      try await world.broker.kill()
      try await world.broker.restart()
      try await world.laptop.restart()
      #expect(try await world.laptop.control("list").output == before)
      #expect(try await world.laptop.requests.contact(id)?.company == "Acme")
    }

    @Test func `C6, C8 a second device shows the same contacts, and each change by itself`()
      async throws
    {
      let world = try await World()
      let fields = ["--fields", "name,phone,email"]
      let (laptop, phone) = (world.laptop, world.phone)
      func list(_ device: Device) async throws -> String {
        try await Device.run("contactsctl", ["--agent", device.socketPath, "list"] + fields).output
      }
      #expect(try await list(laptop) == list(phone))
      #expect(try await laptop.control("edit", "bundled-1-07", "--last", "Gull").status == 0)
      try await phone.shows("bundled-1-07", "the edit") { $0.lastName == "Gull" }
      #expect(try await list(laptop) == list(phone))
    }

    @Test func `C7 a contact deleted from the list disappears on both devices`() async throws {
      let world = try await World()
      #expect(try await world.laptop.control("rm", "bundled-1-07").status == 0)
      #expect(try await world.laptop.control("list").rows.count == 9)
      try await world.phone.misses("bundled-1-07")
    }

    @Test func `C9, C10 without a network contacts are listed, found, shown, added and edited`()
      async throws
    {
      let world = try await World()
      try await world.broker.kill()
      try await world.isDisconnected()
      #expect(try await world.phone.control("list").rows.count == 10)
      #expect(try await world.phone.control("search", "fontanel").rows.count == 1)
      #expect(try await world.phone.control("search", "010-0101").rows.count == 1)
      #expect(try await world.phone.control("add", "--first", "Train").status == 0)
      #expect(try await world.phone.control("edit", "bundled-1-01", "--note", "x").status == 0)
      try await world.broker.restart()
      try await world.laptop.shows("bundled-1-01", "the note") { _ in true }
      #expect(try await world.settle().count == 11)
    }

    @Test func `V10 the emergency switch is set, shown and cleared on both devices`()
      async throws
    {
      let world = try await World()
      let on = ["edit", "bundled-1-01", "--emergency"]
      func emergency(_ device: Device) async throws -> String? {
        let rows = try await device.control("show", "bundled-1-01").rows
        return rows.first { $0.first == "emergency" }?.dropFirst().first
      }
      #expect(try await emergency(world.phone) == "no")
      #expect(
        try await Device.run("contactsctl", ["--agent", world.laptop.socketPath] + on).status == 0)
      #expect(try await emergency(world.laptop) == "yes")
      try await Patience.wait(until: "the switch on the phone") {
        try await emergency(world.phone) == "yes"
      }
      let off = try await world.phone.control("edit", "bundled-1-01", "--no-emergency")
      #expect(off.status == 0)
      try await Patience.wait(until: "the switch on the laptop") {
        try await emergency(world.laptop) == "no"
      }
    }

    @Test func `V11 a save is one event for every watcher, here and on the other device`()
      async throws
    {
      let world = try await World()
      let watchers = try [
        world.laptop.watch(), world.laptop.watch(), world.phone.watch(),
      ]
      let id = try await world.laptop.requests.add(
        json: #"{"firstName":"Once","phones":[{"value":"1"},{"value":"2"}],"note":"n"}"#)
      #expect(
        try await world.laptop.control("edit", id, "--last", "Only", "--note", "m").status == 0)
      for watcher in watchers {
        func lines() -> [Substring] {
          watcher.lines.filter { $0.contains(id) }.map {
            $0.split(separator: "\t", omittingEmptySubsequences: false)[1]
          }
        }
        try await Patience.wait(until: "two events") { lines().count >= 2 }
        #expect(lines() == ["created", "updated"])
      }
    }
  }
}
