// Cards that no proper client sends.

import CardDAV
import ContactCards
import Contacts
import Foundation
import NIOHTTP1
import Processes
import TestTiers
import Testing

@testable import AgentDaemon

@Suite("D6 hostile cards", .timeLimit(.minutes(5)))
struct SentCardTests {
  private static let path = "\(DAVClient.book)x.vcf"
  private static let whole = DAVClient.card("u-1", "Amy")

  private static let damaged: [(String, String)] = [
    ("nothing", ""), ("blanks", " \r\n\r\n"), ("a word", "hello"),
    ("no end", whole.replacing("END:VCARD\r\n", with: "")),
    ("half an end", whole.replacing("END:VCARD\r\n", with: "END:VCA")),
    ("no beginning", whole.replacing("BEGIN:VCARD\r\n", with: "")),
    ("two cards", whole + DAVClient.card("u-2", "Bob")),
    ("a card and a half", whole + "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Bob\r\n"),
    ("half a card and one", "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Bob\r\n" + whole),
    ("a calendar", "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n"),
    ("something after the end", whole + "FN:Bob\r\n"),
    ("zeros", String(repeating: "\u{0}", count: 10_000)),
  ]

  @Test(arguments: damaged)
  func `what is not exactly one whole card is refused, and nothing is stored`(
    name: String, body: String
  ) async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      let token = try await client.changes().token
      let answer = try await client.put(body, Self.path)
      #expect(answer.status == 403, "\(name)")
      #expect(answer.condition?.name == .card("valid-address-data"), "\(name)")
      #expect(try await client.changes(since: token).responses.isEmpty)
      // An existing card stays as it was.
      _ = try await client.put(Self.whole, Self.path)
      #expect(try await client.put(body, Self.path).status == 403)
      #expect(try await client.ask("GET", Self.path).text == Self.whole)
    }
  }

  @Test(arguments: ["2.1", "3.0", "4.0"])
  func `a card with a picture of 6 MB is accepted, also as a URI`(version: String) throws {
    let bytes = [0x89, 0x50, 0x4E, 0x47] + [UInt8](repeating: 7, count: 6 << 20)
    let photo = "PHOTO:data:image/png;base64,\(Data(bytes).base64EncodedString())"
    let text = "BEGIN:VCARD\r\nVERSION:\(version)\r\nUID:u\r\nFN:Amy\r\n\(photo)\r\nEND:VCARD\r\n"
    let card = try SentCard(Array(text.utf8))
    #expect(card.pictureCount == 1)
    #expect(card.contact.draft.photo?.media == .inline(bytes))
  }

  @Test func `a card of 30 MB is refused with its element`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      let text = String(repeating: "x", count: 30 << 20)
      for headers in [
        ["Content-Length: \(text.utf8.count)"], ["Transfer-Encoding: chunked"],
      ] {
        let caller = try RawCaller(to: client)
        let head =
          [
            "PUT \(Self.path) HTTP/1.1", "Host: x", "Content-Type: text/vcard",
            "Authorization: \(client.authorization)",
          ] + headers
        let isChunked = headers[0].hasPrefix("T")
        let body = isChunked ? String(text.utf8.count, radix: 16) + "\r\n" + text : text
        try await caller.send(head.joined(separator: "\r\n") + "\r\n\r\n" + body)
        let answer = try await caller.receive { $0.contains("</D:error>") }
        // A server that does not read the rest may close the connection before the answer is read.
        #expect(
          answer.isEmpty || answer.hasPrefix("HTTP/1.1 413") && answer.contains("max-resource-size")
        )
      }
      #expect(try await client.ask("GET", Self.path).status == 404)
      #expect(try await client.ask("PROPFIND", "/").status == 207)
    }
  }

  @Test(.onlyInCheck)
  func `a card with very many properties or a very long line is refused or stored whole`()
    async throws
  {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      for (name, lines) in [
        ("phones", (0..<20_000).map { "TEL:\($0)" }),
        ("unknown", (0..<20_000).map { "X-A\($0):b" }),
        ("note", ["NOTE:" + String(repeating: "n", count: 2 << 20)]),
        ("parameters", ["TEL;" + (0..<5_000).map { "X-\($0)=y" }.joined(separator: ";") + ":1"]),
        ("categories", ["CATEGORIES:" + (0..<20_000).map { "c\($0)" }.joined(separator: ",")]),
      ] {
        let path = "\(DAVClient.book)\(name)"
        let card = DAVClient.card(name, "Amy", lines)
        let answer = try await client.put(card, path)
        let got = try await client.ask("GET", path)
        if answer.status == 201 {
          #expect(got.status == 200 && got.bytes.count >= card.utf8.count / 2, "\(name)")
        } else {
          #expect(answer.status == 403 || answer.status == 413, "\(name): \(answer.text)")
          #expect(got.status == 404, "\(name)")
          #expect(answer.condition != nil, "\(name)")
        }
      }
    }
  }

  @Test func `hostile texts neither break the documents nor get lost`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      let texts = [
        "a]]>b", "a & b", "<!--", "&#0;", "<script>", "\"quoted'", "\u{FFFE}x\u{FFFF}y",
        "tab\there", "\u{1F600}\u{0301}", "\u{202E}rtl", "\u{1}\u{8}\u{1B}bell\u{7}",
        "</C:address-data>",
      ]
      for (number, text) in texts.enumerated() {
        let body = try #require(
          String(
            bytes: try JSONEncoder().encode(["lastName": text, "note": text, "company": text]),
            encoding: .utf8))
        let made = try await agent.ask(.POST, "/v1/contacts", body)
        #expect((200..<500).contains(made.status), "\(number)")
        let card = DAVClient.card("h-\(number)", text, ["NOTE:\(text)", "X-OTHER:\(text)"])
        let answer = try await client.put(card, "\(DAVClient.book)h-\(number)")
        #expect([201, 403].contains(answer.status), "\(number)")
      }
      let list = try await client.properties(
        ["displayname", "getetag", "getcontentlength"], of: DAVClient.book, depth: "1")
      #expect(list.status == 207)
      let cards = try list.cards
      #expect(cards.count >= 20)
      let all = try await client.multiget(cards)
      #expect(try all.cards == cards)
      for path in cards {
        let text = try #require(try all.property(.card("address-data"), of: path)?.text)
        #expect(text.hasPrefix("BEGIN:VCARD\r\n") && text.hasSuffix("END:VCARD\r\n"), "\(path)")
      }
      let found = try await client.query(
        #"<C:filter><C:prop-filter name="FN"><C:text-match>]]&gt;</C:text-match></C:prop-filter></C:filter>"#
      )
      #expect(try found.cards.contains("\(DAVClient.book)h-0"))
      #expect(
        try all.property(.card("address-data"), of: "\(DAVClient.book)h-1")?.text
          .contains("NOTE:a & b\r\n") == true)
    }
  }

  @Test func `bytes that are no UTF-8 are read, and answered as XML`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      let caller = try RawCaller(to: client)
      let head = [
        "PUT \(Self.path) HTTP/1.1", "Host: x", "Content-Type: text/vcard",
        "Authorization: \(client.authorization)", "Connection: close", "Content-Length: 83", "", "",
      ].joined(separator: "\r\n")
      var body = Array(
        "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:latin\r\nFN:J?rg\r\nN:J?rg;;;;\r\nNOTE:".utf8)
      body = body.map { $0 == UInt8(ascii: "?") ? 0xF6 : $0 }
      let end = Array("\r\nEND:VCARD\r\n".utf8)
      body += Array(repeating: 0xFF, count: 83 - body.count - end.count) + end
      try await caller.send(Array(head.utf8) + body)
      let answer = try await caller.receive()
      #expect(answer.hasPrefix("HTTP/1.1 201") || answer.hasPrefix("HTTP/1.1 403"))
      let list = try await client.multiget([Self.path])
      #expect(try list.responses.count == 1)
    }
  }
}
