import CardDAV
import NIOHTTP1
import Records
import Testing

@testable import AgentDaemon

@Suite("D1 properties of resources", .timeLimit(.minutes(5)))
struct PropfindRouteTests {
  @Test func `depth 0 is the resource, depth 1 also what is in it`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      for (path, count) in [
        ("/", 4), ("/principals/", 2), ("/principals/me/", 1), ("/books/", 2),
        (DAVClient.book, 11), ("\(DAVClient.book)bundled-1-01.vcf", 1), ("/birthdays/", 2),
      ] {
        let one = try await client.properties(["resourcetype"], of: path)
        #expect(try one.addresses == [path])
        let all = try await client.properties(["resourcetype"], of: path, depth: "1")
        #expect(try all.addresses.first == path && all.addresses.count == count, "\(path)")
        #expect(Set(try all.addresses).count == count)
      }
    }
  }

  @Test func `a path without its slash is the collection too`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      for path in ["/books", "/books/contacts", "/principals/me"] {
        let answer = try await client.properties(["resourcetype"], of: path)
        #expect(try answer.addresses == ["\(path)/"])
      }
    }
  }

  @Test func `infinite depth is refused with its element, and another depth as well`() async throws
  {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      for path in ["/", "/books/", DAVClient.book] {
        let answer = try await client.properties(["getetag"], of: path, depth: "infinity")
        #expect(answer.status == 403)
        #expect(answer.condition?.name == .dav("propfind-finite-depth"))
      }
      #expect(try await client.properties(["getetag"], of: "/", depth: "2").status == 400)
    }
  }

  @Test func `allprop has the values, propname the names, and neither has cards' text`()
    async throws
  {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      let card = "\(DAVClient.book)bundled-1-01.vcf"
      for path in ["/", "/principals/me/", DAVClient.book, card] {
        let all = try await client.ask(
          "PROPFIND", path, "<propfind xmlns=\"DAV:\"><allprop/></propfind>", ["Depth": "0"])
        let none = try await client.ask("PROPFIND", path, nil, ["Depth": "0"])
        #expect(all.bytes == none.bytes, "\(path)")
        let names = try await client.ask(
          "PROPFIND", path, "<propfind xmlns=\"DAV:\"><propname/></propfind>", ["Depth": "0"])
        func properties(_ answer: DAVAnswer) throws -> [XMLTree] {
          try answer.responses.flatMap { $0.all(.dav("propstat")) }.flatMap {
            $0[.dav("prop")]?.children ?? []
          }
        }
        #expect(Set(try properties(all).map(\.name)) == Set(try properties(names).map(\.name)))
        #expect(try properties(names).allSatisfy { $0.text.isEmpty && $0.children.isEmpty })
        #expect(try !properties(all).contains { $0.name == .card("address-data") })
        #expect(!all.text.contains(" 404 "))
      }
    }
  }

  @Test func `a property that does not exist is 404, and left out where the client says minimal`()
    async throws
  {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      let names = ["displayname", "quota-used-bytes", "C:unknown"]
      for path in ["/", "/books/", DAVClient.book, "\(DAVClient.book)bundled-1-01.vcf"] {
        let full = try await client.properties(names, of: path)
        for name in [XMLName.dav("quota-used-bytes"), .card("unknown")] {
          let property = try full.property(name, of: path, status: "HTTP/1.1 404 Not Found")
          #expect(property != nil, "\(path)")
        }
        #expect(try full.property(.dav("displayname"), of: path)?.text.isEmpty == false)
        let short = try await client.properties(names, of: path, ["Prefer": "return=minimal"])
        #expect(try short.property(.dav("displayname"), of: path) != nil)
        #expect(!short.text.contains(" 404 "))
      }
    }
  }

  @Test func `a book says what clients need to know`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      let path = DAVClient.book
      let answer = try await client.properties(
        [
          "sync-token", "CS:getctag", "supported-report-set", "current-user-privilege-set",
          "C:max-resource-size", "C:supported-address-data", "C:supported-collation-set",
        ], of: path)
      let token = try #require(try answer.property(.dav("sync-token"), of: path)?.text)
      #expect(try answer.property(.calendarServer("getctag"), of: path)?.text == token)
      #expect(try answer.property(.dav("supported-report-set"), of: path)?.children.count == 3)
      let rights = try answer.property(.dav("current-user-privilege-set"), of: path)
      #expect(rights?.children.contains { $0[.dav("write")] != nil } == true)
      #expect(try answer.property(.card("max-resource-size"), of: path) != nil)
      let types = try answer.property(.card("supported-address-data"), of: path)?.children
      #expect(types?.map { $0.attributes["version"] } == ["3.0", "4.0"])
      #expect(try answer.property(.card("supported-collation-set"), of: path) != nil)
      // The tag changes with the book.
      _ = try await agent.ask(.POST, "/v1/contacts", #"{"firstName":"Amy"}"#)
      let later = try await client.properties(["CS:getctag"], of: path)
      #expect(try later.property(.calendarServer("getctag"), of: path)?.text != token)
    }
  }

  @Test func `a book of another owner that may be read only says so`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      try await agent.tell(of: [("zelda", ["firstName": .string("Zelda")])], isWritable: false)
      let list = try await client.properties(
        ["displayname", "current-user-privilege-set"], of: "/books/", depth: "1")
      let path = try #require(try list.addresses.last)
      #expect(try list.property(.dav("displayname"), of: path)?.text == "Rowing (Bob B.)")
      let rights = try list.property(.dav("current-user-privilege-set"), of: path)
      let names = rights?.children.flatMap { $0.children.map(\.name) } ?? []
      #expect(names.contains(.dav("read")) && !names.contains(.dav("write")))
      let card = try await client.properties(
        ["current-user-privilege-set", "getetag"], of: path, depth: "1")
      let address = try #require(try card.cards.first)
      let own = try card.property(.dav("current-user-privilege-set"), of: address)
      #expect(own?.children.contains { $0[.dav("write")] != nil } == false)
    }
  }
}
