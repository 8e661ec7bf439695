import CardDAV
import Foundation
import NIOHTTP1
import Records
import TestTiers
import Testing

@testable import AgentDaemon

@Suite("D3 edits of clients that do not ask", .timeLimit(.minutes(5)))
struct CardChangeTests {
  private static let path = "\(DAVClient.book)amy.vcf"
  private static let base = [
    "TEL;TYPE=CELL:+1 555 0100", "EMAIL;TYPE=HOME:amy@example.org", "NOTE:first", "TITLE:Rower",
  ]

  private static func card(_ lines: [String]) -> String { DAVClient.card("u-1", "Amy", lines) }

  private func contact(_ agent: RunningAgent) async throws -> [String: Any] {
    try await MediaTransferTests.contact("Amy", on: agent)
  }

  @Test func `two programs and the agent edit one card, and all three edits are there`()
    async throws
  {
    try await RunningAgent.with { agent in
      let (phone, tablet) = (
        try await DAVClient(of: agent), try await DAVClient(of: agent, named: "tablet")
      )
      _ = try await phone.put(Self.card(Self.base), Self.path)
      #expect(try await tablet.ask("GET", Self.path).text == Self.card(Self.base))
      // The phone changes the number.
      let first = Self.base.map { $0.replacing("0100", with: "0199") }
      #expect(try await phone.put(Self.card(first), Self.path).status == 204)
      // A person enters a company.
      let id = try #require(try await contact(agent)["id"] as? String)
      _ = try await agent.ask(.PATCH, "/v1/contacts/\(id)", #"{"company":"Acme"}"#)
      // The tablet, which has seen neither, changes the note and adds an address.
      let second = Self.base.map { $0.replacing("first", with: "second") }
      let answer = try await tablet.put(
        Self.card(second + ["EMAIL;TYPE=WORK:amy@acme.example"]), Self.path)
      #expect(answer.status == 204)
      // Something else is stored than it has sent, so it reads again.
      #expect(answer.tag == nil)
      let text = try await tablet.ask("GET", Self.path).text
      for part in [
        "0199", "ORG:Acme", "NOTE:second", "amy@example.org", "amy@acme.example", "TITLE:Rower",
      ] { #expect(text.contains(part), "\(part): \(text)") }
      #expect(!text.contains("555 0100") && !text.contains("NOTE:first"))
    }
  }

  @Test func `of two programs that share a password, each changes the card that it had`()
    async throws
  {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      _ = try await client.put(Self.card(Self.base), Self.path)
      let id = try #require(try await contact(agent)["id"] as? String)
      _ = try await agent.ask(.PATCH, "/v1/contacts/\(id)", #"{"company":"Acme"}"#)
      // One program reads the newer card; the other still has the former one and changes the title.
      #expect(try await client.ask("GET", Self.path).text.contains("ORG:Acme"))
      let stale = Self.base.map { $0.replacing("Rower", with: "Captain") }
      #expect(try await client.put(Self.card(stale), Self.path).status == 204)
      let text = try await client.ask("GET", Self.path).text
      #expect(text.contains("ORG:Acme") && text.contains("TITLE:Captain"))
    }
  }

  @Test func `without a known card nothing is removed`() async throws {
    try await RunningAgent.with { agent in
      let phone = try await DAVClient(of: agent)
      _ = try await phone.put(Self.card(Self.base), Self.path)
      let stranger = try await DAVClient(of: agent, named: "stranger")
      let answer = try await stranger.put(Self.card(["TEL;TYPE=CELL:+1 555 0142"]), Self.path)
      #expect(answer.status == 204 && answer.tag == nil)
      let text = try await phone.ask("GET", Self.path).text
      for part in ["0100", "0142", "NOTE:first", "TITLE:Rower", "amy@example.org"] {
        #expect(text.contains(part), "\(part)")
      }
    }
  }

  @Test func `a client that reads and then removes removes`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      _ = try await client.put(Self.card(Self.base), Self.path)
      let answer = try await client.put(Self.card(["NOTE:first"]), Self.path)
      #expect(answer.status == 204 && answer.tag != nil)
      #expect(try await client.ask("GET", Self.path).text == Self.card(["NOTE:first"]))
      #expect(try await contact(agent)["title"] == nil)
    }
  }

  @Test func `two values for one text: the later one is stored, the other is a conflict`()
    async throws
  {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      _ = try await client.put(Self.card(Self.base), Self.path)
      let id = try #require(try await contact(agent)["id"] as? String)
      _ = try await agent.ask(.PATCH, "/v1/contacts/\(id)", #"{"note":"the person's"}"#)
      let stale = Self.base.map { $0.replacing("first", with: "the client's") }
      #expect(try await client.put(Self.card(stale), Self.path).status == 204)
      #expect(try await contact(agent)["note"] as? String == "the client's")
      let conflicts = try await agent.ask(.GET, "/v1/conflicts").list("conflicts")
      #expect(conflicts.count == 1)
      #expect(conflicts.first?["mine"] as? String == "the person's")
    }
  }

  @Test func `a client whose edit was not stored reads the card again`() async throws {
    try await RunningAgent.with { agent in
      let phone = try await DAVClient(of: agent)
      _ = try await phone.put(Self.card(Self.base), Self.path)
      let stranger = try await DAVClient(of: agent, named: "stranger")
      let token = try await stranger.changes().token
      // It removes the title, but what it knew is not known, so nothing is removed.
      let body = Self.card(Self.base.filter { !$0.hasPrefix("TITLE") })
      let answer = try await stranger.put(body, Self.path)
      #expect(answer.status == 204 && answer.tag == nil)
      #expect(try await stranger.changes(since: token).cards == [Self.path])
      #expect(try await stranger.ask("GET", Self.path).text.contains("TITLE:Rower"))
    }
  }

  @Test(.onlyInCheck, arguments: ["3.0", "4.0"])
  func `pictures, unknown properties and labels survive an edit of another field`(
    version: String
  ) async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      let picture = Data(MediaTransferTests.picture).base64EncodedString()
      let photo =
        version == "3.0"
        ? "PHOTO;ENCODING=b;TYPE=PNG:\(picture)" : "PHOTO:data:image/png;base64,\(picture)"
      let lines = [photo, "item1.TEL:5550100", "item1.X-ABLabel:Boat", "X-CLIENT;X-P=1:kept"]
      let made = DAVClient.card("u-1", "Amy", lines + ["NOTE:first"], version: version)
      #expect(try await client.put(made, Self.path).status == 201)
      let edited = DAVClient.card("u-1", "Amy", lines + ["NOTE:second"], version: version)
      #expect(try await client.put(edited, Self.path).status == 204)
      let text = try await client.ask(
        "GET", Self.path, nil, ["Accept": "text/vcard; version=\(version)"]
      ).text.replacing("\r\n ", with: "")
      for part in [picture, "5550100", "Boat", "X-CLIENT;X-P=1:kept", "NOTE:second"] {
        #expect(text.contains(part), "\(part.prefix(40))")
      }
      let contact = try await contact(agent)
      #expect((contact["photo"] as? [String: Any])?["mediaType"] as? String == "image/png")
    }
  }

  @Test func `programs that save at the same time lose nothing`() async throws {
    try await RunningAgent.with { agent in
      var clients: [DAVClient] = []
      for number in 0..<6 { clients.append(try await DAVClient(of: agent, named: "p\(number)")) }
      _ = try await clients[0].put(Self.card(Self.base), Self.path)
      for client in clients { _ = try await client.ask("GET", Self.path) }
      try await withThrowingTaskGroup(of: Int.self) { tasks in
        for (number, client) in clients.enumerated() {
          tasks.addTask {
            let body = Self.card(Self.base + ["TEL;TYPE=WORK:+1 555 020\(number)"])
            return try await client.put(body, Self.path).status
          }
        }
        for try await status in tasks { #expect(status == 204) }
      }
      let text = try await clients[0].ask("GET", Self.path).text
      for number in 0..<6 { #expect(text.contains("020\(number)"), "\(number)") }
      #expect(text.contains("0100"))
    }
  }

  @Test func `of clients that make the same new card one succeeds`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      let statuses = try await withThrowingTaskGroup(of: Int.self) { tasks in
        for _ in 0..<8 {
          tasks.addTask {
            try await client.put(Self.card(Self.base), Self.path, ["If-None-Match": "*"]).status
          }
        }
        return try await tasks.reduce(into: [Int]()) { $0.append($1) }
      }
      #expect(statuses.sorted() == [201] + Array(repeating: 412, count: 7))
      #expect(try await agent.ask(.GET, "/v1/contacts").list("contacts").count == 11)
    }
  }

  @Test func `a picture that has not arrived is not removed by a client that could not see it`()
    async throws
  {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      let photo = Asset(digest: Array(repeating: 9, count: 32), sizeBytes: 3_000_000)
      let zelda: Fields = ["firstName": .string("Zelda"), "photo": .asset(photo)]
      try await agent.tell(of: [("zelda", zelda)], isWritable: true)
      let path = "/books/\(RunningAgent.rowingID)/zelda.vcf"
      let read = try await client.ask("GET", path)
      #expect(read.status == 200 && !read.text.contains("PHOTO"))
      let edited = read.text.replacing("END:VCARD", with: "NOTE:edited\r\nEND:VCARD")
      let answer = try await client.put(edited, path)
      #expect(answer.status == 204)
      let contact = try await MediaTransferTests.contact("Zelda", on: agent)
      #expect(contact["note"] as? String == "edited")
      #expect(contact["photo"] is [String: Any])
    }
  }

  @Test func `a group's card names its members, and keeps its title and note`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      _ = try await client.put(
        DAVClient.card("u-1", "Amy", ["CATEGORIES:Rowing"]), Self.path)
      let group = "\(DAVClient.book)rowing"
      let card = DAVClient.card(
        "g-1", "Rowing",
        [
          "NOTE:Every Tuesday", "X-ADDRESSBOOKSERVER-KIND:group",
          "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:u-1",
        ])
      #expect(try await client.put(card, group).status == 201)
      let first = try await client.ask("GET", group)
      #expect(first.text.contains("X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:u-1"))
      #expect(first.text.contains("NOTE:Every Tuesday"))
      // No contact: lists of contacts do not have it.
      #expect(try await agent.ask(.GET, "/v1/contacts").list("contacts").count == 11)
      let token = try await client.changes().token
      let bob = DAVClient.card("u-2", "Bob", ["CATEGORIES:Rowing"])
      _ = try await client.put(bob, "\(DAVClient.book)bob")
      #expect(try await client.changes(since: token).cards.contains(group))
      let second = try await client.ask("GET", group)
      #expect(second.tag != first.tag && second.text.contains("urn:uuid:u-2"))
    }
  }
}
