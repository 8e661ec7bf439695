import Foundation
import GRDB
import Processes
import Records
import Testing

extension EndToEnd {
  @Suite("B4 invalid input gets one sentence and the right exit status")
  struct RefusalTests {
    // MARK: contactsd

    @Test func `an agent does not disturb a socket in use`() async throws {
      let device = try await Device("laptop", brokerPath: "/nowhere/b.sock")
      let other = try TemporaryDirectory()
      try await expectEnd(
        73, "in use", "contactsd", ["--state", other.file("s"), "--socket", device.socketPath])
      #expect(try await device.control("status").status == 0)
    }

    @Test func `an agent does not disturb a state directory in use`() async throws {
      let device = try await Device("laptop", brokerPath: "/nowhere/b.sock")
      let other = try TemporaryDirectory()
      try await expectEnd(
        75, "in use", "contactsd",
        ["--state", device.directory.file("state"), "--socket", other.file("a.sock")])
    }

    @Test func `an agent does not change a file that is no database`() async throws {
      let directory = try TemporaryDirectory()
      let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 3) }
      try directory.write(bytes, to: "state/contacts.sqlite")
      try await expectEnd(
        65, "contacts.sqlite", "contactsd",
        Device.arguments("laptop", "alice", directory, "/nowhere/b.sock"))
      #expect(directory.bytes(of: "state/contacts.sqlite") == bytes)
    }

    @Test func `an agent does not change a database of another version`() async throws {
      let device = try await Device("laptop", brokerPath: "/nowhere/b.sock")
      #expect(try await device.stop() == 0)
      let queue = try DatabaseQueue(path: device.directory.file("state/contacts.sqlite"))
      try await queue.write {
        try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('of a later version')")
      }
      try queue.close()
      let bytes = device.directory.bytes(of: "state/contacts.sqlite")
      try await expectEnd(
        65, "another version", "contactsd",
        Device.arguments("laptop", "alice", device.directory, "/nowhere/b.sock"))
      #expect(device.directory.bytes(of: "state/contacts.sqlite") == bytes)
    }

    @Test func `an agent reports that it has no access to its state directory`() async throws {
      let directory = try TemporaryDirectory()
      try directory.write([], to: "state/file")
      chmod(directory.file("state"), 0)
      defer { chmod(directory.file("state"), 0o700) }
      var arguments = Device.arguments("laptop", "alice", directory, "/nowhere/b.sock")
      var program = "contactsd"
      if getuid() == 0 {
        // Root may read everything, so another user runs the agent.
        let copy = directory.file("contactsd")
        try FileManager.default.copyItem(atPath: RunningProgram.path(of: "contacts"), toPath: copy)
        arguments = ["--reuid=12345", "--clear-groups", copy] + arguments
        program = "/usr/bin/setpriv"
      }
      try await expectEnd(77, directory.file("state"), program, arguments)
    }

    @Test(arguments: [
      (64, "--sockets", ["--sockets", "x"]),
      (78, "https://example.org", ["--broker", "https://example.org", "--check-config"]),
      (78, "/", ["--device", "a/b", "--check-config"]),
      (78, "107", ["--socket", "/tmp/" + String(repeating: "s", count: 120)]),
    ])
    func `an agent reports an error in its command line`(
      status: Int32, text: String, arguments: [String]
    ) async throws {
      // NB: a separate directory, because the agent would open a database that another test left.
      let directory = try TemporaryDirectory()
      try await expectEnd(status, text, "contactsd", arguments + ["--state", directory.path])
    }

    // MARK: contactsctl

    @Test(arguments: [
      (64, "list", ["lits"]), (64, "--first", ["add", "--frist", "Ada"]), (64, "", ["edit"]),
      (66, "nobody", ["show", "nobody"]), (66, "nobody", ["edit", "nobody", "--first", "A"]),
      (66, "nobody", ["rm", "nobody"]),
      (65, "", ["add"]), (65, "phone", ["add", "--first", "Ada", "--phone", "none"]),
      (65, "e-mail", ["add", "--first", "Ada", "--email", "nowhere"]),
      (66, "Nothing", ["add", "--first", "Ada", "--group", "Nothing"]),
      (66, "", ["group", "rename", "Nothing", "Something"]),
      (66, "", ["conflicts", "show", "none"]),
      (75, "", ["sync", "--wait=1"]),
    ])
    func `contactsctl reports an error and changes nothing`(
      status: Int32, text: String, arguments: [String]
    ) async throws {
      let device = try await Device("laptop", brokerPath: "/nowhere/b.sock")
      let result = try await Device.run("contactsctl", ["--agent", device.socketPath] + arguments)
      #expect(result.status == status, "It printed: \(result.error)")
      #expect(result.output.isEmpty)
      #expect(!result.error.isEmpty)
      #expect(result.error.localizedCaseInsensitiveContains(text) || text.isEmpty)
      #expect(try await device.requests.contacts().count == 10)
    }

    /// Expects that a program ends with this status and one line that contains `text`.
    private func expectEnd(
      _ status: Int32, _ text: String, _ program: String, _ arguments: [String]
    ) async throws {
      let result = try await Device.run(program, arguments)
      #expect(result.status == status)
      #expect(result.error.contains(text), "It printed: \(result.error)")
      #expect(result.error.split(separator: "\n").count == 1, "It printed: \(result.error)")
    }
  }
}
