// QR codes that the agent makes for the web page.

import Foundation
import NIOHTTP1
import QRCodes
import Records
import Testing

@testable import AgentDaemon

@Suite("W3 QR codes of the web page", .timeLimit(.minutes(5)))
struct WebCodeTests {
  @Test func `a row of the code has 1 for each dark module`() throws {
    let link = "contacts://join/AAECAwQFBgcICQoLDA0ODw"
    let rows = try WebCode(of: link).rows
    let code = try #require(QRCode(Array(link.utf8)))
    #expect(rows.count == code.size)
    for (row, text) in rows.enumerated() {
      #expect(text == String((0..<code.size).map { code[$0, row] ? "1" : "0" }))
    }
    #expect(rows[0].hasPrefix("11111110") && rows[1].hasPrefix("10000010"))
  }

  @Test func `a text that no code can have is rejected`() throws {
    #expect(try WebCode(of: String(repeating: "å", count: 53)).rows.count == 37)
    for text in ["", String(repeating: "å", count: 54), String(repeating: "a", count: 107)] {
      let error = #expect(throws: RecordsError.self) { try WebCode(of: text) }
      #expect(error?.code == .invalidArguments && error?.field == "text")
    }
  }

  @Test func `the page gets the code of a text, and only with its token`() async throws {
    try await RunningAgent.with { agent in
      let page = try await WebPage(of: agent)
      let answer = try await page.ask(.POST, "/web/code", #"{"text":"Ada"}"#)
      #expect(answer.status == 200)
      #expect(answer.json["rows"] as? [String] == (try WebCode(of: "Ada").rows))
      #expect(answer.headers.first(name: "x-content-type-options") == "nosniff")
      #expect(
        try await page.send(.POST, "/web/code", #"{"text":"Ada"}"#, ["Cookie": page.cookie]).status
          == 401)
      #expect(try await page.ask(.GET, "/web/code").status == 405)
    }
  }

  @Test func `requests for a code that are wrong or too large get an error`() async throws {
    try await RunningAgent.with { agent in
      let page = try await WebPage(of: agent)
      let tooLong = #"{"text":"\#(String(repeating: "a", count: 200))"}"#
      for body in ["", "{}", "x", #"{"text":1}"#, #"{"text":""}"#, tooLong] {
        #expect(try await page.ask(.POST, "/web/code", body).status == 400, "\(body)")
      }
      let large = #"{"text":"\#(String(repeating: "a", count: 4096))"}"#
      #expect(try await page.ask(.POST, "/web/code", large).status == 413)
    }
  }
}
