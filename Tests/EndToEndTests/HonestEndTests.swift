// Commands whose output, or whose agent, goes away in the middle: what they say and end with.

import Foundation
import Processes
import Records
import Testing

extension EndToEnd {
  @Suite("J7 honest ends")
  struct HonestEndTests {
    static func shell(_ command: String, _ device: Device) async throws -> Device.Said {
      try await Device.said(
        "/bin/sh", ["-c", command, RunningProgram.path(of: "contactsctl"), device.socketPath])
    }

    @Test(arguments: [">/dev/full", ">&-"])
    func `a contact that was added is told of although the output cannot be written`(
      redirection: String
    ) async throws {
      let device = try await Device("laptop", brokerPath: "/nowhere/b.sock")
      let said = try await Self.shell(
        "\"$0\" --agent \"$1\" add --first Zoe \(redirection)", device)
      #expect(said.status == 74)
      let id = try #require(try await device.control("search", "Zoe").rows.first?.first)
      #expect(said.error.contains("Standard output cannot be written"))
      #expect(said.error.contains("saved (\(id))") && said.error.contains("do not repeat"))
    }

    @Test func `a list that cannot be written says why and nothing of changes`() async throws {
      let device = try await Device("laptop", brokerPath: "/nowhere/b.sock")
      let said = try await Self.shell("\"$0\" --agent \"$1\" list >/dev/full", device)
      #expect(said.status == 74)
      #expect(said.error.contains("No space left") && !said.error.contains("saved"))
    }

    @Test func `a pipe that is closed ends a command quietly`() async throws {
      let device = try await Device("laptop", brokerPath: "/nowhere/b.sock")
      let said = try await Self.shell("\"$0\" --agent \"$1\" list | head -c 1", device)
      #expect(said.status == 0 && said.error.isEmpty)
    }

    @Test func `a file without contacts ends with 65 and a sentence`() async throws {
      let device = try await Device("laptop", brokerPath: "/nowhere/b.sock")
      let empty = device.directory.file("empty.vcf")
      let text = device.directory.file("text.vcf")
      let good = device.directory.file("good.vcf")
      try Data().write(to: URL(filePath: empty))
      try Data("dear all\n".utf8).write(to: URL(filePath: text))
      try Data("BEGIN:VCARD\nVERSION:3.0\nFN:Zoe\nEND:VCARD\n".utf8).write(to: URL(filePath: good))
      for file in [empty, text] {
        let said = try await device.control("import", file)
        #expect(said.status == 65, "\(said)")
        #expect(!said.error.isEmpty || !said.output.isEmpty)
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

    @Test func `an agent that was killed and started again still knows the change`() async throws {
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
