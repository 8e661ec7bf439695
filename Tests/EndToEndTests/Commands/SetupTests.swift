// The questions of `setup` at a terminal, answered as a new user would.

import Foundation
import Processes
import Testing

extension EndToEnd {
  @Suite("C4 setup at a terminal")
  struct SetupTests {
    private func setup(_ device: Device) throws -> TerminalSession {
      try TerminalSession(
        RunningProgram.path(of: "contactsctl"), ["setup"],
        environment: ["CONTACTSD_SOCKET": device.socketPath], directory: device.directory.path)
    }

    @Test func `a new user gives a name and a file, and removes the samples in one step`()
      async throws
    {
      let broker = try await RunningBroker()
      let device = try await Device("desk", brokerPath: broker.socketPath)
      try await device.settles()
      let file = device.directory.file("phone.vcf")
      try "BEGIN:VCARD\nVERSION:3.0\nFN:Lena Marsh\nN:Marsh;Lena;;;\nEND:VCARD\n"
        .write(toFile: file, atomically: true, encoding: .utf8)
      let terminal = try setup(device)
      try await terminal.shows("Your name")
      terminal.type("Bea Bauer\n")
      try await terminal.shows("A file of contacts")
      terminal.type("\(file)\n")
      try await terminal.shows("1 added.")
      try await terminal.shows("Keep the sample contacts?")
      terminal.type("n\n")
      #expect(try await terminal.end() == 0)
      #expect(terminal.shown.contains("Deleted 10 sample contacts. Undo: contactsctl undo"))
      #expect(try await device.control("list", "--fields", "name").output == "Lena Marsh\n")
      #expect(try await device.control("whoami").output.contains("Bea Bauer"))
    }

    @Test func `a file that cannot be read does not end the setup`() async throws {
      let broker = try await RunningBroker()
      let device = try await Device("desk", brokerPath: broker.socketPath)
      try await device.settles()
      let terminal = try setup(device)
      try await terminal.shows("Your name")
      terminal.type("\n")
      try await terminal.shows("A file of contacts")
      terminal.type("/nowhere/none.vcf\n")
      try await terminal.shows("Keep the sample contacts?")
      terminal.type("y\n")
      #expect(try await terminal.end() == 0)
      #expect(terminal.shown.contains("/nowhere/none.vcf"))
      #expect(try await device.requests.contacts().count == 10)
    }
  }
}
