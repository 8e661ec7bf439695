// Commands whose output or agent ends while they run: their messages and exit statuses.

import Foundation
import Processes
import Records
import Testing

extension EndToEnd {
  @Suite("interrupted commands")
  struct InterruptedCommandTests {
    static func shell(_ command: String, _ device: Device) async throws -> Device.CommandResult {
      try await Device.run(
        "/bin/sh", ["-c", command, RunningProgram.path(of: "contactsctl"), device.socketPath])
    }

    @Test(arguments: [">/dev/full", ">&-"])
    func `an add reports the saved contact although the output cannot be written`(
      redirection: String
    ) async throws {
      let device = try await Device("laptop", brokerPath: "/nowhere/b.sock")
      let result = try await Self.shell(
        "\"$0\" --agent \"$1\" add --first Zoe \(redirection)", device)
      #expect(result.status == 74)
      let id = try #require(try await device.control("search", "Zoe").rows.first?.first)
      #expect(result.error.contains("Cannot write to standard output"))
      #expect(result.error.contains("saved (\(id))") && result.error.contains("do not repeat"))
    }

    @Test(arguments: [
      "import -", "add -i -", "add --first Ann --photo -", "edit bundled-1-01 --photo /dev/stdin",
      "move --to Contacts -", "post add - --caption Look", "signin --key -",
    ])
    func `a command that would read closed input says so and changes nothing`(
      command: String
    ) async throws {
      let device = try await Device("laptop", brokerPath: "/nowhere/b.sock")
      let result = try await Self.shell("\"$0\" --agent \"$1\" \(command) <&-", device)
      #expect(result.status == 74)
      #expect(
        result.error == """
          contactsctl: Standard input is closed.
          Give a file, or pipe the input into the command.

          """)
      #expect(result.output.isEmpty)
      #expect(try await device.requests.contacts().count == 10)
    }

    @Test(arguments: ["signout", "leave Contacts", "post rm nothing"])
    func `a question with closed input is answered by no, and names the flag`(
      command: String
    ) async throws {
      let device = try await Device("laptop", brokerPath: "/nowhere/b.sock")
      let result = try await Self.shell("\"$0\" --agent \"$1\" \(command) <&-", device)
      #expect(result.status == 64)
      #expect(result.error.contains("Add --yes to skip the confirmation."), "\(result.error)")
      #expect(try await device.requests.contacts().count == 10)
    }

    @Test func `an edit with closed input and no editor says what is missing`() async throws {
      let device = try await Device("laptop", brokerPath: "/nowhere/b.sock")
      let result = try await Self.shell(
        "unset EDITOR VISUAL; \"$0\" --agent \"$1\" edit bundled-1-01 <&-", device)
      #expect(result.status == 64)
      #expect(result.error.contains("there is no terminal or $EDITOR"))
    }

    @Test func `a command whose streams are all closed ends with a status, and needs no input`()
      async throws
    {
      let device = try await Device("laptop", brokerPath: "/nowhere/b.sock")
      let listed = try await Self.shell("\"$0\" --agent \"$1\" list <&-", device)
      #expect(listed.status == 0 && listed.output.split(separator: "\n").count == 10)
      for (command, status) in [("list", Int32(74)), ("show nobody", 66), ("import -", 74)] {
        let result = try await Self.shell(
          "\"$0\" --agent \"$1\" \(command) <&- >&- 2>&-", device)
        #expect(result.status == status, "\(command)")
      }
    }

    @Test func `an export of no post, or without the agent, leaves no folder`() async throws {
      let device = try await Device("laptop", brokerPath: "/nowhere/b.sock")
      let picture = device.directory.file("photo.png")
      try TimelineTests.picture(1, byteCount: 1000).write(to: URL(filePath: picture))
      let post = try await device.does("post", "add", picture, "--caption", "Falls")
      let folder = device.directory.file("album")
      let files = FileManager.default
      for posts in [["nothing"], [post, "nothing"]] {
        let result = try await device.control(
          arguments: ["post", "export"] + posts + ["-o", folder])
        #expect(result.status == 66)
        #expect(!files.fileExists(atPath: folder))
      }
      #expect(try await device.control("post", "export", post, "-o", folder).status == 0)
      #expect(try files.contentsOfDirectory(atPath: folder).count == 2)
      let file = device.directory.file("out")
      let missing = [
        ["photo", "nobody", "-o", file], ["photo", "bundled-1-01", "-o", file],
        ["export", "--group", "nothing", "-o", file],
      ]
      for arguments in missing {
        #expect(try await device.control(arguments: arguments).status == 66, "\(arguments)")
      }
      try await device.kill()
      let other = device.directory.file("other")
      for arguments in missing + [["post", "export", post, "-o", other]] {
        #expect(try await device.control(arguments: arguments).status == 69, "\(arguments)")
      }
      #expect(!files.fileExists(atPath: file) && !files.fileExists(atPath: other))
    }

    @Test func `a list that cannot be written gives the reason and mentions no changes`()
      async throws
    {
      let device = try await Device("laptop", brokerPath: "/nowhere/b.sock")
      let result = try await Self.shell("\"$0\" --agent \"$1\" list >/dev/full", device)
      #expect(result.status == 74)
      #expect(result.error.contains("No space left") && !result.error.contains("saved"))
    }

    @Test func `a command whose pipe is closed ends quietly`() async throws {
      let device = try await Device("laptop", brokerPath: "/nowhere/b.sock")
      let result = try await Self.shell("\"$0\" --agent \"$1\" list | head -c 1", device)
      #expect(result.status == 0 && result.error.isEmpty)
    }

    @Test func `an import of a file without contacts ends with 65 and a message`() async throws {
      let device = try await Device("laptop", brokerPath: "/nowhere/b.sock")
      let empty = device.directory.file("empty.vcf")
      let text = device.directory.file("text.vcf")
      let good = device.directory.file("good.vcf")
      try Data().write(to: URL(filePath: empty))
      try Data("dear all\n".utf8).write(to: URL(filePath: text))
      try Data("BEGIN:VCARD\nVERSION:3.0\nFN:Zoe\nEND:VCARD\n".utf8).write(to: URL(filePath: good))
      for file in [empty, text] {
        let result = try await device.control("import", file)
        #expect(result.status == 65, "\(result)")
        #expect(!result.error.isEmpty || !result.output.isEmpty)
      }
      let both = try await device.control("import", empty, good)
      #expect(both.status == 65 && both.error.contains("empty.vcf"))
      #expect(try await device.control("search", "Zoe").rows.count == 1)
      #expect(try await device.control("import", good).status == 0)
    }

    @Test func `an agent that ends between the edit and the answer saves a contact once`()
      async throws
    {
      let device = try await Device("laptop", brokerPath: "/nowhere/b.sock")
      let path = device.directory.file("r.sock")
      let relay = try Relay(at: path, to: device.socketPath)
      try await relay.running {
        await relay.holdRepliesOfNextConnection()
        let adding = try RunningProgram("contactsctl", ["--agent", path, "add", "--first", "Zoe"])
        try await Patience.wait(until: "the contact to be there") {
          try await !device.control("search", "Zoe").rows.isEmpty
        }
        await relay.cut()
        let status = try await adding.end()
        #expect(status == 0, "\(adding.standardError)")
        let found = try await device.control("search", "Zoe").rows
        #expect(found.count == 1)
        #expect(adding.lines.first == found.first?.first)
      }
    }

    @Test func `an agent that is killed and restarted still knows the change`() async throws {
      let device = try await Device("laptop", brokerPath: "/nowhere/b.sock")
      func add() async throws -> Int {
        let body = #"{"firstName":"Zoe"}"#
        let head =
          "POST /v1/contacts HTTP/1.1\r\nhost: a\r\nidempotency-key: k1\r\nconnection: close\r\n"
          + "content-type: application/json\r\ncontent-length: \(body.utf8.count)\r\n\r\n"
        let socket = try UnixSocket(path: device.socketPath)
        _ = socket.sendSome(Array((head + body).utf8)[...])
        var answer: [UInt8] = []
        try await Patience.wait(until: "an answer") {
          guard let bytes = socket.receiveSome() else { return true }
          answer += bytes
          return false
        }
        return Int(String(decoding: answer.dropFirst(9).prefix(3), as: UTF8.self)) ?? 0
      }
      #expect(try await add() == 201)
      try await device.kill()
      try await device.restart()
      #expect(try await add() == 201)
      #expect(try await device.control("search", "Zoe").rows.count == 1)
    }
  }
}
