import CardDAV
import NIOHTTP1
import Records
import Testing

@testable import AgentDaemon

@Suite("D2 cards", .timeLimit(.minutes(5)))
struct CardRouteTests {
  private static let path = "\(DAVClient.book)chosen%20name"
  private static let card = DAVClient.card(
    "u-1", "Amy Bell", ["TEL;TYPE=CELL:+1 555 0100", "X-CLIENT;X-P=1:kept", "NOTE:one\\, two"])

  private func contactCount(_ agent: RunningAgent) async throws -> Int {
    try await agent.ask(.GET, "/v1/contacts").list("contacts").count
  }

  // MARK: Reading

  @Test func `a card comes back as it was sent, with its tag`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      let made = try await client.put(Self.card, Self.path, ["If-None-Match": "*"])
      #expect(made.status == 201)
      let got = try await client.ask("GET", Self.path)
      #expect(got.status == 200 && got.text == Self.card)
      #expect(got.tag == made.tag && made.tag != nil)
      #expect(got.headers.first(name: "content-type") == "text/vcard; charset=utf-8")
      #expect(got.headers.first(name: "last-modified")?.hasSuffix(" GMT") == true)
      let same = try await client.ask("GET", Self.path, nil, ["If-None-Match": got.tag ?? ""])
      #expect(same.status == 304 && same.bytes.isEmpty && same.tag == got.tag)
      let other = try await client.ask("GET", Self.path, nil, ["If-None-Match": "\"x\""])
      #expect(other.status == 200)
      let weak = try await client.ask(
        "GET", Self.path, nil, ["If-None-Match": "W/\(got.tag ?? "")"])
      #expect(weak.status == 304)
      #expect(try await client.ask("GET", Self.path, nil, ["If-None-Match": "*"]).status == 304)
      let failed = try await client.ask("GET", Self.path, nil, ["If-Match": "\"x\""])
      #expect(failed.status == 412)
    }
  }

  @Test(arguments: ["TEL;HOME:+1 555 0100", "URL:https\\://example.com/", "X-A;:x"])
  func `a card that other programs read wrongly comes back to its own, and others get a better one`(
    line: String
  ) async throws {
    try await RunningAgent.with { agent in
      let card = DAVClient.card("u-1", "Amy Bell", [line])
      let client = try await DAVClient(of: agent)
      let other = try await DAVClient(of: agent, named: "tablet")
      #expect(try await client.put(card, Self.path).status == 201)
      let own = try await client.ask("GET", Self.path)
      #expect(own.text == card)
      let composed = try await other.ask("GET", Self.path)
      #expect(composed.text != card && composed.text.contains("\r\nVERSION:3.0\r\n"))
      #expect(!composed.text.contains(line) && composed.text.contains("FN:Amy Bell\r\n"))
      // What the other one saves is compared with what it was served.
      let edited = composed.text.replacing("FN:", with: "NOTE:new\r\nFN:")
      #expect(try await other.put(edited, Self.path).status == 204)
      let last = try await client.ask("GET", Self.path).text
      #expect(last.contains("NOTE:new") && last.contains("FN:Amy Bell"))
    }
  }

  @Test func `a card without a UID gets the one that a program gives it`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      let other = try await DAVClient(of: agent, named: "tablet")
      let card = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Amy Bell\r\nN:Bell;Amy;;;\r\nEND:VCARD\r\n"
      #expect(try await client.put(card, Self.path).status == 201)
      #expect(try await client.ask("GET", Self.path).text == card)
      #expect(try await other.ask("GET", Self.path).text.contains("\r\nUID:"))
      let named = card.replacing("FN:", with: "UID:invented\r\nNOTE:x\r\nFN:")
      #expect(try await client.put(named, Self.path).status == 204)
      #expect(try await other.ask("GET", Self.path).text.contains("\r\nUID:invented\r\n"))
      let another = named.replacing("invented", with: "another")
      let refused = try await client.put(another, Self.path)
      #expect(refused.status == 409 && refused.text.contains("another UID"))
      let third = card.replacing("Amy", with: "Cy")
      #expect(try await client.put(third, "\(DAVClient.book)third").status == 201)
      let stolen = named.replacing("Amy", with: "Cy")
      let conflict = try await client.put(stolen, "\(DAVClient.book)third")
      #expect(conflict.status == 409 && conflict.text.contains("another card with this UID"))
      let taken = try await client.put(named, "\(DAVClient.book)second")
      #expect(taken.status == 409)
    }
  }

  @Test func `HEAD has the headers of GET, and no body`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      _ = try await client.put(Self.card, Self.path)
      let got = try await client.ask("GET", Self.path)
      let head = try await RawCaller.ask(
        client, "HEAD \(Self.path)", ["Authorization: \(client.authorization)"])
      #expect(head.hasPrefix("HTTP/1.1 200") && head.hasSuffix("\r\n\r\n"))
      #expect(head.lowercased().contains("content-length: \(got.bytes.count)\r\n"))
      #expect(head.contains(got.tag ?? "?"))
      let missing = try await RawCaller.ask(
        client, "HEAD \(DAVClient.book)nobody", ["Authorization: \(client.authorization)"])
      #expect(missing.hasPrefix("HTTP/1.1 404") && missing.hasSuffix("\r\n\r\n"))
    }
  }

  @Test func `a client gets the version that it accepts`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      _ = try await client.put(Self.card, Self.path)
      for (accept, version) in [
        ("text/vcard; version=4.0", "4.0"), ("text/vcard;version=\"4.0\"", "4.0"),
        ("text/vcard; version=3.0", "3.0"), ("*/*", "3.0"), ("text/vcard", "3.0"),
        ("text/vcard; version=3.0, text/vcard; version=4.0", "4.0"),
      ] {
        let answer = try await client.ask("GET", Self.path, nil, ["Accept": accept])
        #expect(answer.text.contains("VERSION:\(version)\r\n"), "\(accept)")
        #expect(answer.text.contains("X-CLIENT;X-P=1:kept"), "\(accept)")
      }
    }
  }

  // MARK: Writing

  @Test func `conditions decide, and those that contradict each other are never met`() async throws
  {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      let absent = try await client.put(Self.card, Self.path, ["If-Match": "*"])
      #expect(absent.status == 412)
      #expect(try await client.put(Self.card, Self.path, ["If-Match": "\"x\""]).status == 412)
      #expect(try await contactCount(agent) == 10)
      let tag = try #require(
        try await client.put(Self.card, Self.path, ["If-None-Match": "*"]).tag)
      let other = DAVClient.card("u-1", "Amy Changed")
      for headers in [
        ["If-None-Match": "*"], ["If-Match": "\"x\""], ["If-None-Match": tag],
        ["If-Match": "W/\(tag)"], ["If-Match": tag, "If-None-Match": "*"],
        ["If-Match": tag, "If-None-Match": tag], ["If-Match": "\"x\"", "If-None-Match": "\"y\""],
      ] {
        #expect(try await client.put(other, Self.path, headers).status == 412, "\(headers)")
      }
      for header in ["x", "\"", "*, \"x\"", ","] {
        let answer = try await client.put(other, Self.path, ["If-Match": header])
        #expect(answer.status == 400, "\(header)")
      }
      #expect(try await client.ask("GET", Self.path).text == Self.card)
      let met = try await client.put(other, Self.path, ["If-Match": "\"x\", \(tag)"])
      #expect(met.status == 204 && met.tag != nil && met.tag != tag)
      #expect(try await client.ask("GET", Self.path).text == other)
    }
  }

  @Test func `the same card again changes nothing`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      let tag = try await client.put(Self.card, Self.path).tag
      let token = try await client.changes().token
      let again = try await client.put(Self.card, Self.path)
      #expect(again.status == 204 && again.tag == tag)
      #expect(try await client.changes(since: token).responses.isEmpty)
    }
  }

  @Test func `a UID that another card has is a conflict, and nothing changes`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      #expect(try await client.put(Self.card, Self.path).status == 201)
      let second = try await client.put(Self.card, "\(DAVClient.book)second")
      #expect(second.status == 409 && second.condition?.name == .card("no-uid-conflict"))
      #expect(second.condition?[.dav("href")]?.text == Self.path)
      // A card keeps its UID.
      let renamed = try await client.put(DAVClient.card("u-2", "Amy"), Self.path)
      #expect(renamed.status == 409 && renamed.condition?.name == .card("no-uid-conflict"))
      #expect(try await client.ask("GET", Self.path).text == Self.card)
      #expect(try await contactCount(agent) == 11)
      // The UID of a contact that no client has sent.
      let bundled = try await client.put(DAVClient.card("bundled-1-01", "X"), Self.path + "2")
      #expect(bundled.status == 409)
      // In another book, it is another card.
      _ = try await client.ask("MKCOL", "/books/other")
      #expect(try await client.put(Self.card, "/books/other/x").status == 201)
    }
  }

  @Test func `a card without a UID is stored, and can be updated`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      let card = Self.card.replacing("UID:u-1\r\n", with: "")
      let made = try await client.put(card, Self.path)
      #expect(made.status == 201)
      let got = try await client.ask("GET", Self.path)
      #expect(got.status == 200 && got.text.contains("FN:Amy Bell"))
      #expect(made.tag == nil || got.tag == made.tag)
      #expect(try await client.put(card, Self.path).status == 204)
      #expect(try await contactCount(agent) == 11)
    }
  }

  @Test func `a book that may be read only refuses each change with the privilege`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      try await agent.tell(of: [("zelda", ["firstName": .string("Zelda")])], isWritable: false)
      let book = "/books/\(RunningAgent.rowingID)/"
      let list = try await client.properties(["getetag"], of: book, depth: "1")
      let path = try #require(try list.cards.first)
      let card = try await client.ask("GET", path)
      #expect(card.status == 200)
      let target = ["Destination": "\(client.origin)\(DAVClient.book)moved"]
      for answer in [
        try await client.put(card.text.replacing("Zelda", with: "Other"), path),
        try await client.put(Self.card, "\(book)new"), try await client.ask("DELETE", path),
        try await client.ask("MOVE", path, nil, target),
        try await client.ask(
          "COPY", "\(DAVClient.book)bundled-1-01.vcf", nil,
          ["Destination": "\(client.origin)\(book)copied"]),
      ] {
        #expect(answer.status == 403)
        #expect(answer.condition?.name == .dav("need-privileges"))
      }
      #expect(try await client.ask("GET", path).bytes == card.bytes)
      #expect(try await contactCount(agent) == 11)
      #expect(try await client.ask("COPY", path, nil, target).status == 201)
    }
  }

  @Test func `a card of a book that does not exist is a conflict`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      #expect(try await client.put(Self.card, "/books/none/x").status == 409)
      #expect(try await contactCount(agent) == 10)
    }
  }

  @Test func `another media type is refused`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      for type in ["text/calendar", "application/json", "text/plain"] {
        let answer = try await client.put(Self.card, Self.path, ["Content-Type": type])
        #expect(answer.status == 403)
        #expect(answer.condition?.name == .card("supported-address-data"), "\(type)")
      }
      #expect(try await contactCount(agent) == 10)
      for (number, type) in ["text/vcard; charset=utf-8", "text/x-vcard", "TEXT/DIRECTORY"]
        .enumerated()
      {
        let answer = try await client.put(
          DAVClient.card("t\(number)", "T"), "\(DAVClient.book)t\(number)", ["Content-Type": type])
        #expect(answer.status == 201, "\(type)")
      }
    }
  }

  // MARK: Deleting

  @Test func `a deletion asks whether the card has changed, if the client does`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      let tag = try #require(try await client.put(Self.card, Self.path).tag)
      #expect(try await client.ask("DELETE", Self.path, nil, ["If-Match": "\"x\""]).status == 412)
      #expect(try await client.ask("GET", Self.path).status == 200)
      #expect(try await client.ask("DELETE", Self.path, nil, ["If-Match": tag]).status == 204)
      #expect(try await client.ask("GET", Self.path).status == 404)
      #expect(try await client.ask("DELETE", Self.path).status == 404)
      #expect(try await client.ask("DELETE", Self.path, nil, ["If-Match": tag]).status == 412)
      #expect(try await contactCount(agent) == 10)
      // The name and the UID are free again.
      #expect(try await client.put(Self.card, Self.path).status == 201)
    }
  }

  @Test func `a card that is newer than what the client read stays, and is listed`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      _ = try await client.put(Self.card, Self.path)
      let id = try #require(
        try await agent.ask(.GET, "/v1/contacts?q=Amy").list("contacts").first?["id"] as? String)
      _ = try await agent.ask(.PATCH, "/v1/contacts/\(id)", #"{"company":"Acme"}"#)
      let token = try await client.changes().token
      let tag = try await client.properties(["getetag"], of: Self.path).property(
        .dav("getetag"), of: Self.path)?.text
      #expect(try await client.ask("DELETE", Self.path).status == 204)
      let news = try await client.changes(since: token)
      #expect(try news.cards == [Self.path])
      #expect(try news.property(.dav("getetag"), of: Self.path)?.text != tag)
      #expect(try await client.ask("GET", Self.path).text.contains("ORG:Acme"))
      // Now the client has read it.
      #expect(try await client.ask("DELETE", Self.path).status == 204)
      #expect(try await client.ask("GET", Self.path).status == 404)
    }
  }
}
