// Subscriptions, notifications and permissions as scripts ask for them.

import Foundation
import NIOCore
import NIOHTTP1
import Processes
import Testing

@testable import AgentDaemon

@Suite("K4, B2 subscriptions over HTTP", .timeLimit(.minutes(5)))
struct SubscriptionRoutesTests {
  @Test func `one is saved, listed, shown, sent back unchanged and deleted`() async throws {
    try await RunningAgent.with { agent in
      let saved = try await agent.ask(
        .POST, "/v1/subscriptions",
        #"""
        {"id": "acme", "type": "Contact", "where": "company == %@", "arguments": ["Acme"],
         "on": ["created", "updated"], "once": true, "echo": true, "title": "{firstName}",
         "alert": "works at Acme", "badge": true, "keys": ["company"], "collapseKey": "k",
         "run": "cat"}
        """#)
      #expect(saved.status == 201)
      #expect(saved.headers.first(name: "location") == "/v1/subscriptions/acme")
      #expect(saved.json["state"] as? String == "saving" && saved.json["once"] as? Bool == true)
      #expect(saved.json["on"] as? [String] == ["created", "updated"])
      #expect(saved.json["arguments"] as? [String] == ["Acme"])
      #expect(
        saved.json["run"] as? String == "cat" && saved.json["database"] as? String == "private")
      let again = try JSONSerialization.data(withJSONObject: saved.json)
      let repeated = try await agent.ask(
        .POST, "/v1/subscriptions", String(decoding: again, as: UTF8.self))
      #expect(NSDictionary(dictionary: repeated.json) == NSDictionary(dictionary: saved.json))
      let list = try await agent.ask(.GET, "/v1/subscriptions").list("subscriptions")
      #expect(list.map { $0["id"] as? String } == ["acme"])
      #expect(try await agent.ask(.GET, "/v1/status").json["waitingEdits"] as? Int ?? 0 > 0)
      #expect(try await agent.ask(.DELETE, "/v1/subscriptions/acme").status == 204)
      #expect(try await agent.ask(.DELETE, "/v1/subscriptions/acme").code == "unknownItem")
      #expect(try await agent.ask(.GET, "/v1/subscriptions/acme").status == 404)
    }
  }

  @Test func `without an id one is made; without a condition all of a group or type is meant`()
    async throws
  {
    try await RunningAgent.with { agent in
      let group = try await agent.ask(.POST, "/v1/groups", #"{"title": "Club"}"#)
      let whole = try await agent.ask(
        .POST, "/v1/subscriptions", #"{"group": "Club", "thisDevice": true}"#)
      #expect(whole.json["group"] as? String == group.json["id"] as? String)
      #expect(whole.json["type"] is NSNull && whole.json["where"] is NSNull)
      #expect(whole.json["device"] as? String == "laptop")
      let typed = try await agent.ask(.POST, "/v1/subscriptions", #"{"type": "Contact"}"#)
      let ids = [whole, typed].compactMap { $0.json["id"] as? String }
      #expect(ids.allSatisfy { $0.hasPrefix("sub-") && $0.count == 12 } && Set(ids).count == 2)
    }
  }

  @Test(
    arguments: [
      (#"{"type": "Contact", "where": "company === 'Acme'"}"#, "where", 11),
      (#"{"type": "Contact", "where": "a == 1", "title": "a {b"}"#, "title", 3),
      (#"{"type": "Contact", "where": "a == 1", "alert": "{"}"#, "alert", 1),
      (#"{"type": "Contact", "where": "born < now()"}"#, "where", nil),
      (#"{"type": "contact"}"#, "type", nil), (#"{"where": "a == 1"}"#, "type", nil),
      (#"{"on": []}"#, "on", nil), (#"{"on": ["changed"]}"#, "on", nil),
      (#"{"silent": true, "alert": "x"}"#, "silent", nil), (#"{"wher": "a == 1"}"#, "wher", nil),
      (#"{"database": "mine"}"#, "database", nil),
      (#"{"database": "shared", "group": "Contacts"}"#, "database", nil),
      (#"{"id": "_x"}"#, "id", nil), (#"{"run": ""}"#, "run", nil),
    ] as [(String, String, Int?)])
  func `an invalid request is rejected with its key and the column`(
    body: String, field: String, column: Int?
  ) async throws {
    try await RunningAgent.with { agent in
      let answer = try await agent.ask(.POST, "/v1/subscriptions", body)
      #expect(answer.status == 400)
      let error = answer.json["error"] as? [String: Any]
      #expect(error?["field"] as? String == field, "\(error ?? [:])")
      #expect(error?["column"] as? Int == column)
      #expect(try await agent.ask(.GET, "/v1/subscriptions").list("subscriptions").isEmpty)
    }
  }

  @Test func `notifications are listed behind a number, seen, and leave the badge`() async throws {
    try await RunningAgent.with { agent in
      try await agent.hear(try (1...3).map { try RunningAgent.change($0, name: "r\($0)") })
      let all = try await agent.ask(.GET, "/v1/notifications")
      #expect(all.list("notifications").map { $0["seq"] as? Int } == [1, 2, 3])
      #expect(all.json["badge"] as? Int == 3 && all.json["last"] as? Int == 3)
      let first = all.list("notifications").first ?? [:]
      #expect(first["reason"] as? String == "created")
      #expect(first["id"] as? String == RunningAgent.id("r1", in: RunningAgent.zone))
      #expect((first["fields"] as? [String: String]) == ["company": "Acme"])
      #expect(first["title"] as? String == "news" && first["local"] as? Bool == false)
      let behind = try await agent.ask(.GET, "/v1/notifications?since=2")
      #expect(behind.list("notifications").map { $0["seq"] as? Int } == [3])
      let seen = try await agent.ask(.POST, "/v1/notifications/seen", #"{"through": 2}"#)
      #expect(seen.json["badge"] as? Int == 1)
      #expect(try await agent.ask(.GET, "/v1/status").json["badge"] as? Int == 1)
      for number in ["-1", "9007199254740992"] {
        let refused = try await agent.ask(
          .POST, "/v1/notifications/seen", #"{"through": \#(number)}"#)
        #expect(refused.status == 400 && refused.code == "invalidArguments", "\(number)")
      }
      let rest = try await agent.ask(.POST, "/v1/notifications/seen", "{}")
      #expect(rest.json["badge"] as? Int == 0)
      #expect(try await agent.ask(.GET, "/v1/notifications?since=-1").status == 400)
      #expect(try await agent.ask(.GET, "/v1/notifications?limit=0").status == 400)
    }
  }

  @Test func `the stream goes on behind a number and tells what comes`() async throws {
    try await RunningAgent.with { agent in
      try await agent.hear([try RunningAgent.change(1), try RunningAgent.change(2, name: "b")])
      let response = try await agent.open(
        .GET, "/v1/notifications/events", headers: ["last-event-id": "1"])
      var text = ""
      let body = response.body.makeAsyncIterator()
      while !text.contains("-2\nevent"), let buffer = try await body.next() {
        text += String(buffer: buffer)
      }
      #expect(text.contains("-1\n: ready\n\n") && !text.contains(#""seq":1,"#))
      #expect(text.contains("event: notification"))
      try await agent.hear([try RunningAgent.change(3, name: "c")])
      while !text.contains("-3\nevent"), let buffer = try await body.next() {
        text += String(buffer: buffer)
      }
      #expect(text.contains(#""id":"\#(RunningAgent.id("c", in: RunningAgent.zone))""#))
    }
  }

  @Test func `leave is asked for once and remembered`() async throws {
    try await RunningAgent.with { agent in
      let path = "/v1/permissions/notifications"
      #expect(try await agent.ask(.GET, path).json["state"] as? String == "ask")
      #expect(try await agent.ask(.PUT, path, #"{"state": "ask"}"#).status == 400)
      #expect(try await agent.ask(.PUT, path, #"{"state": "allow"}"#).status == 200)
      #expect(try await agent.ask(.GET, path).json["state"] as? String == "allow")
      let list = try await agent.ask(.GET, "/v1/permissions").list("permissions")
      #expect(list.map { $0["state"] as? String } == ["allow", "ask"])
      #expect(try await agent.ask(.GET, "/v1/permissions/everything").status == 404)
    }
  }
}
