// The largest, the smallest and the oddest numbers in every place of a request that takes one. The agent
// runs in this process: an overflow would end the tests.

import Foundation
import NIOCore
import NIOHTTP1
import Processes
import Records
import TestTiers
import Testing

@testable import AgentDaemon

@Suite("I18 extreme numbers over HTTP", .timeLimit(.minutes(5)))
struct ExtremeNumberTests {
  /// A request with one place for a number, which is written as `#`.
  struct Probe: Sendable, CustomTestStringConvertible {
    let method: HTTPMethod
    let path: String
    var body: String?
    var headers: [String: String] = [:]

    init(
      _ method: HTTPMethod, _ path: String, _ body: String? = nil, headers: [String: String] = [:]
    ) {
      self.method = method
      self.path = path
      self.body = body
      self.headers = headers
    }

    var testDescription: String { "\(method) \(path) \(body ?? "") \(headers)" }
  }

  static let numbers = [
    "9223372036854775807", "9223372036854775806", "-9223372036854775808", "18446744073709551615",
    "-1", "0", "1", "4611686018427387904", "2147483648", String(repeating: "9", count: 60),
    "1e400", "-1e400", "NaN", "nan", "inf", "0x7fffffffffffffff", "1.5", "",
  ]

  static let probes = [
    Probe(.GET, "/v1/contacts?limit=#"), Probe(.GET, "/v1/contacts?cursor=#.#.last1.AAAA"),
    Probe(.GET, "/v1/contacts?cursor=#.1.last1.AAAA"), Probe(.GET, "/v1/contacts?cursor=#"),
    Probe(.GET, "/v1/contacts?sort=modified&cursor=#.#.modified.#"),
    Probe(.GET, "/v1/contacts?limit=1&cursor=#.0.modified.1&sort=modified"),
    Probe(.GET, "/v1/trash?limit=#"), Probe(.GET, "/v1/trash?cursor=#-#"),
    Probe(.GET, "/v1/posts?limit=#"), Probe(.GET, "/v1/posts?cursor=#:a"),
    Probe(.GET, "/v1/posts/a?cursor=#:a"), Probe(.GET, "/v1/accounts?cursor=#"),
    Probe(.GET, "/v1/contacts/bundled-1-01/photo?wait=#"),
    Probe(.GET, "/v1/notifications?since=#"), Probe(.GET, "/v1/notifications?limit=#"),
    Probe(.GET, "/v1/contacts/#"), Probe(.GET, "/v1/conflicts/#"),
    Probe(.DELETE, "/v1/refused/#"), Probe(.DELETE, "/v1/contacts/none?action=#"),
    Probe(.DELETE, "/v1/groups/none?action=#"),
    Probe(.PATCH, "/v1/contacts/bundled-1-01", "{}", headers: ["If-Match": "\"#\""]),
    Probe(.PATCH, "/v1/contacts/bundled-1-01", #"{"phones":[{"value":"1","preference":#}]}"#),
    Probe(.PATCH, "/v1/contacts/bundled-1-01", ##"{"birthday":"#-#-#"}"##),
    Probe(.PATCH, "/v1/contacts/bundled-1-01", ##"{"birthday":"#"}"##),
    Probe(.POST, "/v1/undo", #"{"action":#}"#),
    Probe(.POST, "/v1/notifications/seen", #"{"through":#}"#),
    Probe(.POST, "/v1/groups/Contacts/share", ##"{"link":{"expiresSeconds":#,"uses":#}}"##),
    Probe(.POST, "/v1/groups/Contacts/share", ##"{"expiresSeconds":#,"uses":#}"##),
    Probe(
      .POST, "/v1/subscriptions",
      ##"{"type":"Contact","predicate":"lastName = %@","arguments":[#],"id":"s#"}"##),
    Probe(
      .POST, "/v1/subscriptions", ##"{"type":"Contact","predicate":"age > #","id":"p#"}"##),
    Probe(.GET, "/v1/status", headers: ["Idempotency-Key": "#"]),
    Probe(.POST, "/v1/groups", ##"{"title":"#"}"##, headers: ["Idempotency-Key": "#"]),
  ]

  @Test(.onlyInCheck, arguments: probes)
  func `an extreme number is refused or makes sense, and the agent goes on`(
    probe: Probe
  ) async throws {
    try await RunningAgent.with { agent in
      for number in Self.numbers {
        let escaped =
          number.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? number
        let answer = try await agent.ask(
          probe.method, probe.path.replacingOccurrences(of: "#", with: escaped),
          probe.body?.replacingOccurrences(of: "#", with: number),
          headers: probe.headers.mapValues { $0.replacingOccurrences(of: "#", with: number) })
        #expect(answer.status != 500, "\(number): \(answer.json)")
        #expect(
          answer.status < 400 || answer.code != nil, "\(number): the response has no error code")
      }
      #expect(try await agent.ask(.GET, "/v1/status").status == 200)
    }
  }

  @Test(arguments: [("/v1/sync", "waitSeconds"), ("/v1/timeline/sync", "waitSeconds")])
  func `a wait out of range is refused`(path: String, key: String) async throws {
    try await RunningAgent.with { agent in
      for number in ["9223372036854775807", "-9223372036854775808", "1e400", "-1", "1e300"] {
        let answer = try await agent.ask(.POST, path, #"{"\#(key)":\#(number)}"#)
        #expect(answer.status == 400, "\(number)")
      }
      #expect(try await agent.ask(.GET, "/v1/status").status == 200)
    }
  }

  @Test(arguments: ["/v1/events", "/v1/notifications/events"], ["since", "Last-Event-ID"])
  func `a stream from an extreme number begins or is refused`(
    path: String, place: String
  ) async throws {
    try await RunningAgent.with { agent in
      for number in Self.numbers {
        let escaped =
          number.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? number
        let response = try await agent.open(
          .GET, place == "since" ? "\(path)?since=\(escaped)" : path,
          headers: place == "since" ? [:] : [place: number])
        guard response.status == .ok else {
          #expect(response.status == .badRequest, "\(number)")
          _ = try await response.body.collect(upTo: 1 << 16)
          continue
        }
        var beginning = ""
        for try await part in response.body {
          beginning += String(buffer: part)
          if beginning.contains("\n\n") { break }
        }
        #expect(beginning.hasPrefix("id: "), "\(number)")
      }
      // What comes after such a watcher still goes to every watcher.
      _ = try await agent.ask(.POST, "/v1/contacts", #"{"firstName":"Amy"}"#)
      #expect(try await agent.ask(.GET, "/v1/status").status == 200)
    }
  }

  @Test func `a body that announces more bytes than there are numbers costs nothing`() async throws
  {
    try await RunningAgent.with { agent in
      for length in ["9223372036854775807", "18446744073709551615", "-1"] {
        let socket = try await agent.connect()
        let head =
          "POST /v1/posts?caption=x HTTP/1.1\r\nhost: a\r\ncontent-length: \(length)\r\n\r\nabc"
        _ = socket.sendSome(Array(head.utf8)[...])
        socket.endSending()
        try await Patience.wait(until: "the connection to end") { socket.receiveSome() == nil }
      }
      #expect(try await agent.ask(.GET, "/v1/status").status == 200)
    }
  }
}
