import CardDAV
import NIOHTTP1
import Records
import Testing

@testable import AgentDaemon

@Suite("D5 making, naming and leaving books", .timeLimit(.minutes(5)))
struct BookRouteTests {
  private func titles(_ agent: RunningAgent) async throws -> [String] {
    try await agent.ask(.GET, "/v1/groups").list("groups").compactMap { $0["title"] as? String }
  }

  private func mkcol(
    _ client: DAVClient, _ path: String, name: String, type: String = "<C:addressbook/>"
  ) async throws -> DAVAnswer {
    try await client.ask(
      "MKCOL", path,
      """
      <mkcol \(DAVClient.namespaces)><set><prop><resourcetype><collection/>\(type)\
      </resourcetype><displayname>\(name)</displayname></prop></set></mkcol>
      """)
  }

  private func rename(
    _ client: DAVClient, _ path: String, _ properties: String
  ) async throws -> DAVAnswer {
    try await client.ask(
      "PROPPATCH", path,
      "<propertyupdate \(DAVClient.namespaces)><set><prop>\(properties)</prop></set></propertyupdate>"
    )
  }

  @Test func `a plain MKCOL makes a group named by its address`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      #expect(try await client.ask("MKCOL", "/books/Rowing%20Club/").status == 201)
      #expect(try await titles(agent).contains("Rowing Club"))
      let path = "/books/Rowing%20Club/"
      #expect(try await client.put(DAVClient.card("u-1", "Amy"), "\(path)amy").status == 201)
      let list = try await client.properties(["getetag"], of: path, depth: "1")
      #expect(try list.cards == ["\(path)amy"])
      #expect(try await client.ask("MKCOL", path).status == 405)
    }
  }

  @Test func `an extended MKCOL names the group; two groups never have one title`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      #expect(try await mkcol(client, "/books/0815", name: "Choir").status == 201)
      #expect(try await mkcol(client, "/books/0816", name: "Choir").status == 201)
      #expect(Set(try await titles(agent)).isSuperset(of: ["Choir", "Choir 2"]))
      let list = try await client.properties(["displayname"], of: "/books/", depth: "1")
      #expect(try list.property(.dav("displayname"), of: "/books/0816/")?.text == "Choir 2")
      // The group's own id is an address of the book too.
      let groups = try await agent.ask(.GET, "/v1/groups").list("groups")
      let id = try #require(
        groups.first { $0["title"] as? String == "Choir" }?["id"] as? String)
      #expect(try await client.properties(["displayname"], of: "/books/\(id)/").status == 207)
      #expect(try await client.ask("MKCOL", "/books/\(id)/").status == 405)
    }
  }

  @Test func `what is no address book is not made`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      let calendar = try await mkcol(
        client, "/books/x", name: "X",
        type: "<calendar xmlns=\"urn:ietf:params:xml:ns:caldav\"/>")
      #expect(calendar.status == 403 && calendar.condition?.name == .dav("valid-resourcetype"))
      for (path, status) in [
        (DAVClient.book, 405), ("/books/", 405), ("/", 405), ("/principals/me/", 405),
        ("\(DAVClient.book)sub", 403), ("/books/none/sub", 409), ("/birthdays/x.ics", 405),
        ("/other", 409),
      ] {
        #expect(try await client.ask("MKCOL", path).status == status, "\(path)")
      }
      #expect(try await client.ask("MKCOL", "/books/x", "no XML").status == 400)
      let long = String(repeating: "x", count: 5_000)
      #expect((400..<500).contains(try await mkcol(client, "/books/y", name: long).status))
      #expect(try await titles(agent).count == 1)
    }
  }

  @Test func `PROPPATCH renames a group, all or nothing`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      _ = try await client.ask("MKCOL", "/books/club")
      let path = "/books/club/"
      let done = try await rename(client, path, "<displayname>The &amp; Club</displayname>")
      #expect(done.status == 207)
      #expect(try done.property(.dav("displayname"), of: path) != nil)
      #expect(try await titles(agent).contains("The & Club"))
      let mixed = try await rename(
        client, path,
        "<displayname>Other</displayname><C:addressbook-description>x"
          + "</C:addressbook-description>")
      let refused = try mixed.property(
        .card("addressbook-description"), of: path, status: "HTTP/1.1 403 Forbidden")
      #expect(refused != nil)
      let failed = try mixed.property(
        .dav("displayname"), of: path, status: "HTTP/1.1 424 Failed Dependency")
      #expect(failed != nil)
      #expect(try await titles(agent).contains("The & Club"))
      #expect(mixed.text.contains("cannot-modify-protected-property"))
      _ = try await client.ask("MKCOL", "/books/second")
      let taken = try await rename(
        client, "/books/second/", "<displayname>The &amp; Club</displayname>")
      #expect(taken.status == 409 || taken.text.contains("409"))
      #expect(try await titles(agent).contains("second"))
      let empty = try await rename(client, path, "<displayname> </displayname>")
      #expect(empty.status == 400 || empty.text.contains("HTTP/1.1 4"))
      #expect(try await titles(agent).contains("The & Club"))
    }
  }

  @Test func `the standard book keeps its name, and so does another owner's`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      try await agent.tell(of: [("zelda", ["firstName": .string("Zelda")])], isWritable: true)
      for path in [DAVClient.book, "/books/\(RunningAgent.rowingID)/"] {
        let answer = try await rename(client, path, "<displayname>Mine</displayname>")
        #expect(answer.status == 403 && answer.condition?.name == .dav("need-privileges"))
      }
      #expect(try await !titles(agent).contains("Mine"))
    }
  }

  @Test func `an own book is not deleted`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      _ = try await client.ask("MKCOL", "/books/club")
      for path in [DAVClient.book, "/books/club/"] {
        let answer = try await client.ask("DELETE", path)
        #expect(answer.status == 403 && answer.condition?.name == .dav("need-privileges"))
      }
      #expect(try await client.ask("DELETE", "/books/none/").status == 404)
      #expect(try await agent.ask(.GET, "/v1/contacts").list("contacts").count == 10)
      #expect(try await titles(agent).count == 2)
    }
  }
}
