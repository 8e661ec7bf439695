import CardDAV
import Foundation
import NIOHTTP1
import Processes
import Records
import TestTiers
import Testing

@testable import AgentDaemon

@Suite("D1 finding the books", .timeLimit(.minutes(5)))
struct CardDAVResponderTests {
  @Test func `a client finds the books from the well-known address`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      for method in ["GET", "PROPFIND"] {
        let first = try await RawCaller.ask(client, "\(method) /.well-known/carddav")
        #expect(first.hasPrefix("HTTP/1.1 301"), "\(method)")
        #expect(first.lowercased().contains("location: /\r\n"), "\(method)")
      }
      let root = try await client.properties(["current-user-principal"], of: "/")
      #expect(root.status == 207)
      let principal = try #require(
        try root.property(.dav("current-user-principal"), of: "/")?[.dav("href")]?.text)
      let home = try await client.properties(
        ["C:addressbook-home-set", "displayname"], of: principal)
      let books = try #require(
        try home.property(.card("addressbook-home-set"), of: principal)?[.dav("href")]?.text)
      _ = try await agent.ask(.POST, "/v1/groups", #"{"title":"A club"}"#)
      let list = try await client.properties(
        ["resourcetype", "displayname"], of: books, depth: "1")
      let found = try list.addresses
      #expect(found.prefix(2) == [books, DAVClient.book] && found.count == 3)
      for address in found.dropFirst() {
        let types = try list.property(.dav("resourcetype"), of: address)?.children.map(\.name)
        #expect(types == [.dav("collection"), .card("addressbook")])
      }
      #expect(try list.property(.dav("displayname"), of: found[2])?.text == "A club")
    }
  }

  @Test func `OPTIONS says what the server is`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      for path in ["/", "/books/", DAVClient.book, "\(DAVClient.book)x.vcf"] {
        let answer = try await client.ask("OPTIONS", path)
        #expect(answer.status == 200)
        #expect(answer.headers.first(name: "dav") == "1, 3, addressbook, extended-mkcol")
        #expect(answer.headers.first(name: "allow")?.contains("PROPFIND") == true)
      }
    }
  }

  @Test func `without a password no method gets anything`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      let card = "\(DAVClient.book)bundled-1-01.vcf"
      for method in [
        "OPTIONS", "GET", "HEAD", "PUT", "DELETE", "PROPFIND", "PROPPATCH", "REPORT", "MKCOL",
        "COPY", "MOVE", "POST", "LOCK", "SEARCH",
      ] {
        for header in ["", "Basic", "Basic !!!", "Bearer \(client.password)", "Basic YWRh"] {
          let answer = try await client.ask(
            method, card, method == "PUT" ? DAVClient.card("x", "X") : nil,
            ["Authorization": header])
          #expect(answer.status == 401, "\(method) \(header)")
          let wanted = answer.headers.first(name: "www-authenticate")
          #expect(wanted == #"Basic realm="Contacts", charset="UTF-8""#, "\(method)")
        }
      }
      #expect(try await agent.ask(.GET, "/v1/contacts").list("contacts").count == 10)
    }
  }

  @Test func `a method that an address does not have is refused`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      for (method, path) in [
        ("PUT", DAVClient.book), ("PUT", "/"), ("DELETE", "/books/"), ("DELETE", "/"),
        ("POST", DAVClient.book), ("LOCK", "\(DAVClient.book)bundled-1-01.vcf"), ("SEARCH", "/"),
        ("GET", "/books/"), ("GET", DAVClient.book),
      ] {
        let answer = try await client.ask(method, path, method == "PUT" ? "x" : nil)
        #expect(answer.status == 405, "\(method) \(path)")
      }
      #expect(try await client.ask("GET", "/nothing/here").status == 404)
      #expect(try await client.ask("GET", "\(DAVClient.book)nobody.vcf").status == 404)
      #expect(try await client.ask("GET", "/books/unknown/x.vcf").status == 404)
    }
  }

  @Test(
    .onlyInCheck,
    arguments: [
      ("/books/contacts/a%2Fb.vcf", 400), ("/books/contacts/%00.vcf", 400),
      ("/books/contacts/..", 400), ("/books/../books/contacts/", 400),
      ("/books/contacts/%2e%2e/x", 400), ("/books/contacts/a%", 400), ("/books/contacts/%zz", 400),
      ("/books/contacts/%FF.vcf", 400), ("/books/contacts//x.vcf", 400),
      ("/books/contacts/x.vcf/more", 404), ("/books/contacts/x%0Ay", 400), ("/books/%2e/", 400),
    ])
  func `an address that could be mistaken for another one names nothing`(
    path: String, status: Int
  ) async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      let headers = ["Authorization: \(client.authorization)", "Content-Type: text/vcard"]
      for method in ["GET", "PUT", "DELETE", "PROPFIND", "MKCOL"] {
        let body = method == "PUT" ? DAVClient.card("x", "X") : ""
        let answer = try await RawCaller.ask(client, "\(method) \(path)", headers, body: body)
        // What would be made where no collection is: RFC 4918, section 9.7.1.
        let isMade = status == 404 && ["PUT", "MKCOL"].contains(method)
        #expect(
          answer.hasPrefix("HTTP/1.1 \(isMade ? 409 : status)"),
          "\(method) \(path) \(answer.prefix(60))")
      }
      #expect(try await agent.ask(.GET, "/v1/contacts").list("contacts").count == 10)
      #expect(try await agent.ask(.GET, "/v1/groups").list("groups").count == 1)
    }
  }

  @Test func `a name of 4 KB is refused, and one of 255 bytes is stored`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      for count in [256, 4_096, 20_000] {
        let name = String(repeating: "n", count: count)
        let answer = try await client.put(DAVClient.card("x", "X"), DAVClient.book + name)
        #expect(answer.status == 400, "\(count)")
      }
      let name = String(repeating: "n", count: 255)
      #expect(try await client.put(DAVClient.card("x", "X"), DAVClient.book + name).status == 201)
      #expect(try await client.ask("GET", DAVClient.book + name).status == 200)
    }
  }

  @Test func `names with signs come back as they were written`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      for (number, name) in ["a%20b.vcf", "%C3%BC%26%3C%3E.vcf", "x%2B%3B%3D%3F%23", "~@:"]
        .enumerated()
      {
        let path = DAVClient.book + name
        #expect(try await client.put(DAVClient.card("u\(number)", "X"), path).status == 201)
        #expect(try await client.ask("GET", path).status == 200, "\(name)")
        let list = try await client.properties(["getetag"], of: DAVClient.book, depth: "1")
        #expect(try list.addresses.contains(path), "\(name)")
      }
    }
  }
}
