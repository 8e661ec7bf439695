// The stream of everything: changes, notifications and the status, resumed with one id.

import AgentAPI
import Foundation
import NIOCore
import NIOHTTP1
import Processes
import Testing

@testable import AgentDaemon

@Suite("B5, V11 all events in one stream", .timeLimit(.minutes(5)))
struct AllEventsRouteTests {
  /// An event of the stream.
  struct Event {
    var id: String?
    var kind = ""
    var content: [String: Any] = [:]
  }

  /// Reads the stream after `id` until it had events of `kinds`, each as often as it is listed. The event with only an
  /// id has an empty kind.
  static func events(
    of agent: RunningAgent, after id: String? = nil, until kinds: [String],
    meanwhile edit: String? = nil
  ) async throws -> [Event] {
    try await read(Reading(agent: agent, id: id, kinds: kinds, edit: edit))
  }

  /// One value, because Swift 6.3 passes more than six words to an asynchronous function wrongly.
  private struct Reading {
    let agent: RunningAgent
    let id: String?
    let kinds: [String]
    /// The first name of a contact to add meanwhile.
    let edit: String?

    func isDone(_ events: [Event]) -> Bool {
      var missing = kinds
      for event in events {
        if let index = missing.firstIndex(of: event.kind) { missing.remove(at: index) }
      }
      return missing.isEmpty
    }
  }

  private static func read(_ reading: Reading) async throws -> [Event] {
    let headers = reading.id.map { ["Last-Event-ID": $0] } ?? [:]
    let response = try await reading.agent.open(.GET, "/v1/events/all", headers: headers)
    #expect(response.headers.first(name: "content-type") == "text/event-stream")
    if let name = reading.edit {
      _ = try await reading.agent.ask(.POST, "/v1/contacts", #"{"firstName":"\#(name)"}"#)
    }
    var text = ""
    var events: [Event] = []
    for try await part in response.body {
      text += String(buffer: part)
      while let end = text.range(of: "\n\n") {
        if let event = event(String(text[..<end.lowerBound])) { events.append(event) }
        text.removeSubrange(..<end.upperBound)
      }
      if reading.isDone(events) { break }
    }
    return events
  }

  private static func event(_ text: String) -> Event? {
    var event = Event()
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1).map { $0.drop { $0 == " " } }
      switch parts.first {
      case "id": event.id = parts.last.map(String.init)
      case "event": event.kind = String(parts.last ?? "")
      case "data":
        let json = try? JSONSerialization.jsonObject(with: Data((parts.last ?? "").utf8))
        event.content = json as? [String: Any] ?? [:]
      default: break
      }
    }
    return event.id == nil && event.kind.isEmpty ? nil : event
  }

  @Test func `the stream begins with an id and the status`() async throws {
    try await RunningAgent.with { agent in
      let events = try await Self.events(of: agent, until: ["", "status"])
      #expect(events[0].id?.hasSuffix("-10.0") == true && events[0].kind.isEmpty)
      #expect(events[1].kind == "status" && events[1].id == nil)
      let status = try await agent.ask(.GET, "/v1/status").json
      for key in ["state", "waitingEdits", "heldDeletions", "conflicts", "badge", "account"] {
        #expect("\(events[1].content[key] ?? "-")" == "\(status[key] ?? "-")", "\(key)")
      }
    }
  }

  @Test func `an edit is a change, and the status counts it as waiting`() async throws {
    try await RunningAgent.with { agent in
      let before = try #require(
        try await agent.ask(.GET, "/v1/status").json["waitingEdits"] as? Int)
      let events = try await Self.events(
        of: agent, until: ["change", "status", "status"], meanwhile: "Amy")
      let change = try #require(events.first { $0.kind == "change" })
      #expect(change.content["name"] as? String == "Amy")
      #expect(change.id?.hasSuffix("-11.0") == true)
      let last = try #require(events.last { $0.kind == "status" })
      #expect(last.content["waitingEdits"] as? Int == before + 1)
    }
  }

  @Test func `changes and notifications that came meanwhile are read after one id`() async throws {
    try await RunningAgent.with { agent in
      // The first words of a broker begin a log of the account.
      try await agent.hear([RunningAgent.change(1)])
      let first = try await Self.events(of: agent, until: [""])
      let start = try #require(first.first?.id)
      #expect(start.hasSuffix(".1"))
      _ = try await agent.ask(.POST, "/v1/contacts", #"{"firstName":"Amy"}"#)
      try await agent.hear([RunningAgent.change(2, name: "s"), RunningAgent.change(3, name: "t")])
      let events = try await Self.events(
        of: agent, after: start, until: ["change", "notification", "notification"])
      let kinds = events.map(\.kind).filter { ["change", "notification"].contains($0) }
      #expect(kinds == ["change", "notification", "notification"])
      let last = try #require(events.last { $0.kind == "notification" }?.id)
      #expect(last.hasSuffix(".3"))
      let rest = try await Self.events(of: agent, after: last, until: ["change"], meanwhile: "Bea")
      #expect(rest.filter { $0.kind == "notification" }.isEmpty, "they are not repeated")
      #expect(rest.first { $0.kind == "change" }?.content["name"] as? String == "Bea")
    }
  }

  @Test(arguments: ["5", "x", "00ab-5", "00ab-5.", "00ab-5.x", "00ab-5.1.2", "5.1", ""])
  func `what is no id of this stream is refused`(id: String) async throws {
    try await RunningAgent.with { agent in
      let answer = try await agent.ask(.GET, "/v1/events/all", headers: ["Last-Event-ID": id])
      #expect(answer.code == "invalidArguments")
    }
  }

  @Test func `an id of another log is answered with a reset`() async throws {
    try await RunningAgent.with { agent in
      let events = try await Self.events(
        of: agent, after: "0123456789abcdef-3.7", until: ["reset"])
      #expect(events[0].kind == "reset" && events[0].content["reason"] as? String == "otherLog")
      #expect(events[0].id?.hasSuffix("-10.0") == true)
    }
  }

  @Test func `a broker that is silent for longer is no new status`() {
    var first = StatusView(state: "offline")
    first.brokerAnswer = StatusView.BrokerAnswer(state: "missing", seconds: 8, sentence: "8 s.")
    first.connectionError = "8 s."
    var second = first
    second.brokerAnswer = StatusView.BrokerAnswer(state: "missing", seconds: 9, sentence: "9 s.")
    second.connectionError = "9 s."
    #expect(!second.differs(from: first))
    second.brokerAnswer = StatusView.BrokerAnswer(state: "slow", seconds: 9, sentence: "9 s.")
    #expect(second.differs(from: first))
  }

  @Test func `the status is read less often after a long reading`() {
    let pause = StatusPause()
    let shortest = pause.duration
    #expect(pause.measure { 7 } == 7)
    #expect(pause.duration >= shortest)
    pause.measure { _ = usleep(30_000) }
    #expect(pause.duration >= .milliseconds(300))
  }

  @Test func `streams that end leave room for others`() async throws {
    try await RunningAgent.with { agent in
      for _ in 0..<200 { _ = try await Self.events(of: agent, until: [""]) }
      let answer = try await agent.ask(.GET, "/v1/status")
      #expect(answer.status == 200)
    }
  }
}
