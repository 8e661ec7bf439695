// Wrong command lines: each subcommand with ids and titles that do not exist, empty and huge ones, and flags
// without sense. Each prints an error and ends with its exit code, and nothing is changed.

import Processes
import Testing

extension EndToEnd {
  @Suite("A2, B4 wrong commands change nothing")
  struct RejectedCommandTests {
    private static let usage: [[String]] = [
      [""], ["nope"], ["lst"], ["group", "nope"], ["help", "nope"], ["group", "list", "extra"],
      ["list", "-n", "-1"], ["list", "-n", "99999999999999999999"], ["list", "-n", "x"],
      ["list", "--sort", "size"], ["list", "--by", "year"], ["list", "--fields", ","],
      ["list", "--fields", "nmae"], ["list", "--nope"],
      ["show"], ["search"], ["search", "a", "-n", "-5"], ["rm"], ["edit"],
      ["edit", "K", "--set-phone", "x"], ["edit", "K", "--label", "=x"],
      ["edit", "K", "--photo", "a", "--no-photo"], ["edit", "K", "--set-address", "x=y"],
      ["add", "--first", "x", "--profile", "none"], ["add", "-i", "-", "--first", "x"],
      ["add", "--first", "x", "--address", "nowhere"], ["add", "--first"],
      ["move", "--to", "Contacts"], ["move", "K"], ["group", "add"], ["group", "rename", "x"],
      ["group", "rm", "x", "--with-contacts", "--keep-contacts"], ["trash", "empty"],
      ["trash", "restore"], ["undo", "x"], ["undo", "-1"], ["undo", "99999999999999999999"],
      ["undo", "9007199254740992"], ["undo", "1", "--list"], ["merge", "a"], ["labels", "fax"],
      ["config", "get", "nope"], ["config", "set", "nope", "x"], ["config", "set", "sort"],
      ["import"], ["import", "-", "--format", "pdf"], ["export", "--format", "pdf"],
      ["conflicts", "resolve", "x"], ["sync", "--wait=nan"], ["sync", "--wait=-1"],
      ["sync", "--wait=1e300"], ["notifications", "--since", "9223372036854775807"],
      ["completion", "csh"], ["permission", "nope"], ["subscribe", "--where", "a == 1"],
    ]

    private static let huge = String(repeating: "a", count: 5000)

    private static let content: [[String]] = [
      ["add"], ["add", "--first", ""], ["add", "--first", " \t"], ["add", "--phone", "abc"],
      ["add", "--first", "x", "--birthday", "1999-13-01"], ["add", "--first", "x\u{0001}"],
      ["add", "-i", "."], ["add", "-i", "-"], ["add", "--first", "x", "--photo", "/dev/null"],
      ["group", "add", ""], ["group", "add", " "], ["group", "add", "a\nb"],
      ["group", "add", String(repeating: "a", count: 256)], ["config", "set", "sort", "middle"],
      ["config", "set", "photo-size", ""], ["show", huge], ["import", "."], ["import", "-"],
      ["import", "/dev/null"], ["accept", "nope"], ["decline", "contacts://join/x"],
      ["subscribe", "--type", "contact", "--where", "a =="],
    ]

    private static let unknown = "zzzzzzzzzzzzzzzz"

    private static let missing: [[String]] = [
      ["show", ""], ["show", " "], ["show", unknown], ["show", ".."], ["rm", ""], ["rm", unknown],
      ["rm", "../groups"], ["rm", unknown, huge], ["edit", unknown, "--first", "x"],
      ["edit", "", "--first", "x"], ["edit", "K", "--rm-phone", "ffff"],
      ["edit", "K", "--set-email", "ffff=a@b"], ["history", unknown], ["history", ""],
      ["merge", unknown, unknown], ["merge", "", ""], ["photo", unknown], ["photo", "K"],
      ["move", "--to", "Nowhere", "K"], ["move", "--to", "", "K"],
      ["move", "--to", "Contacts", unknown], ["move", "--to", "Contacts", "--from", "Nowhere"],
      ["list", "--group", "Nowhere"], ["list", "--group", ""], ["export", "--group", "Nowhere"],
      ["add", "--first", "x", "--group", "Nowhere"], ["import", "nofile"], ["add", "-i", "nofile"],
      ["group", "rename", "Nowhere", "x"], ["group", "rename", "", "x"],
      ["group", "rm", "Nowhere"],
      ["group", "rm", ""], ["trash", "restore", unknown], ["trash", "restore", ""],
      ["trash", "empty", "--yes", "--group", "Nowhere"], ["undo", "9007199254740991"],
      ["conflicts", "show", unknown], ["conflicts", "resolve", unknown, "--mine"],
      ["unsubscribe", unknown], ["unsubscribe", ""], ["subscriptions", unknown],
      ["share", "Nowhere"], ["participants", "Nowhere"], ["post", "show", unknown],
      ["comment", unknown, "x"], ["comment", "edit", unknown, "x"], ["post", "edit", unknown, "x"],
      ["follow", unknown],
    ]

    private static let refused: [[String]] = [
      ["group", "rename", "Contacts", "x"], ["group", "rm", "Contacts"],
      ["config", "set", "account", "eve"], ["config", "unset", "account"],
    ]

    /// What a user can see of a device.
    private static func shown(by device: Device) async throws -> [String] {
      var shown: [String] = []
      for line in ["list", "group list", "trash list", "undo --list", "config list"] {
        let words = line.split(separator: " ").map(String.init)
        let result = try await device.control(arguments: words + ["--json"])
        try #require(result.status == 0)
        shown.append(result.output)
      }
      return shown
    }

    /// Runs each of `lines` and expects `status`, and a device that is as it was.
    private func expect(_ status: Int32, of lines: [[String]]) async throws {
      let device = try await Device("desk", brokerPath: "/nowhere/b.sock")
      #expect(try await device.control("add", "--first", "K", "--phone", "1").status == 0)
      let before = try await Self.shown(by: device)
      for line in lines {
        let result = try await device.control(arguments: line)
        let name = line.map { String($0.prefix(40)) }
        #expect(result.status == status, "\(name): \(result.error)")
        Self.check(result, "\(name)")
      }
      #expect(try await Self.shown(by: device) == before)
    }

    /// The error is printed after the program's name, ends with a full stop, and has neither a control
    /// character nor words of the implementation.
    private static func check(_ result: Device.CommandResult, _ name: String) {
      let lines = result.error.split(separator: "\n")
      #expect(result.error.hasPrefix("contactsctl: ") && result.error.hasSuffix("\n"), "\(name)")
      #expect(result.output.isEmpty, "\(name): \(result.output)")
      #expect(lines.first.map { $0.count > "contactsctl: x".count } == true, "\(name)")
      for word in ["path does not exist", "HTTP", "nil", "Optional", "Error Domain", "fatal"] {
        #expect(!result.error.contains(word), "\(name): \(result.error)")
      }
      for scalar in result.error.unicodeScalars where scalar != "\n" {
        #expect(scalar.properties.generalCategory != .control, "\(name)")
      }
    }

    @Test func `a line that means nothing is a usage error`() async throws {
      try await expect(64, of: Self.usage)
    }

    @Test func `a value that is not accepted is a content error`() async throws {
      try await expect(65, of: Self.content)
    }

    @Test func `what does not exist is not found, also if its id is empty or huge`() async throws {
      try await expect(66, of: Self.missing)
    }

    @Test func `what is not allowed is refused`() async throws {
      try await expect(77, of: Self.refused)
    }

    @Test func `with --json each error is an object with a code, a message and a hint`()
      async throws
    {
      let device = try await Device("desk", brokerPath: "/nowhere/b.sock")
      let samples = [Self.usage[1], Self.content[0], Self.missing[2], Self.refused[0]]
      let failures: [(code: String, status: Int32)] = [
        ("usage", 64), ("constraintViolation", 65), ("unknownItem", 66), ("permissionFailure", 77),
      ]
      for (line, failure) in zip(samples, failures) {
        let result = try await device.control(arguments: ["--json"] + line)
        #expect(result.status == failure.status, "\(line)")
        #expect(result.output.isEmpty && result.error.hasPrefix("{\"error\":{"), "\(line)")
        #expect(result.error.contains("\"code\":\"\(failure.code)\""), "\(line): \(result.error)")
        #expect(result.error.contains("\"message\":\""), "\(line)")
        #expect(result.error.filter { $0 == "\n" }.count == 1, "\(line)")
      }
    }

    @Test func `without an agent every subcommand that needs one says how to start it`()
      async throws
    {
      let directory = try TemporaryDirectory()
      for line in [
        ["list"], ["show", "x"], ["search", "x"], ["add", "--first", "x"], ["rm", "x", "y"],
        ["edit", "x", "--first", "y"], ["group", "list"], ["trash", "list"], ["undo"], ["status"],
        ["export"], ["config", "list"], ["history", "x"], ["dedupe"], ["watch"],
      ] {
        let path = directory.file("none.sock")
        let result = try await Device.run("contactsctl", ["--agent", path] + line)
        #expect(result.status == 69, "\(line): \(result.error)")
        #expect(result.error.contains("contactsd --socket \(path)"), "\(line): \(result.error)")
        Self.check(result, "\(line)")
      }
    }
  }
}
