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
      _ text: String, to command: [String], on device: Device
    ) async throws -> (status: Int32, shown: String) {
      let terminal = try TerminalSession(
        RunningProgram.path(of: "contactsctl"), command,
        environment: ["CONTACTSD_SOCKET": device.socketPath], directory: device.directory.path)
      try await terminal.shows("[y/N]")
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
  }
}
