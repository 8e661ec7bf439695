import Foundation
import GRDB
import Processes
import Testing

extension EndToEnd {
  @Suite("one id names one contact")
  struct PublicIDTests {
    private static let card = """
      BEGIN:VCARD\r
      VERSION:4.0\r
      UID:anna-1\r
      FN:Anna Berg\r
      N:Berg;Anna;;;\r
      EMAIL:anna@example.com\r
      END:VCARD\r

      """

    /// Imports one card into the groups Home and Work of `device`; returns the two ids.
    private func importTwice(_ device: Device) async throws -> (home: String, work: String) {
      try device.directory.write(Array(Self.card.utf8), to: "anna.vcf")
      var ids: [String] = []
      for group in ["Home", "Work"] {
        try await device.does("group", "add", group)
        try await device.does("import", "--group", group, device.directory.file("anna.vcf"))
        let listed = try await device.control("list", "--group", group, "--fields", "id").rows
        ids.append(try #require(listed.first?.first))
      }
      return (ids[0], ids[1])
    }

    /// Returns the record name of this id, which no command prints.
    private func recordName(of id: String, on device: Device) throws -> String {
      let queue = try DatabaseQueue(path: device.directory.file("state/contacts.sqlite"))
      defer { try? queue.close() }
      let name = try queue.read { db in
        try String.fetchOne(
          db, sql: "SELECT name FROM record WHERE public_id = ?", arguments: [id])
      }
      return try #require(name)
    }

    private func company(_ id: String, on device: Device) async throws -> String? {
      try await device.requests.contact(id)?.company
    }

    @Test func `edit, rm and undo act on the named contact of one card in two groups`()
      async throws
    {
      let world = try await World()
      let (laptop, phone) = (world.laptop, world.phone)
      let (home, work) = try await importTwice(laptop)
      #expect(home != work)
      try await laptop.does("edit", home, "--company", "Of home")
      try await laptop.does("edit", work, "--company", "Of work")
      try await phone.shows(work, "the edit at work") { $0.company == "Of work" }
      #expect(try await company(home, on: phone) == "Of home")

      // Every command refuses the record name of both contacts and lists both ids.
      let name = try recordName(of: home, on: laptop)
      #expect(try recordName(of: work, on: laptop) == name)
      for arguments in [
        ["show", name], ["edit", name, "--company", "x"], ["rm", name], ["history", name],
        ["move", "--to", "Contacts", name], ["merge", name, home],
      ] {
        let result = try await Device.run(
          "contactsctl", ["--agent", laptop.socketPath] + arguments)
        #expect(result.status == 65, "\(arguments): \(result.error)")
        #expect(result.error.contains(home) && result.error.contains(work), "\(result.error)")
        #expect(result.error.contains("“Home”") && result.error.contains("“Work”"))
      }
      try await laptop.does("rm", work)
      try await phone.misses(work)
      #expect(try await company(home, on: phone) == "Of home")
      #expect(try await laptop.does("trash", "list").hasPrefix(work))
      #expect(try await laptop.does("undo").hasPrefix(work))
      #expect(try await company(work, on: laptop) == "Of work")
      // A record name that only one contact has is an id.
      try await laptop.does("rm", home)
      #expect(try await laptop.requests.contact(name)?.id == work)
    }

    @Test func `merge accepts the ids that dedupe prints`() async throws {
      let device = try await Device("desk", brokerPath: "/nowhere/b.sock")
      let (home, work) = try await importTwice(device)
      let pair = try #require(try await device.control("dedupe").rows.first)
      #expect(Set(pair.prefix(2)) == [home, work])
      try await device.does("edit", pair[1], "--note", "Kept")
      #expect(try await device.does("merge", pair[0], pair[1]) == pair[0])
      #expect(try await device.requests.contact(pair[1]) == nil)
      #expect(try await device.does("show", pair[0]).contains("Kept"))
    }

    @Test func `events, notifications and hooks contain ids that commands accept`() async throws {
      let world = try await World()
      let (home, work) = try await importTwice(world.laptop)
      try await world.phone.shows(home, "the card") { _ in true }
      let heard = world.phone.directory.file("heard")
      try await world.phone.does(
        "subscribe", "--id", "acme", "--type", "Contact", "--where", "company == 'Acme'", "--run",
        "echo \"$CONTACTS_ID\" >> '\(heard)'")
      try await world.phone.does("sync", "--wait")
      try await world.laptop.does("edit", work, "--company", "Acme")
      try await world.phone.prints(work, "notifications")
      try await Patience.wait(until: "the hook") {
        (try? String(contentsOfFile: heard, encoding: .utf8)) == "\(work)\n"
      }
      let watch = try world.phone.watch()
      let line = try await Patience.wait(for: "the edit") {
        watch.lines.last { $0.contains("updated") }
      }
      #expect(line.contains("\t\(work)\t") && !line.contains(home), "\(line)")
    }

    @Test func `a conflict names its contact`() async throws {
      let world = try await World()
      let (home, work) = try await importTwice(world.laptop)
      try await world.settle()
      try await world.broker.kill()
      try await world.isDisconnected()
      try await world.laptop.does("edit", work, "--company", "Of the laptop")
      try await world.phone.does("edit", work, "--company", "Of the phone")
      try await world.broker.restart()
      try await world.settle()
      let laptop = world.laptop
      try await Patience.wait(until: "the conflict") {
        try await laptop.requests.status().conflicts == 1
      }
      let conflict = try await laptop.requests.send("GET", "conflicts")
        .decoded(as: Conflicts.self).conflicts[0]
      #expect(conflict.contact == work)
      let editor = laptop.directory.file("editor")
      try laptop.directory.write(Array("echo Typed > \"$1\"\n".utf8), to: "editor")
      let resolve = try RunningProgram(
        "contactsctl",
        ["--agent", laptop.socketPath, "conflicts", "resolve", conflict.id, "--edit"],
        environment: ["EDITOR": "sh \(editor)", "TMPDIR": laptop.directory.path])
      #expect(try await resolve.end() == 0, "\(resolve.standardError)")
      #expect(try await company(work, on: laptop) == "Typed")
      #expect(try await company(home, on: laptop) == "")
    }

    private struct Conflicts: Decodable {
      struct Item: Decodable {
        let id: String
        let contact: String
      }

      let conflicts: [Item]
    }

    @Test func `after moves the former ids still name the contact`() async throws {
      let device = try await Device("desk", brokerPath: "/nowhere/b.sock")
      let (home, work) = try await importTwice(device)
      try await device.does("group", "add", "Club")
      try await device.does("move", "--to", "Club", home)
      let moved = try #require(try await device.requests.contact(home))
      #expect(moved.id != home && moved.id != work)
      try await device.does("move", "--to", "Contacts", moved.id)
      for id in [home, moved.id] {
        try await device.does("edit", id, "--company", id)
        #expect(try await company(id, on: device) == id)
      }
      #expect(try await company(work, on: device) == "")
      try await device.does("history", home)
      try await device.fails(65, "cannot be merged with itself", "merge", home, moved.id)
      try await device.does("rm", home)
      #expect(try await device.requests.contact(moved.id) == nil)
      #expect(try await device.requests.contact(work) != nil)
    }

    @Test func `bundled contacts of two accounts in one list have different ids`() async throws {
      let world = try await SharingWorld()
      _ = try await world.rowing()
      try await world.laptop.does("move", "--to", "Rowing", BundledIDs.id(1))
      try await world.share("write")
      try await world.tablet.prints("Ada Quill", "list", "--group", "Rowing")
      let listed = try await world.tablet.control("list", "--group", "Rowing").rows
      let theirs = try #require(listed.first { $0[1] == "Ada Quill" }?.first)
      try await world.tablet.fails(
        65, theirs, "edit", "bundled-1-01", "--company", "Nobody's")
      try await world.tablet.does("edit", theirs, "--company", "Of the club")
      try await world.tablet.does("edit", BundledIDs.id(1), "--company", "Bob's own")
      try await world.laptop.shows("bundled-1-01", "Bob's edit") { $0.company == "Of the club" }
      #expect(try await company(BundledIDs.id(1), on: world.tablet) == "Bob's own")
      // Alice's former id of the contact that she moved.
      #expect(try await company(BundledIDs.id(1), on: world.laptop) == "Of the club")
      let pairs = try await world.tablet.control("dedupe").rows
      #expect(pairs.contains { Set($0.prefix(2)) == [theirs, BundledIDs.id(1)] }, "\(pairs)")
    }
  }

  @Suite("groups of one title")
  struct GroupTitleTests {
    @Test func `a title that another group has is refused`() async throws {
      let world = try await SharingWorld()
      _ = try await world.rowing()
      try await world.share("read")
      try await world.tablet.has("Rowing")
      try await world.laptop.fails(65, "already a group “Rowing”", "group", "add", " Rowing ")
      try await world.laptop.fails(65, "already a group “Contacts”", "group", "add", "Contacts")
      try await world.tablet.fails(65, "alice shares with you", "group", "add", "Rowing")
      try await world.laptop.does("group", "add", "Choir")
      try await world.laptop.fails(
        65, "already a group “Rowing”", "group", "rename", "Choir", "Rowing")
      try await world.laptop.does("group", "rename", "Rowing", "Rowing")
      #expect(try await world.laptop.groups() == ["Contacts", "Choir", "Rowing"])
    }

    @Test func `groups that two devices gave one title are distinguished by their ids`()
      async throws
    {
      let world = try await World()
      try await world.broker.kill()
      try await world.isDisconnected()
      let one = try await world.laptop.does("group", "add", "Family")
      let other = try await world.phone.does("group", "add", "Family")
      try await world.broker.restart()
      let laptop = world.laptop
      try await Patience.wait(until: "both groups") { try await laptop.groups().count == 3 }
      let refused = try await laptop.control("list", "--group", "Family")
      #expect(refused.status == 65)
      #expect(refused.error.contains(one) && refused.error.contains(other), "\(refused.error)")
      for (group, name) in [(one, "Ann"), (other, "Bo")] {
        try await laptop.does("add", "--first", name, "--group", group)
        let listed = try await laptop.control("list", "--group", group, "--fields", "name").rows
        #expect(listed == [[name]])
        #expect(try await laptop.does("export", "--group", group).contains("FN:\(name)"))
      }
      let offered = try await Self.offered("group", "rename", "", on: laptop)
      #expect(offered.contains { $0.hasPrefix(one) } && offered.contains { $0.hasPrefix(other) })
      #expect(!offered.contains { $0.hasPrefix("Family") }, "\(offered)")
      try await laptop.does("group", "rename", other, "Relatives")
      try await laptop.does("group", "rm", one, "--with-contacts")
      #expect(try await laptop.groups() == ["Contacts", "Relatives"])
    }

    /// Returns what completion offers for the last of the words.
    private static func offered(_ words: String..., on device: Device) async throws -> [String] {
      let program = try RunningProgram(
        "contactsctl",
        ["---completion", "group", "rename", "--", "positional@0", "2", "0", "contactsctl"] + words,
        environment: ["CONTACTSD_SOCKET": device.socketPath, "SAP_SHELL": "bash"])
      _ = try await program.end()
      return program.standardOutput.split(separator: "\n").map(String.init)
    }
  }
}
