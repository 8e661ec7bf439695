// The start of a watcher's stream, and the reasons for which a watcher must read everything again.

import Foundation
import NIOCore
import NIOHTTP1
import Records
import Testing

@testable import AgentDaemon

@Suite("B5 positions in a stream of events", .timeLimit(.minutes(5)))
struct EventPositionTests {
  static let log = "00ab34cd56ef7890"

  @Test(
    arguments: [
      ("0", 0, nil), ("10", 10, nil), ("\(log)-10", 10, nil), ("\(log)-0", 0, nil),
      ("11", 10, .ahead), ("\(log)-11", 10, .ahead), ("9223372036854775807", 10, .ahead),
      ("18446744073709551615", 10, .ahead), ("\(log)-99999999999999999999", 10, .ahead),
      ("ff-3", 10, .otherLog), ("ff-99999999999999999999", 10, .otherLog),
    ] as [(String, Int64, EventPosition.Reset?)])
  func `a position outside the log resets the stream, with the reason`(
    text: String, last: Int64, reset: EventPosition.Reset?
  ) throws {
    let position = try EventPosition(text, incarnation: Self.log, newest: 10)
    #expect(position.last == last && position.reset == reset)
  }

  @Test(arguments: ["", "-1", "x", "1.5", "\(log)-", "-", "ab-x", "12 ", "１", "zz-1", "1e3"])
  func `what is neither an id nor a number is refused`(text: String) {
    #expect(throws: RecordsError.self) {
      try EventPosition(text, incarnation: Self.log, newest: 10)
    }
  }

  /// The first event of a stream, as its lines.
  static func beginning(
    _ agent: RunningAgent, _ path: String, after id: String
  ) async throws -> [String] {
    let response = try await agent.open(.GET, path, headers: ["Last-Event-ID": id])
    var text = ""
    for try await part in response.body {
      text += String(buffer: part)
      if text.contains("\n\n") { break }
    }
    return text.split(separator: "\n").map(String.init)
  }

  @Test(arguments: ["/v1/events", "/v1/notifications/events"])
  func `a watcher of another log, or ahead of this one, gets a reset and then what comes`(
    path: String
  ) async throws {
    try await RunningAgent.with { agent in
      let newest = path == "/v1/events" ? 10 : 0
      for (id, reason) in [("0123456789abcdef-3", "otherLog"), ("4711", "ahead")] {
        let lines = try await Self.beginning(agent, path, after: id)
        #expect(lines.dropFirst().first == "event: reset")
        #expect(
          lines.last == #"data: {"missedThrough":\#(newest),"reason":"\#(reason)"}"#)
        // From the id of the reset on, the stream goes on as any other.
        let own = try #require(lines.first?.dropFirst(4))
        let again = try await Self.beginning(agent, path, after: String(own))
        #expect(again == ["id: \(own)", ": ready"])
      }
    }
  }

  @Test func `a watcher ahead of the log hears what happens next`() async throws {
    try await RunningAgent.with { agent in
      let changes = try await EventRouteTests.changes(
        2, of: agent, headers: ["Last-Event-ID": "9000"]
      ) {
        _ = try await agent.ask(.POST, "/v1/contacts", #"{"firstName":"Amy"}"#)
      }
      #expect(changes.map(\.name).last == "Amy")
    }
  }
}
