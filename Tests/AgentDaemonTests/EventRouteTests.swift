// The stream of changes: live, resumed, and complete whatever a watcher's pace.

import DeviceDriver
import Foundation
import NIOCore
import NIOHTTP1
import TestTiers
import Testing

@testable import AgentDaemon

@Suite("B5, V11 events", .timeLimit(.minutes(5)))
struct EventRouteTests {
  /// Reads a stream until `count` changes have come; their numbers and names.
  static func changes(
    _ count: Int, of agent: RunningAgent, headers: [String: String],
    meanwhile: () async throws -> Void = {}
  ) async throws -> [(seq: Int, name: String)] {
    let response = try await agent.open(.GET, "/v1/events", headers: headers)
    #expect(response.headers.first(name: "content-type") == "text/event-stream")
    try await meanwhile()
    var text = ""
    var changes: [(seq: Int, name: String)] = []
    for try await part in response.body {
      text += String(buffer: part)
      while let end = text.range(of: "\n\n") {
        let event = text[..<end.lowerBound]
        text.removeSubrange(..<end.upperBound)
        guard let start = event.range(of: "data: ") else { continue }
        let data = Data(event[start.upperBound...].utf8)
        let json = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        changes.append((json?["seq"] as? Int ?? 0, json?["name"] as? String ?? ""))
      }
      if changes.count >= count { break }
    }
    return changes
  }

  @Test func `a watcher from the start hears all there was, without gaps`() async throws {
    try await RunningAgent.with { agent in
      let changes = try await Self.changes(10, of: agent, headers: ["Last-Event-ID": "0"])
      #expect(changes.map(\.seq) == Array(1...10))
    }
  }

  @Test func `a watcher without a number hears only what comes`() async throws {
    try await RunningAgent.with { agent in
      let changes = try await Self.changes(1, of: agent, headers: [:]) {
        _ = try await agent.ask(.POST, "/v1/contacts", #"{"firstName":"Amy"}"#)
      }
      #expect(changes.map(\.name) == ["Amy"])
    }
  }

  @Test(arguments: ["/v1/events", "/v1/notifications/events"])
  func `a watcher that is cut off before the first event knows where to go on`(
    path: String
  ) async throws {
    try await RunningAgent.with { agent in
      let response = try await agent.open(.GET, path)
      var beginning = ""
      for try await part in response.body {
        beginning += String(buffer: part)
        if beginning.contains("\n\n") { break }
      }
      let id = try #require(beginning.split(separator: "\n").first)
      #expect(id.hasPrefix("id: ") && id.hasSuffix(path == "/v1/events" ? "-10" : "-0"))
    }
  }

  @Test(.onlyInCheck) func `a watcher that falls behind its buffer misses nothing`() async throws {
    try await RunningAgent.with { agent in
      let edits = 3 * EventHub().newsPerWatcher
      let changes = try await Self.changes(edits, of: agent, headers: ["Last-Event-ID": "10"]) {
        for number in 1...edits {
          let body = #"{"company":"C\#(number)"}"#
          _ = try await agent.ask(.PATCH, "/v1/contacts/bundled-1-01", body)
        }
      }
      #expect(changes.map(\.seq) == Array(11..<(11 + edits)))
    }
  }

  @Test func `a number that is none is refused`() async throws {
    try await RunningAgent.with { agent in
      let answer = try await agent.ask(.GET, "/v1/events?since=x")
      #expect(answer.code == "invalidArguments")
    }
  }
}
