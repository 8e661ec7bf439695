import Foundation
import Processes
import Records
import Testing

extension EndToEnd {
  @Suite("Z4, Z6, K1 access requests, invitations and names")
  struct PeopleTests {
    /// Creates a group of Alice's whose link, which Bob has, is revoked.
    private func deadLink(_ world: SharingWorld) async throws -> String {
      _ = try await world.rowing()
      let link = try await world.laptop.does("share", "Rowing", "--read")
      try await world.laptop.does("share", "revoke", "Rowing")
      return link
    }

    @Test
    func `Z6 an access request appears at once on each device of owner and administrators`()
      async throws
    {
      let world = try await SharingWorld()
      let link = try await deadLink(world)
      let carol = try await Device("pad", account: "carol", brokerPath: world.broker.socketPath)
      try await carol.settles()
      try await carol.does("permission", "discoverability", "allow")
      let open = try await world.laptop.does("share", "renew", "Rowing")
      try await world.laptop.does("invite", "Rowing", "carol", "--read")
      try await carol.does("accept", open, "--yes")
      try await world.laptop.does("participants", "Rowing", "set", "carol", "--admin")
      try await carol.prints("administrator", "group", "list")
      try await world.tablet.does("whoami", "--set-name", "Bob B.")
      try await world.tablet.does("accept", link, "--request")
      for device in [world.laptop, world.phone, carol] {
        try await device.prints("Bob B. asks for access to “Rowing”", "notifications")
        try await device.prints("bob\twaiting", "requests", "Rowing")
        try await device.prints("Rowing\tbob\twaiting", "requests")
      }
      #expect(try await world.tablet.does("notifications").isEmpty)
      // Without the broker the devices still show the request.
      try await world.broker.kill()
      try await Patience.wait(until: "the phone to be offline") {
        try await world.phone.requests.status().state != "live"
      }
      #expect(try await world.phone.does("requests", "Rowing").hasPrefix("bob\twaiting"))
      try await world.phone.fails(75, "broker", "requests", "Rowing", "approve", "bob")
      try await world.broker.restart()
      for device in world.devices + [carol] { try await device.settles() }
      // The owner's devices learn of an administrator's answer.
      try await carol.does("requests", "Rowing", "approve", "Bob B.", "--read")
      try await world.tablet.has("Rowing")
      try await world.tablet.prints("is now shared with you.", "notifications")
      try await Patience.wait(until: "nobody to ask any more") {
        try await world.phone.does("requests", "Rowing").isEmpty
      }
      // Carol joined by a link; Bob's request was approved by a manager.
      let reasons = try await world.phone.control("notifications").rows.map { $0[3] }
      #expect(reasons == ["joined", "requested"])
      #expect(try await carol.control("notifications").rows.map { $0[3] } == ["requested"])
    }

    @Test(.enabled(if: SessionBus.isPossible, "This machine has no dbus-daemon (package dbus)."))
    func `T7, Z6 an access request raises a desktop notification where allowed`() async throws {
      let directory = try TemporaryDirectory()
      let bus = try await SessionBus(in: directory)
      let desktop = try await FakeDesktop(address: bus.address)
      defer { desktop.stop() }
      let broker = try await RunningBroker()
      let laptop = try await Device(
        "laptop", brokerPath: broker.socketPath,
        environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
      let tablet = try await Device("tablet", account: "bob", brokerPath: broker.socketPath)
      for device in [laptop, tablet] { try await device.settles() }
      try await laptop.does("permission", "notifications", "allow")
      try await laptop.does("group", "add", "Club")
      let link = try await laptop.does("share", "Club")
      try await laptop.does("share", "revoke", "Club")
      try await tablet.does("accept", link, "--request")
      try await Patience.wait(until: "an alert") { !desktop.shown.isEmpty }
      #expect(desktop.shown.map(\.title) == ["Club"])
      #expect(desktop.shown.map(\.body) == ["bob asks for access to “Club”"])
    }

    @Test func `Z4 an invitation is declined, also by a revoked link, and can be repeated`()
      async throws
    {
      let world = try await SharingWorld()
      let link = try await deadLink(world)
      try await world.tablet.fails(77, "invitation", "decline", link)
      try await world.tablet.does("permission", "discoverability", "allow")
      try await world.laptop.does("invite", "Rowing", "bob", "--write")
      try await world.laptop.prints("invited", "participants", "Rowing")
      let json = try await world.tablet.does("--json", "decline", link)
      #expect(json.contains(#""declined":true"#))
      try await world.laptop.prints("bob\tmember\twrite\tleft", "participants", "Rowing")
      try await world.tablet.does("decline", link)
      let renewed = try await world.laptop.does("share", "renew", "Rowing")
      try await world.tablet.fails(77, "invited", "accept", renewed, "--yes")
      try await world.laptop.does("invite", "Rowing", "bob", "--read")
      try await world.tablet.does("accept", renewed, "--yes")
      try await world.tablet.fails(65, "accepted", "decline", renewed)
      try await world.laptop.fails(65, "your own", "decline", renewed)
      try await world.laptop.fails(65, "“alice” owns the group.", "invite", "Rowing", "alice")
      try await world.broker.kill()
      try await world.tablet.fails(75, "broker", "decline", renewed)
    }

    @Test func `Z4 a participant who is invited again keeps the permission`() async throws {
      let world = try await SharingWorld()
      _ = try await world.rowing()
      try await world.laptop.fails(66, "“Rowing” is not shared.", "participants", "Rowing")
      try await world.laptop.fails(65, "The default group cannot", "share", "Contacts")
      try await world.tablet.does("permission", "discoverability", "allow")
      let link = try await world.laptop.does("share", "Rowing", "--read")
      let first = try await world.laptop.control("invite", "Rowing", "bob", "--write")
      #expect(first.error.contains("Invited bob to “Rowing”."), "\(first.error)")
      try await world.laptop.does("invite", "Rowing", "bob")
      try await world.laptop.prints("bob\tmember\twrite\tinvited", "participants", "Rowing")
      try await world.tablet.does("accept", link, "--yes")
      let again = try await world.laptop.control("invite", "Rowing", "bob")
      #expect(again.output.contains(link))
      #expect(again.error.contains("bob already takes part in “Rowing”"), "\(again.error)")
      try await world.laptop.does("share", "Rowing", "--with", "bob")
      try await world.laptop.prints("bob\tmember\twrite\taccepted", "participants", "Rowing")
      let lower = try await world.laptop.control("invite", "Rowing", "bob", "--read")
      #expect(lower.error.contains("participants GROUP set bob --read"), "\(lower.error)")
      try await world.laptop.prints("bob\tmember\twrite\taccepted", "participants", "Rowing")
    }

    @Test func `K1 lists, details, histories and the event stream show people's names`()
      async throws
    {
      let world = try await SharingWorld()
      let cora = try await world.rowing()
      let watching = try world.laptop.watch()
      try await world.share("write")
      try await world.laptop.does("whoami", "--set-name", "Alice Adams")
      try await world.tablet.does("whoami", "--set-name", "Bob Baker")
      try await world.tablet.prints("Alice Adams\tshared", "group", "list")
      #expect(try await world.laptop.does("group", "list").contains("Alice Adams"))
      try await world.tablet.does("edit", world.tablet.id(of: "Cora"), "--last", "Bell")
      try await world.phone.shows(cora, "Bob's edit") { $0.lastName == "Bell" }
      try await world.phone.prints("Bob Baker on ", "show", cora)
      try await world.phone.prints("Bob Baker", "history", cora)
      try await Patience.wait(until: "the stream to name Bob") {
        watching.standardOutput.contains("Cora Bell\tBob Baker\t")
      }
      watching.send(SIGTERM)
      _ = try await watching.end()
      let json = try await world.phone.does("--json", "show", cora)
      #expect(json.contains(#""account":"bob","name":"Bob Baker""#))
      // The former participant's name remains there.
      try await world.tablet.does("leave", "Rowing", "--yes")
      try await world.laptop.prints("left", "participants", "Rowing")
      #expect(try await world.phone.does("show", cora).contains("Bob Baker on "))
      // Without the broker too, and after a restart. Bob's devices have no names here.
      try await world.broker.kill()
      try await world.phone.kill()
      try await world.phone.restart()
      for line in [["show", cora], ["history", cora]] {
        let output = try await world.phone.control(arguments: line).output
        #expect(output.contains("Bob Baker") && output.contains("another device"), "\(output)")
      }
      let offline = try await world.phone.does("--json", "show", cora)
      let author = #/"account":"bob","name":"Bob Baker","device":"[0-9a-f]+","deviceName":"another/#
      #expect(offline.contains(author), "\(offline)")
    }
  }

  @Suite("C6, K5 two accounts with two devices each")
  struct TwoAccountsTests {
    @Test func `C6, K5 each account's devices agree, and show of the other only what it shares`()
      async throws
    {
      let world = try await SharingWorld()
      let pad = try await Device("pad", account: "bob", brokerPath: world.broker.socketPath)
      try await pad.settles()
      _ = try await world.rowing()
      try await world.laptop.does("add", "--first", "Alices", "--last", "Own")
      try await world.tablet.does("add", "--first", "Bobs", "--last", "Own")
      try await world.share("write")
      try await pad.does("add", "--first", "Later", "--group", "Rowing")
      for device in world.devices + [pad] {
        for name in ["Cora", "Later"] { _ = try await device.id(of: name) }
        try await device.settles()
      }
      for (devices, has, lacks) in [
        ([world.laptop, world.phone], "Alices", "Bobs"), ([world.tablet, pad], "Bobs", "Alices"),
      ] {
        for device in devices {
          _ = try await device.id(of: has)
          #expect(try await !device.requests.contacts().contains { $0.firstName == lacks })
          #expect(try !device.stores(lacks))
        }
        let lists = try await [devices[0].does("list"), devices[1].does("list")]
        #expect(lists[0] == lists[1])
      }
    }
  }

  @Suite("K1 device keys")
  struct DeviceKeyTests {
    private func rotate(_ device: Device, _ broker: RunningBroker, to path: String) async throws {
      let row = try #require(try await device.control("whoami").rows.first { $0[0] == "device" })
      let result = try await Device.run(
        "contacts-broker",
        ["device", "rotate-key", row[2], "-o", path, "--state", broker.directory.file("state")])
      #expect(result.status == 0, "\(result.error)")
    }

    @Test
    func `a device is shut out by a key rotation and continues with its new key`()
      async throws
    {
      let world = try await World()
      let id = try await world.laptop.requests.add(first: "Cora")
      try await world.settle()
      let before = try await world.phone.does("whoami")
      let folder = try TemporaryDirectory()
      let key = folder.file("key")
      try await rotate(world.phone, world.broker, to: key)
      try await world.phone.prints("key", "status")
      try await world.phone.fails(77, "signin --key", "sync", "--wait=1")
      try await world.phone.fails(77, "signin --key", "share", "Contacts")
      // Edits made meanwhile are kept, even if the agent is killed.
      try await world.phone.does("edit", id, "--company", "Typed while shut out")
      try await world.phone.kill()
      try await world.phone.restart()
      try await world.phone.prints("rejects the key", "status")
      #expect(try await world.laptop.requests.contact(id)?.company == "")
      // A truncated key is refused; so is a key of another device, with its own message.
      let other = folder.file("other")
      try Data("12ab\n".utf8).write(to: URL(filePath: other))
      try await world.phone.fails(65, "complete device key", "signin", "--key", other)
      try await world.phone.fails(74, "Cannot read", "signin", "--key", folder.file("none"))
      try await world.phone.fails(64, "--key", "signin", "alice", "--key", other)
      try Data(String(repeating: "0f", count: 32).utf8).write(to: URL(filePath: other))
      try await world.phone.does("signin", "--key", other)
      try await world.phone.prints("rejects the key", "status")
      try await world.phone.does("signin", "--key", key)
      try await world.phone.settles()
      try await world.laptop.shows(id, "what was typed") { $0.company == "Typed while shut out" }
      #expect(try await world.phone.does("whoami") == before)
      try await world.settle()
    }
  }
}
