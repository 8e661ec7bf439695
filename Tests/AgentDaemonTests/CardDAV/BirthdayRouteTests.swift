// The calendar of birthdays on a real socket, as calendar programs read it.

import Foundation
import NIOCore
import NIOHTTP1
import Processes
import Records
import Testing

@testable import AgentDaemon

@Suite("D6 calendar of birthdays on a socket", .timeLimit(.minutes(5)))
struct BirthdayRouteTests {
  private static let calendar = "/birthdays/contacts.ics"

  /// A calendar program with an app password.
  private struct Program {
    let client: HTTPTestClient
    let authorization: String
    /// The connection for all requests; `nil` for one connection each.
    var connection: HTTPTestConnection?

    init(of agent: RunningAgent) async throws {
      let answer = try await agent.ask(.POST, "/v1/dav/passwords", #"{"name":"calendar"}"#)
      let address = try #require((answer.json["addresses"] as? [String])?.first)
      client = try HTTPTestClient(origin: String(address.dropLast()))
      let password = try #require(answer.json["password"] as? String)
      authorization = "Basic " + Data("ada:\(password)".utf8).base64EncodedString()
    }

    struct Answer {
      let status: UInt
      let headers: HTTPHeaders
      let text: String
    }

    func ask(
      _ method: HTTPMethod, _ path: String = calendar, headers: [String: String] = [:],
      body: String? = nil, isKnown: Bool = true
    ) async throws -> Answer {
      var request = HTTPTestRequest(method, path, headers: headers, body: body)
      if isKnown { request.headers.add(name: "Authorization", value: authorization) }
      let response =
        if let connection {
          try await connection.send(request)
        } else {
          try await client.send(request)
        }
      return Answer(
        status: response.status.code, headers: response.headers,
        text: String(buffer: try await response.body.collect(upTo: 16 << 20)))
    }
  }

  private static func add(_ name: String, _ birthday: String, to agent: RunningAgent) async throws {
    let body = #"{"firstName":"\#(name)","birthday":"\#(birthday)"}"#
    #expect(try await agent.ask(.POST, "/v1/contacts", body).status == 201)
  }

  @Test func `a program reads the birthdays of a book`() async throws {
    try await RunningAgent.with { agent in
      try await Self.add("Cora", "1984-06-05", to: agent)
      try await Self.add("Ole", "1984", to: agent)
      let answer = try await Program(of: agent).ask(.GET)
      #expect(answer.status == 200)
      let type = "text/calendar; charset=utf-8; component=VEVENT"
      #expect(answer.headers.first(name: "Content-Type") == type)
      #expect(answer.text.hasPrefix("BEGIN:VCALENDAR\r\n"))
      #expect(answer.text.hasSuffix("END:VCALENDAR\r\n"))
      #expect(answer.text.contains("X-WR-CALNAME:Birthdays: Contacts\r\n"))
      #expect(answer.text.contains("SUMMARY:Cora (born 1984)\r\n"))
      #expect(!answer.text.contains("Ole"))
    }
  }

  @Test func `a calendar that has not changed is not sent again`() async throws {
    try await RunningAgent.with { agent in
      try await Self.add("Cora", "1984-06-05", to: agent)
      let program = try await Program(of: agent)
      let tag = try #require(try await program.ask(.GET).headers.first(name: "ETag"))
      for known in [tag, "W/\(tag)", "\"x\", \(tag)"] {
        let again = try await program.ask(.GET, headers: ["If-None-Match": known])
        #expect(again.status == 304)
        #expect(again.text.isEmpty)
        #expect(again.headers.first(name: "ETag") == tag)
      }
      try await Self.add("Lea", "--02-29", to: agent)
      let changed = try await program.ask(.GET, headers: ["If-None-Match": tag])
      #expect(changed.status == 200)
      #expect(changed.text.contains("SUMMARY:Lea\r\n"))
      #expect(changed.headers.first(name: "ETag") != tag)
    }
  }

  @Test func `HEAD has the headers and the length, and the connection goes on`() async throws {
    try await RunningAgent.with { agent in
      try await Self.add("Cora", "1984-06-05", to: agent)
      var program = try await Program(of: agent)
      program.connection = try await program.client.connect()
      let whole = try await program.ask(.GET)
      for _ in 0..<3 {
        let head = try await program.ask(.HEAD)
        #expect(head.status == 200)
        #expect(head.text.isEmpty)
        #expect(head.headers.first(name: "ETag") == whole.headers.first(name: "ETag"))
        #expect(head.headers.first(name: "Content-Length") == String(whole.text.utf8.count))
      }
      #expect(try await program.ask(.GET).text == whole.text)
      // A card has a body of its own, and an error too.
      for (path, status) in [("bundled-1-01.vcf", 200), ("none.vcf", 404)] as [(String, UInt)] {
        let path = "/books/contacts/\(path)"
        let card = try await program.ask(.GET, path)
        let head = try await program.ask(.HEAD, path)
        #expect(card.status == status && head.status == status)
        #expect(head.headers.first(name: "Content-Length") == String(card.text.utf8.count))
        #expect(try await program.ask(.GET, path).text == card.text)
      }
    }
  }

  @Test func `a calendar is found by its properties, and is for reading only`() async throws {
    try await RunningAgent.with { agent in
      try await Self.add("Cora", "1984-06-05", to: agent)
      let program = try await Program(of: agent)
      let tag = try #require(try await program.ask(.GET).headers.first(name: "ETag"))
      let list = try await program.ask(
        .PROPFIND, "/birthdays/", headers: ["Depth": "1"],
        body: """
          <propfind xmlns="DAV:"><prop><displayname/><getcontenttype/><getetag/><sync-token/>\
          <current-user-privilege-set/></prop></propfind>
          """)
      #expect(list.status == 207)
      #expect(list.text.contains("<D:href>/birthdays/contacts.ics</D:href>"))
      #expect(list.text.contains("<D:displayname>Birthdays: Contacts</D:displayname>"))
      #expect(list.text.contains("<D:getcontenttype>text/calendar</D:getcontenttype>"))
      let written = tag.replacing("\"", with: "&quot;")
      #expect(list.text.contains("<D:getetag>\(written)</D:getetag>"))
      #expect(!list.text.contains("<D:write/>"))
      #expect(!list.text.contains("urn:contacts:sync"))
      let one = try await program.ask(
        .PROPFIND, Self.calendar, headers: ["Depth": "0"],
        body: #"<propfind xmlns="DAV:"><prop><getetag/><resourcetype/></prop></propfind>"#)
      #expect(one.text.contains("<D:getetag>\(written)</D:getetag>"))
      for method in [HTTPMethod.PUT, .DELETE, .PROPPATCH, .REPORT] {
        let answer = try await program.ask(method, body: method == .DELETE ? nil : "x")
        #expect((400..<500).contains(answer.status), "\(method)")
      }
      #expect(try await program.ask(.GET).headers.first(name: "ETag") == tag)
    }
  }

  @Test func `a book that does not exist has no calendar, and a stranger reads none`() async throws
  {
    try await RunningAgent.with { agent in
      let program = try await Program(of: agent)
      #expect(try await program.ask(.GET, "/birthdays/none.ics").status == 404)
      #expect(try await program.ask(.GET, "/birthdays/contacts").status == 404)
      let stranger = try await program.ask(.GET, isKnown: false)
      #expect(stranger.status == 401)
      #expect(stranger.headers.first(name: "WWW-Authenticate")?.hasPrefix("Basic") == true)
    }
  }

  @Test func `the birthdays of a large book are complete`() async throws {
    try await RunningAgent.with { agent in
      var cards = ""
      for number in 1...1_200 {
        cards += """
          BEGIN:VCARD\nVERSION:3.0\nUID:p\(number)\nFN:Person \(number)\nN:;Person \(number);;;
          BDAY:1990-01-\(number % 28 < 9 ? "0" : "")\(number % 28 + 1)\nEND:VCARD\n
          """
      }
      #expect(try await agent.ask(.POST, "/v1/import?file=a.vcf", cards).status == 200)
      let text = try await Program(of: agent).ask(.GET).text
      #expect(text.split(separator: "\r\n").count { $0 == "BEGIN:VEVENT" } == 1_200)
      #expect(text.contains("SUMMARY:Person 1200 (born 1990)\r\n"))
    }
  }
}
