// Commands that destroy data irrevocably ask for confirmation at a terminal; a script must add --yes.

import Foundation
import Processes
import Testing

extension EndToEnd {
  @Suite("confirmation of destructive commands")
  struct ConfirmationTests {
    static let commands = [
      ["trash", "empty"], ["signout"], ["signout", "--discard"], ["leave", "No group"],
      ["share", "stop", "No group"], ["post", "rm", "none"],
    ]

    @Test func `without a terminal, with --no-input or --json, nothing is done without --yes`()
      async throws
    {
      let device = try await Device("desk", brokerPath: "/nowhere/b.sock")
      for command in Self.commands {
        for flags in [[], ["--no-input"], ["--json"]] {
          let arguments = ["--agent", device.socketPath] + flags + command
          let refused = try await Device.run("contactsctl", arguments)
          #expect(refused.status == 64, "\(arguments): \(refused)")
          #expect((refused.output + refused.error).contains("--yes"))
        }
      }
      #expect(try await device.requests.status().state != "signed out")
    }

    private func answer(
      _ text: String, to command: [String], on device: Device, asked question: String = "[y/N]"
    ) async throws -> (status: Int32, shown: String) {
      let terminal = try TerminalSession(
        RunningProgram.path(of: "contactsctl"), command,
        environment: ["CONTACTSD_SOCKET": device.socketPath], directory: device.directory.path)
      try await terminal.shows(question)
      terminal.type(text)
      let status = try await terminal.end()
      return (status, terminal.shown)
    }

    private func deletedCount(_ device: Device) async throws -> Int {
      try await device.control("--plain", "trash", "list").rows.count
    }

    @Test func `at a terminal any answer but yes changes nothing`()
      async throws
    {
      let device = try await Device("desk", brokerPath: "/nowhere/b.sock")
      let id = "bundled-1-01"
      #expect(try await device.control("rm", id).status == 0)
      let before = try await deletedCount(device)
      #expect(before > 0)
      for text in ["\n", "n\n", "yesterday\n"] {
        let (status, shown) = try await answer(text, to: ["trash", "empty"], on: device)
        #expect(status == 1, "\(shown)")
        #expect(shown.contains("Nothing was changed."))
      }
      #expect(try await deletedCount(device) == before)
      let silent = try TerminalSession(
        RunningProgram.path(of: "contactsctl"), ["--no-input", "trash", "empty"],
        environment: ["CONTACTSD_SOCKET": device.socketPath], directory: device.directory.path)
      #expect(try await silent.end() == 64)
      #expect(try await deletedCount(device) == before)
    }

    @Test func `yes at the terminal, or --yes in a script, empties the trash`() async throws {
      let world = try await World()
      for confirmed in [true, false] {
        let added = try await world.laptop.requests.add(first: "Gone")
        #expect(try await world.laptop.control("rm", added).status == 0)
        try await world.settle()
        #expect(try await deletedCount(world.laptop) > 0)
        if confirmed {
          let (status, shown) = try await answer("y\n", to: ["trash", "empty"], on: world.laptop)
          #expect(status == 0, "\(shown)")
        } else {
          #expect(try await world.laptop.control("trash", "empty", "--yes").status == 0)
        }
        // The broker erases the records and informs the device.
        try await Patience.wait(until: "the trash to be empty") {
          try await deletedCount(world.laptop) == 0
        }
      }
    }

    @Test func `deleting a shared group needs a confirmation that says who loses it`()
      async throws
    {
      let world = try await SharingWorld()
      _ = try await world.rowing()
      try await world.share("read")
      try await world.laptop.prints("accepted", "participants", "Rowing")
      let command = ["group", "rm", "Rowing", "--keep-contacts"]
      for flags in [[], ["--no-input"], ["--json"]] {
        let refused = try await Device.run(
          "contactsctl", ["--agent", world.laptop.socketPath] + flags + command)
        let text = refused.output + refused.error
        #expect(refused.status == 64, "\(flags): \(refused)")
        #expect(text.contains("“Rowing” is shared with 1 person, who loses it."), "\(text)")
        #expect(text.contains("--yes"))
      }
      let (status, shown) = try await answer("n\n", to: command, on: world.laptop)
      #expect(status == 1 && shown.contains("Nothing was changed."), "\(shown)")
      #expect(try await world.laptop.groups().contains("Rowing"))
      // Without the broker the number of participants is not known.
      try await world.broker.kill()
      try await world.laptop.fails(
        64, "“Rowing” is shared; its participants lose it.", "group", "rm", "Rowing")
      try await world.broker.restart()
      for device in world.devices { try await device.settles() }
      let removal = try await world.laptop.control("group", "rm", "Rowing", "--yes")
      #expect(removal.status == 0)
      #expect(removal.error.contains("its 1 contact moved to the group Contacts"))
      #expect(removal.error.contains("which does not share it again"), "\(removal.error)")
      try await world.tablet.has("Rowing", false)
    }

    @Test(arguments: [
      ("c\n", 1, true, true), ("x\n", 1, true, true), ("\n", 0, false, true),
      ("y\n", 0, false, false),
    ])
    func `at a terminal the deletion of a group with contacts can be cancelled`(
      text: String, expected: Int32, hasGroup: Bool, hasContact: Bool
    ) async throws {
      let device = try await Device("desk", brokerPath: "/nowhere/b.sock")
      try await device.does("group", "add", "Kin")
      let id = try await device.does("add", "--first", "Cora", "--group", "Kin")
      let (status, shown) = try await answer(
        text, to: ["group", "rm", "Kin"], on: device, asked: "[y/N/c]")
      #expect(status == expected, "\(shown)")
      #expect(shown.contains("The group contains 1 contact."))
      #expect(try await device.groups().contains("Kin") == hasGroup)
      #expect(try await (device.requests.contact(id) != nil) == hasContact)
    }
  }
}
