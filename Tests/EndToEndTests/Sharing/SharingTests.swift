import Foundation
import Processes
import Records
import Testing

extension EndToEnd {
  @Suite("Z groups shared with other people")
  struct SharingTests {
    @Test func `Z1 contacts are added to a group, moved between groups and listed by group`()
      async throws
    {
      let world = try await SharingWorld()
      let cora = try await world.rowing()
      try await world.phone.prints("Cora", "list", "--by", "group", "--group", "Rowing")
      try await world.laptop.does("group", "add", "Choir")
      try await world.laptop.does("edit", cora, "--group", "Choir", "--last", "Dunn")
      try await world.phone.prints("Cora Dunn", "list", "--group", "Choir")
      #expect(try await world.phone.control("list", "--group", "Rowing").output.isEmpty)
      let all = try await world.laptop.control("move", "--to", "Rowing", "--from", "Contacts")
      #expect(all.error.contains("Moved 10 contacts"))
      try await world.laptop.settles()
      try await Patience.wait(until: "the phone to have them there") {
        try await world.phone.control("list", "--group", "Rowing").rows.count == 10
      }
      try await world.laptop.does("undo")
      try await Patience.wait(until: "the phone to have them back") {
        try await world.phone.control("list", "--group", "Contacts").rows.count == 10
      }
    }

    @Test func `H3 who joins sees nothing that was changed or deleted before`() async throws {
      let world = try await SharingWorld()
      let cora = try await world.rowing()
      try await world.laptop.does("edit", cora, "--company", "Secret Works")
      try await world.laptop.does("edit", cora, "--company", "Present Works")
      let gone = try await world.laptop.does("add", "--first", "Gone", "--group", "Rowing")
      try await world.laptop.does("rm", gone)
      try await world.laptop.settles()
      let link = try await world.laptop.control("share", "Rowing", "--anyone", "write")
      #expect(link.error.contains("Earlier ones stay hidden"))
      try await world.tablet.does("accept", link.rows.first?.first ?? "", "--yes")
      try await world.tablet.prints("Cora", "list", "--group", "Rowing")
      let theirs = try await world.tablet.control("list", "--group", "Rowing").rows[0][0]
      let history = try await world.tablet.control("history", theirs)
      #expect(!history.output.contains("Secret"), "\(history.output)")
      #expect(!(try await world.tablet.control("trash", "list").output.contains("Gone")))
      try await world.laptop.does("edit", cora, "--company", "Later Works")
      try await Patience.wait(until: "the tablet to show what was current when bob joined") {
        try await world.tablet.control("history", theirs).output.contains("Present Works")
      }
      #expect(!(try await world.tablet.control("history", theirs).output.contains("Secret")))
      #expect(try await world.laptop.control("history", cora).output.contains("Secret"))
      try await world.tablet.does("leave", "Rowing", "--yes")
      try await world.tablet.does("accept", link.rows.first?.first ?? "", "--yes")
      try await world.tablet.prints("Cora", "list", "--group", "Rowing")
      let again = try await world.tablet.control("list", "--group", "Rowing").rows[0][0]
      #expect(!(try await world.tablet.control("history", again).output.contains("Present")))
    }

    @Test func `Z2 sharing again shows the same link, but only on the device that created it`()
      async throws
    {
      let world = try await SharingWorld()
      _ = try await world.rowing()
      let link = try await world.laptop.does("share", "Rowing", "--read")
      #expect(link.hasPrefix("contacts://join/"))
      #expect(try await world.laptop.does("share", "Rowing") == link)
      try await world.laptop.kill()
      try await world.laptop.restart()
      try await world.laptop.settles()
      #expect(try await world.laptop.does("share", "Rowing") == link)
      let elsewhere = try await world.phone.control("share", "show", "Rowing")
      #expect(elsewhere.error.contains("renew"))
      #expect(!elsewhere.output.contains(link))
      let json = try await world.laptop.does("--json", "share", "show", "Rowing")
      struct Shown: Decodable {
        let schema: Int
        let link: String
        let anyone: String
      }
      let shown = try JSONDecoder().decode(Shown.self, from: Data(json.utf8))
      #expect(shown.link == link && shown.anyone == "none" && shown.schema == 1)
      let renewed = try await world.phone.does("share", "renew", "Rowing", "--uses", "1")
      #expect(renewed != link)
      try await world.tablet.fails(65, "was revoked", "accept", link, "--yes")
      // The broker stores the secret nowhere.
      let letters = String(link.dropFirst("contacts://join/".count))
      let state = URL(filePath: world.broker.directory.file("state"))
      for name in try FileManager.default.contentsOfDirectory(atPath: state.path) {
        let bytes = try? Data(contentsOf: state.appending(path: name))
        #expect(bytes?.firstRange(of: Data(letters.utf8)) == nil)
      }
    }

    @Test func `Z3 a link shows a preview, and joining adds the group with all contacts`()
      async throws
    {
      let world = try await SharingWorld()
      let cora = try await world.rowing()
      let link = try await world.laptop.does("share", "Rowing", "--anyone", "write")
      let preview = try await world.tablet.does("accept", link, "--preview")
      for word in ["Rowing", "alice", "write", "1"] { #expect(preview.contains(word)) }
      #expect(try await world.tablet.groups() == ["Contacts"])
      try await world.tablet.fails(64, "--yes", "accept", link, "--no-input")
      try await world.tablet.does("accept", link, "--yes")
      #expect(try await world.tablet.groups() == ["Contacts", "Rowing"])
      #expect(try await world.tablet.does("list", "--group", "Rowing").contains("Cora"))
      let row = try #require(
        try await world.tablet.control("group", "list").rows.first { $0[1] == "Rowing" })
      #expect(row[2...].elementsEqual(["member", "write", "alice", "shared"]))
      try await world.tablet.does("edit", world.tablet.id(of: "Cora"), "--last", "Bell")
      try await world.phone.shows(cora, "Bob's edit") { $0.lastName == "Bell" }
      try await world.phone.does("add", "--last", "Dunn", "--group", "Rowing")
      try await world.tablet.prints("Dunn", "list", "--group", "Rowing")
      try await world.laptop.fails(65, "your own", "accept", link, "--yes")
      try await world.tablet.fails(65, "does not work", "accept", flipped(link), "--yes")
      try await world.tablet.fails(65, "complete share link", "accept", "\(link)x", "--yes")
    }

    /// Returns the link with a changed letter in its middle.
    private func flipped(_ link: String) -> String {
      let index = link.index(link.startIndex, offsetBy: 20)
      return link.replacingCharacters(in: index...index, with: link[index] == "A" ? "B" : "A")
    }

    @Test func `Z4 a permission changes, is revoked and is given up; lost contacts leave no byte`()
      async throws
    {
      let world = try await SharingWorld()
      _ = try await world.rowing()
      let secret = "Quuxworth\(UInt32.random(in: 1...9999))"
      try await world.laptop.does("add", "--last", secret, "--group", "Rowing")
      let link = try await world.share("write")
      let other = try await Patience.wait(for: "it on the tablet") {
        try await world.tablet.requests.contacts().first { $0.lastName == secret }?.id
      }
      #expect(try world.tablet.stores(secret))
      try await world.laptop.prints("accepted", "participants", "Rowing")
      try await world.laptop.does("participants", "Rowing", "set", "bob", "--read")
      try await world.tablet.prints("read", "group", "list")
      try await world.tablet.fails(77, "Rowing", "edit", other, "--first", "No")
      try await world.laptop.does("participants", "Rowing", "remove", "bob")
      try await world.tablet.has("Rowing", false)
      try await Patience.wait(until: "the bytes to be gone") { try !world.tablet.stores(secret) }
      try await world.tablet.fails(
        77, "You were removed from this group.\nAsk its owner for access: contactsctl accept",
        "accept", link, "--yes")
      try await world.tablet.prints(
        "The group “Rowing” is no longer shared with you.", "notifications")
      try await world.laptop.does("share", "stop", "Rowing", "--yes")
      try await world.share("read")
      try await world.tablet.does("leave", "Rowing", "--yes")
      #expect(try await world.tablet.groups() == ["Contacts"])
      #expect(try await world.tablet.does("notifications").isEmpty, "Bob left the group himself")
      try await world.laptop.prints("left", "participants", "Rowing")
      try await world.tablet.does("accept", link2(world), "--yes")
      try await world.laptop.does("share", "stop", "Rowing", "--yes")
      try await world.tablet.has("Rowing", false)
      try await world.tablet.prints("\tlost\tGroup\t", "notifications")
    }

    private func link2(_ world: SharingWorld) async throws -> String {
      try await world.laptop.does("share", "Rowing")
    }

    @Test func `Z4 access lost while away purges the group and rejects the pending edits`()
      async throws
    {
      let world = try await SharingWorld()
      _ = try await world.rowing()
      try await world.share("write")
      let cora = try await world.tablet.id(of: "Cora")
      try await world.broker.kill()
      try await Patience.wait(until: "the tablet to be offline") {
        try await world.tablet.requests.status().state != "live"
      }
      try await world.tablet.does("edit", cora, "--company", "Typed by Bob")
      try await world.tablet.kill()
      try await world.broker.restart()
      try await world.laptop.settles()
      try await world.laptop.does("participants", "Rowing", "remove", "bob")
      try await world.tablet.restart()
      try await world.tablet.has("Rowing", false)
      #expect(try await world.tablet.requests.contact(cora) == nil)
      let refused = try await world.tablet.does("--json", "refused", "list")
      #expect(refused.contains("Typed by Bob") && refused.contains("no longer shared"))
      #expect(!refused.contains("Cora"))
      for _ in 0..<2 {
        let told = try await world.tablet.control("notifications").rows
        #expect(
          told.map(\.last) == [
            "The group “Rowing” is no longer shared with you. "
              + "Your changes that were not sent are in: contactsctl refused list"
          ])
        try await world.tablet.kill()
        try await world.tablet.restart()
      }
      try await Patience.wait(until: "Cora to be gone") { try !world.tablet.stores("Cora") }
    }

    @Test func `Z5 a read-only participant's edits are refused on the device, even offline`()
      async throws
    {
      let world = try await SharingWorld()
      _ = try await world.rowing()
      try await world.share("read")
      let cora = try await world.tablet.id(of: "Cora")
      for isAway in [false, true] {
        if isAway { try await world.broker.kill() }
        let tablet = world.tablet
        try await tablet.fails(77, "Rowing", "edit", cora, "--first", "No")
        try await tablet.fails(77, "Rowing", "rm", cora)
        try await tablet.fails(77, "Rowing", "add", "--first", "No", "--group", "Rowing")
        try await tablet.fails(77, "Rowing", "edit", cora, "--group", "Contacts")
        try await tablet.fails(77, "Rowing", "move", "--to", "Rowing", "bundled-1-01")
        try await tablet.fails(77, "owner", "group", "rename", "Rowing", "Mine")
        try await tablet.fails(77, "owner", "group", "rm", "Rowing", "--with-contacts")
        #expect(try await tablet.requests.status().waitingEdits == 0)
      }
      try await world.tablet.fails(75, "broker", "leave", "Rowing", "--yes")
      try await world.laptop.fails(75, "broker", "share", "Rowing")
    }

    @Test func `Z6 an administrator manages, and a dead link leads to an access request`()
      async throws
    {
      let world = try await SharingWorld()
      _ = try await world.rowing()
      try await world.share("write")
      try await world.tablet.does("leave", "Rowing", "--yes")
      let link = try await world.laptop.does("share", "renew", "Rowing")
      try await world.laptop.does("share", "revoke", "Rowing")
      try await world.tablet.fails(65, "--request", "accept", link, "--yes")
      try await world.tablet.does("accept", link, "--request")
      try await world.laptop.prints("bob\twaiting", "requests", "Rowing")
      try await world.laptop.does("requests", "Rowing", "deny", "bob")
      try await world.tablet.does("accept", link, "--request")
      try await world.laptop.does("requests", "Rowing", "approve", "bob", "--write")
      try await world.tablet.has("Rowing")
      try await world.tablet.fails(77, "administrators", "share", "renew", "Rowing")
      try await world.laptop.does("participants", "Rowing", "set", "bob", "--admin")
      try await world.tablet.prints("administrator", "group", "list")
      let carol = try await Device("pad", account: "carol", brokerPath: world.broker.socketPath)
      try await carol.settles()
      try await world.tablet.fails(66, "carol", "invite", "Rowing", "carol")
      try await carol.does("permission", "discoverability", "allow")
      let invitation = try await world.tablet.does("share", "renew", "Rowing")
      try await world.tablet.does("invite", "Rowing", "carol", "--read")
      try await carol.does("accept", invitation, "--yes")
      try await carol.has("Rowing")
      try await world.tablet.does("participants", "Rowing", "remove", "carol")
      try await carol.has("Rowing", false)
      try await carol.does("accept", invitation, "--request")
      try await world.laptop.does("requests", "Rowing", "block", "carol")
      try await carol.does("accept", invitation, "--request")
      try await world.laptop.prints("carol\tblocked", "requests", "Rowing")
    }

    @Test func `Z each kind of invalid link is refused with its own message`() async throws {
      let world = try await SharingWorld()
      _ = try await world.rowing()
      let once = try await world.laptop.does(
        "share", "Rowing", "--anyone", "read", "--uses", "1")
      try await world.tablet.does("accept", once, "--yes")
      let carol = try await Device("pad", account: "carol", brokerPath: world.broker.socketPath)
      try await carol.settles()
      try await carol.fails(65, "maximum number of uses", "accept", once, "--yes")
      let short = try await world.laptop.does("share", "renew", "Rowing", "--expires", "1s")
      try await Patience.wait(until: "the link to be over") {
        try await carol.control("accept", short, "--preview").error.contains("expired")
      }
      try await world.laptop.fails(
        65, "already shared", "share", "Rowing", "--expires", "7d")
      try await world.laptop.fails(65, "default", "share", "Contacts")
    }
  }

  @Suite("K1, C6 accounts")
  struct AccountTests {
    @Test func `an account shows its state, has a name, and is discoverable if allowed`()
      async throws
    {
      let world = try await SharingWorld()
      let status = try await world.laptop.does("--json", "status")
      #expect(status.contains(#""accountStatus":"available""#))
      #expect(try await world.laptop.does("permission", "discoverability") == "ask")
      try await world.laptop.does("whoami", "--set-name", "Alice Adams")
      #expect(try await world.phone.does("whoami").contains("Alice Adams"))
      try await world.laptop.does("permission", "discoverability", "allow")
      #expect(try await world.phone.does("permission", "discoverability") == "allow")
      let found = try await world.tablet.requests.send("GET", "accounts?name=alice")
      #expect(String(decoding: found.body, as: UTF8.self).contains("Alice Adams"))
      try await world.laptop.does("permission", "discoverability", "deny")
      let hidden = try await world.tablet.requests.send("GET", "accounts?name=alice")
      #expect(!String(decoding: hidden.body, as: UTF8.self).contains("Alice Adams"))
      try await world.broker.kill()
      try await world.laptop.prints("cannot be reached", "status")
      #expect(try await world.laptop.does("whoami").contains("Alice Adams"))
      try await world.laptop.fails(75, "broker", "whoami", "--set-name", "Other")
    }

    @Test func `a signed-out device holds nothing, and signs in as a new device`()
      async throws
    {
      let world = try await SharingWorld()
      let id = try await world.laptop.requests.add(first: "Quuxworth")
      try await world.phone.shows(id, "it") { $0.firstName == "Quuxworth" }
      try await world.broker.kill()
      try await world.phone.does("edit", id, "--company", "Unsent")
      try await world.phone.fails(75, "--discard", "signout", "--yes")
      try await world.broker.restart()
      try await world.phone.settles()
      try await world.phone.does("signout", "--yes")
      #expect(try await world.phone.does("status").hasPrefix("signed out"))
      #expect(try await world.phone.does("list").isEmpty)
      try await Patience.wait(until: "the bytes to be gone") {
        try !world.phone.stores("Quuxworth") && !world.phone.stores("alice")
      }
      try await world.phone.fails(77, "signin", "add", "--first", "Nobody")
      try await world.phone.kill()
      try await world.phone.restart()
      #expect(try await world.phone.does("status").hasPrefix("signed out"))
      try await world.phone.fails(77, "alice", "signin", "bob")
      try await world.phone.does("signin", "alice")
      try await world.phone.shows(id, "it again") { $0.company == "Unsent" }
      _ = try await Agreement.wait(among: [world.laptop.requests, world.phone.requests])
    }

    @Test func `a revoked device is emptied when it next connects`() async throws {
      let world = try await SharingWorld()
      let id = try await world.phone.requests.add(first: "Quuxworth")
      try await world.phone.settles()
      let row = try #require(
        try await world.phone.control("whoami").rows.first { $0[0] == "device" })
      try await world.phone.kill()
      let revoked = try await Device.run(
        "contacts-broker",
        ["device", "revoke", row[2], "--state", world.broker.directory.file("state")])
      #expect(revoked.status == 0, "\(revoked.error)")
      try await world.phone.restart()
      try await world.phone.prints("revoked", "status")
      #expect(try await world.phone.requests.contact(id) == nil)
      try await Patience.wait(until: "the bytes to be gone") {
        try !world.phone.stores("Quuxworth")
      }
      #expect(try await world.laptop.requests.contact(id)?.firstName == "Quuxworth")
    }
  }
}
