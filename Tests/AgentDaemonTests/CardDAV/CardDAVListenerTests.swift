import AgentStore
import CardDAV
import DeviceStore
import Glibc
import NIOHTTP1
import Processes
import Records
import TestTiers
import Testing

@testable import AgentDaemon

@Suite("D4, D6 listener of the CardDAV clients", .timeLimit(.minutes(5)))
struct CardDAVListenerTests {
  private static let path = "\(DAVClient.book)x.vcf"
  private static let card = DAVClient.card(
    "u-1", "Amy", ["NOTE:" + String(repeating: "n", count: 900)])

  private static func head(
    _ client: DAVClient, _ line: String, length: Int, _ headers: [String] = []
  ) -> String {
    ([
      "\(line) HTTP/1.1", "Host: 127.0.0.1:\(client.port)",
      "Authorization: \(client.authorization)", "Content-Type: text/vcard",
      "Content-Length: \(length)",
    ] + headers + ["", ""]).joined(separator: "\r\n")
  }

  @Test func `nothing listens before the first password`() async throws {
    try await RunningAgent.with { agent in
      let before = try await agent.ask(.GET, "/v1/dav")
      #expect((before.json["addresses"] as? [String])?.isEmpty == true)
      let client = try await DAVClient(of: agent)
      let after = try await agent.ask(.GET, "/v1/dav")
      #expect(after.json["addresses"] as? [String] == ["\(client.origin)/"])
      #expect(try await client.ask("PROPFIND", "/").status == 207)
    }
  }

  @Test func `passwords, the port and what was served stay over a restart`() async throws {
    // Any other program may take the port between the two agents. That happens once, not each time.
    for _ in 1...10 where try await servesTheSameAfterRestart() { return }
    Issue.record("The agent never listened on its former port.")
  }

  /// Whether an agent listens where it did before it was stopped. If it does, its clients get what they got before.
  private func servesTheSameAfterRestart() async throws -> Bool {
    let database = try DeviceDatabase.inMemory()
    var first: DAVClient?
    var tag: String?
    try await RunningAgent.with(database: database) { agent in
      let client = try await DAVClient(of: agent)
      tag = try await client.put(Self.card, Self.path).tag
      first = client
    }
    let client = try #require(first)
    var isSamePort = false
    try await RunningAgent.with(database: database) { agent in
      let address = try await agent.ask(.GET, "/v1/dav").json["addresses"] as? [String]
      isSamePort = address == ["\(client.origin)/"]
      guard isSamePort else { return }
      let answer = try await client.ask("GET", Self.path)
      #expect(answer.text == Self.card && answer.tag == tag)
    }
    return isSamePort
  }

  // MARK: Clients that hang up

  @Test func `of a card whose client hangs up nothing is stored`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      let token = try await client.changes().token
      // A card that ends like a whole one, and one that does not.
      for body in [Self.card, String(Self.card.prefix(500)), ""] {
        for isReset in [true, false] {
          let caller = try RawCaller(to: client)
          let length = Self.card.utf8.count + 1
          try await caller.send(Self.head(client, "PUT \(Self.path)", length: length) + body)
          if isReset { caller.reset() } else { caller.endSending() }
          _ = try await caller.receive()
        }
      }
      let chunked = try RawCaller(to: client)
      let start = Self.head(client, "PUT \(Self.path)", length: 0).replacing(
        "Content-Length: 0", with: "Transfer-Encoding: chunked")
      let size = String(Self.card.utf8.count, radix: 16)
      try await chunked.send("\(start)\(size)\r\n\(Self.card)\r\n")
      chunked.endSending()
      _ = try await chunked.receive()
      #expect(try await client.changes(since: token).responses.isEmpty)
      #expect(try await client.ask("GET", Self.path).status == 404)
      #expect(try await client.put(Self.card, Self.path).status == 201)
    }
  }

  @Test(.onlyInCheck) func `clients that do not read their answer do no harm`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      let body =
        "<C:addressbook-multiget \(DAVClient.namespaces)><prop><getetag/></prop>"
        + (0..<20_000).map { "<href>\(DAVClient.book)\($0).vcf</href>" }.joined()
        + "</C:addressbook-multiget>"
      for _ in 0..<5 {
        let caller = try RawCaller(to: client)
        let head = Self.head(client, "REPORT \(DAVClient.book)", length: body.utf8.count)
        try await caller.send(head + body)
        let start = try await caller.receive { $0.contains("multistatus") }
        #expect(start.hasPrefix("HTTP/1.1 207"))
        caller.reset()
      }
      #expect(try await client.ask("PROPFIND", "/").status == 207)
      #expect(try await agent.ask(.GET, "/v1/contacts").list("contacts").count == 10)
    }
  }

  // MARK: 100-continue

  @Test func `a client that waits for 100 gets it before it sends its card`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      let caller = try RawCaller(to: client)
      let head = Self.head(
        client, "PUT \(Self.path)", length: Self.card.utf8.count,
        ["Expect: 100-continue", "Connection: close"])
      try await caller.send(head)
      let first = try await caller.receive { $0.contains("\r\n\r\n") }
      #expect(first.hasPrefix("HTTP/1.1 100"))
      try await caller.send(Self.card)
      let rest = try await caller.receive()
      #expect((first + rest).contains("HTTP/1.1 201"))
      #expect(try await client.ask("GET", Self.path).text == Self.card)
    }
  }

  // MARK: Limits

  @Test func `headers that are too long are refused`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      for headers in [
        ["X: \(String(repeating: "x", count: 40_000))"], (0..<200).map { "X-\($0): y" },
      ] {
        let caller = try RawCaller(to: client)
        try await caller.send(Self.head(client, "PROPFIND /", length: 0, headers))
        let answer = try await caller.receive { $0.contains("\r\n\r\n") }
        #expect(answer.hasPrefix("HTTP/1.1 4") || answer.isEmpty)
      }
      #expect(try await client.ask("PROPFIND", "/").status == 207)
    }
  }

  // MARK: Another user

  @Test(.enabled(if: getuid() == 0, "Only root can become another user."))
  func `H1 another user of the machine gets not a byte, even with the password`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      let request = [
        "--silent", "--show-error", "--max-time", "60", "--write-out", "%{http_code}",
        "--user", "ada:\(client.password)", "\(client.origin)\(DAVClient.book)bundled-1-01.vcf",
      ]
      for user in ["65534", "12345"] {
        let arguments = ["--reuid=\(user)", "--regid=\(user)", "--clear-groups", "/usr/bin/curl"]
        let other = try RunningProgram("/usr/bin/setpriv", arguments + request)
        #expect(try await other.end() != 0)
        #expect(other.standardOutput == "000", "\(other.standardError)")
      }
      let own = try RunningProgram("/usr/bin/curl", request)
      #expect(try await own.end() == 0)
      #expect(own.standardOutput.hasSuffix("200"))
    }
  }
}
