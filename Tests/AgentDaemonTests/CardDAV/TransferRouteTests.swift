import CardDAV
import NIOHTTP1
import Testing

@testable import AgentDaemon

@Suite("D5 copies and moves of cards", .timeLimit(.minutes(5)))
struct TransferRouteTests {
  private static let from = "\(DAVClient.book)amy"
  private static let card = DAVClient.card("u-1", "Amy", ["NOTE:kept", "X-CLIENT:kept too"])

  private func prepared(_ agent: RunningAgent) async throws -> DAVClient {
    let client = try await DAVClient(of: agent)
    try #require(try await client.put(Self.card, Self.from).status == 201)
    try #require(try await client.ask("MKCOL", "/books/club").status == 201)
    return client
  }

  private func transfer(
    _ client: DAVClient, _ method: String, _ from: String = Self.from, to: String,
    _ headers: [String: String] = [:]
  ) async throws -> Int {
    try await client.ask(
      method, from, nil, ["Destination": to].merging(headers) { $1 }
    ).status
  }

  @Test func `a move within a book changes the address, and clients hear of both`() async throws {
    try await RunningAgent.with { agent in
      let client = try await prepared(agent)
      let token = try await client.changes().token
      let to = "\(DAVClient.book)new%20name"
      #expect(try await transfer(client, "MOVE", to: client.origin + to) == 201)
      #expect(try await client.ask("GET", Self.from).status == 404)
      #expect(try await client.ask("GET", to).text.contains("NOTE:kept"))
      let news = try await client.changes(since: token)
      #expect(try news.cards == [to])
      #expect(try news.status(of: Self.from) == "HTTP/1.1 404 Not Found")
      #expect(try await agent.ask(.GET, "/v1/contacts").list("contacts").count == 11)
    }
  }

  @Test func `a move between books keeps the contact with everything`() async throws {
    try await RunningAgent.with { agent in
      let client = try await prepared(agent)
      let token = try await client.changes().token
      #expect(try await transfer(client, "MOVE", to: "/books/club/amy") == 201)
      #expect(try await client.ask("GET", Self.from).status == 404)
      let text = try await client.ask("GET", "/books/club/amy").text
      #expect(text.contains("UID:u-1") && text.contains("X-CLIENT:kept too"))
      #expect(
        try await client.changes(since: token).status(of: Self.from) == "HTTP/1.1 404 Not Found")
      #expect(try await client.changes(in: "/books/club/").cards == ["/books/club/amy"])
    }
  }

  @Test func `a copy within a book is another card, and one between books has the UID`()
    async throws
  {
    try await RunningAgent.with { agent in
      let client = try await prepared(agent)
      #expect(try await transfer(client, "COPY", to: "\(DAVClient.book)second") == 201)
      let second = try await client.ask("GET", "\(DAVClient.book)second").text
      #expect(second.contains("NOTE:kept") && !second.contains("UID:u-1\r\n"))
      #expect(try await transfer(client, "COPY", to: "/books/club/amy") == 201)
      #expect(try await client.ask("GET", "/books/club/amy").text.contains("UID:u-1\r\n"))
      #expect(try await client.ask("GET", Self.from).text == Self.card)
      #expect(try await agent.ask(.GET, "/v1/contacts").list("contacts").count == 13)
    }
  }

  @Test func `a card at the destination is replaced only if the client allows it`() async throws {
    try await RunningAgent.with { agent in
      let client = try await prepared(agent)
      let to = "\(DAVClient.book)bundled-1-01.vcf"
      #expect(try await transfer(client, "COPY", to: to, ["Overwrite": "F"]) == 412)
      #expect(try await transfer(client, "MOVE", to: to, ["Overwrite": "F"]) == 412)
      #expect(try await !client.ask("GET", to).text.contains("FN:Amy"))
      #expect(try await transfer(client, "MOVE", to: to) == 204)
      #expect(try await client.ask("GET", to).text.contains("FN:Amy"))
      #expect(try await client.ask("GET", Self.from).status == 404)
      #expect(try await agent.ask(.GET, "/v1/contacts").list("contacts").count == 10)
      // Another card with this UID is in the way, and what would be replaced stays.
      _ = try await client.put(Self.card, "/books/club/same")
      _ = try await client.put(DAVClient.card("u-2", "Bob"), "/books/club/bob")
      let taken = try await client.ask("MOVE", to, nil, ["Destination": "/books/club/bob"])
      #expect(taken.status == 409 && taken.condition?.name == .card("no-uid-conflict"))
      #expect(try await client.ask("GET", "/books/club/bob").text.contains("FN:Bob"))
    }
  }

  @Test func `a destination that is none is refused`() async throws {
    try await RunningAgent.with { agent in
      let client = try await prepared(agent)
      for method in ["COPY", "MOVE"] {
        #expect(try await client.ask(method, Self.from).status == 400)
        for (to, status) in [
          (Self.from, 403), ("/books/none/x", 409), ("/books/club/", 409), ("/", 409),
          ("/books/club/%00", 400), ("/books/club/..", 400), ("nonsense", 400),
          ("/elsewhere/x/y/z", 404),
        ] {
          #expect(try await transfer(client, method, to: to) == status, "\(method) \(to)")
        }
        #expect(try await transfer(client, method, DAVClient.book, to: "/books/new/") == 403)
        #expect(try await transfer(client, method, Self.from + "x", to: "/books/club/x") == 404)
      }
      #expect(try await client.ask("GET", Self.from).text == Self.card)
      #expect(try await agent.ask(.GET, "/v1/contacts").list("contacts").count == 11)
    }
  }

  @Test func `a book has one card of a move, whichever of its addresses are used`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      let standard = "/books/\(String(repeating: "0", count: 32))/"
      _ = try await client.put(DAVClient.card("one", "One"), "\(DAVClient.book)one.vcf")
      let answer = try await client.ask(
        "MOVE", "\(DAVClient.book)one.vcf", nil, ["Destination": "\(standard)two.vcf"])
      #expect(answer.status == 201)
      #expect(try await client.ask("GET", "\(DAVClient.book)two.vcf").status == 200)
      #expect(try await client.ask("GET", "\(DAVClient.book)one.vcf").status == 404)
    }
  }
}
