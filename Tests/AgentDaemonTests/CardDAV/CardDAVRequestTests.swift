// Documents that no proper client sends.

import CardDAV
import NIOHTTP1
import Processes
import TestTiers
import Testing

@testable import AgentDaemon

@Suite("D6, H2 hostile documents", .timeLimit(.minutes(5)))
struct CardDAVRequestTests {
  private static let methods = [
    ("PROPFIND", DAVClient.book), ("REPORT", DAVClient.book), ("PROPPATCH", DAVClient.book),
    ("MKCOL", "/books/new"),
  ]

  private static let documents: [(String, String, [Int])] = [
    ("no XML", "BEGIN:VCARD\r\nEND:VCARD\r\n", [400]),
    ("zeros", String(repeating: "\u{0}", count: 1_000), [415]),
    ("truncated", "<propfind xmlns=\"DAV:\"><prop><getetag/>", [400]),
    ("truncated tag", "<propfind xmlns=\"DAV:\"><pro", [400]),
    ("two roots", "<a/><b/>", [400]),
    ("another root", "<html xmlns=\"DAV:\"/>", [400, 403]),
    ("no namespace", "<propfind><prop/></propfind>", [400, 403]),
    ("an unknown prefix", "<D:propfind><D:prop/></D:propfind>", [400, 403]),
    (
      "depth", String(repeating: "<a>", count: 100_000) + String(repeating: "</a>", count: 100_000),
      [400, 413]
    ),
    ("open depth", String(repeating: "<a>", count: 100_000), [400, 413]),
    (
      "attributes",
      "<propfind xmlns=\"DAV:\" \((0..<5_000).map { "a\($0)=\"\"" }.joined(separator: " "))/>",
      [400, 413]
    ),
    ("elements", "<a>\(String(repeating: "<b/>", count: 200_000))</a>", [400, 413]),
    (
      "expansion",
      """
      <!DOCTYPE l [<!ENTITY a "0123456789"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">\
      <!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;">\
      <!ENTITY e "&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;"><!ENTITY f "&e;&e;&e;&e;&e;&e;&e;&e;&e;&e;">]>\
      <propertyupdate xmlns="DAV:"><set><prop><displayname>&f;&f;&f;&f;</displayname></prop>\
      </set></propertyupdate>
      """, [400, 403, 413]
    ),
    (
      "a file",
      """
      <!DOCTYPE l [<!ENTITY a SYSTEM "file:///etc/passwd">]><propertyupdate xmlns="DAV:"><set>\
      <prop><displayname>&a;</displayname></prop></set></propertyupdate>
      """, [400, 403]
    ),
  ]

  @Test(.onlyInCheck, arguments: documents)
  func `a document that is none is refused, and nothing changes`(
    name: String, document: String, statuses: [Int]
  ) async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      for (method, path) in Self.methods {
        let answer = try await client.ask(method, path, document)
        #expect(statuses.contains(answer.status), "\(name) \(method): \(answer.status)")
        #expect(!answer.text.contains("root:"), "\(name)")
        #expect(try answer.tree.name == .dav("error"), "\(name) \(method)")
      }
      #expect(try await agent.ask(.GET, "/v1/groups").list("groups").count == 1)
      #expect(try await client.ask("PROPFIND", "/").status == 207)
    }
  }

  @Test func `a document of 20 MB is refused, announced or not`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      let text = String(repeating: "x", count: 20 << 20)
      let head = [
        "REPORT \(DAVClient.book) HTTP/1.1", "Host: x", "Authorization: \(client.authorization)",
      ]
      let announced = try RawCaller(to: client)
      let first = head + ["Content-Length: \(text.utf8.count)", "", ""]
      try await announced.send(first.joined(separator: "\r\n"))
      let answer = try await announced.receive { $0.contains("\r\n\r\n") }
      #expect(answer.hasPrefix("HTTP/1.1 413"))
      let chunked = try RawCaller(to: client)
      let second =
        head + ["Transfer-Encoding: chunked", "", String(text.utf8.count, radix: 16), text]
      try await chunked.send(second.joined(separator: "\r\n"))
      let late = try await chunked.receive { $0.contains("\r\n\r\n") }
      #expect(late.hasPrefix("HTTP/1.1 413") || late.isEmpty)
      #expect(try await client.ask("PROPFIND", "/").status == 207)
    }
  }

  @Test func `numbers beyond all bounds are refused`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      for number in ["-1", "0", "99999999999999999999", "1.5", "x", ""] {
        let answer = try await client.ask(
          "REPORT", DAVClient.book,
          """
          <sync-collection \(DAVClient.namespaces)><sync-token/><limit><nresults>\(number)\
          </nresults></limit><prop/></sync-collection>
          """)
        #expect(answer.status == 400, "\(number)")
      }
      #expect(try await client.changes(limit: .max).status == 207)
      #expect(try await client.query("<C:filter/>", limit: .max).status == 207)
      for token in ["urn:contacts:sync/x/\(Int64.max)/0", "urn:contacts:sync/x/-1/0"] {
        #expect(try await client.changes(since: token).status == 403)
      }
      let own = try await client.changes().token
      let parts = own.split(separator: "/")
      let incarnation = try #require(parts.dropLast(2).last)
      for rest in ["\(Int64.max)/0", "0/0", "1/\(Int64.max)", "\(Int64.max)/0/\(Int64.max)"] {
        let answer = try await client.changes(since: "urn:contacts:sync/\(incarnation)/\(rest)")
        #expect(answer.status == 403, "\(rest)")
      }
    }
  }
}
