// The drafts of the web page, as the page stores and reads them.

import AgentStore
import DeviceStore
import Foundation
import NIOHTTP1
import Records
import Testing

@testable import AgentDaemon

@Suite("N4 routes of drafts", .timeLimit(.minutes(5)))
struct DraftRoutesTests {
  /// The body of a draft of a contact.
  private func body(
    _ incarnation: String, sequence: Int = 1, target: String? = nil, note: String = "Half",
    base: [String: String] = [:], replaces: [String: any Sendable]? = nil
  ) throws -> String {
    var form: [String: Any] = [
      "incarnation": incarnation, "kind": "contact", "title": "Ada", "address": "/new",
      "sequence": sequence, "base": base, "texts": base.merging(["note": note]) { $1 },
    ]
    form["target"] = target
    form["replaces"] = replaces
    return String(decoding: try JSONSerialization.data(withJSONObject: form), as: UTF8.self)
  }

  private func incarnation(_ agent: RunningAgent) async throws -> String {
    try #require(try await agent.ask(.GET, "/v1/drafts").json["incarnation"] as? String)
  }

  private func notes(_ agent: RunningAgent) async throws -> [String?] {
    try await agent.ask(.GET, "/v1/drafts").list("drafts").map {
      ($0["texts"] as? [String: String])?["note"]
    }
  }

  private func reason(_ answer: RunningAgent.Answer) -> String? {
    (answer.json["error"] as? [String: Any])?["reason"] as? String
  }

  @Test func `a draft survives a restart of the agent`() async throws {
    let database = try DeviceDatabase.inMemory()
    var before = ""
    try await RunningAgent.with(database: database) { agent in
      before = try await incarnation(agent)
      #expect(try await agent.ask(.PUT, "/v1/drafts/a", body(before)).status == 204)
      #expect(try await agent.ask(.GET, "/v1/status").json["drafts"] as? Int == 1)
    }
    try await RunningAgent.with(database: database) { agent in
      let after = try await incarnation(agent)
      #expect(after == before)
      #expect(try await notes(agent) == ["Half"])
      #expect(try await agent.ask(.DELETE, "/v1/drafts/a?sequence=1").status == 204)
      #expect(try await notes(agent).isEmpty)
    }
  }

  @Test func `the page needs its session for drafts, as for everything`() async throws {
    try await RunningAgent.with { agent in
      let page = try await WebPage(of: agent)
      let list = try await page.ask(.GET, "/v1/drafts")
      let draft = try body(try #require(list.json["incarnation"] as? String))
      #expect(try await page.send(.GET, "/v1/drafts").status == 401)
      #expect(try await page.send(.PUT, "/v1/drafts/a", draft).status == 401)
      #expect(
        try await page.send(.DELETE, "/v1/drafts/a", nil, ["Cookie": page.cookie]).status == 401)
      let other = ["Origin": "http://127.0.0.1:1"]
      #expect(try await page.ask(.PUT, "/v1/drafts/a", draft, headers: other).status == 403)
      #expect(try await page.ask(.PUT, "/v1/drafts/a", draft).status == 204)
      #expect(try await notes(agent) == ["Half"])
    }
  }

  @Test func `a continued draft is replaced, and what is written meanwhile stays`() async throws {
    try await RunningAgent.with { agent in
      let list = try await incarnation(agent)
      _ = try await agent.ask(.PUT, "/v1/drafts/a", body(list, note: "One"))
      let old: [String: any Sendable] = ["id": "a", "sequence": 1]
      _ = try await agent.ask(.PUT, "/v1/drafts/b", body(list, note: "Two", replaces: old))
      #expect(try await notes(agent) == ["Two"])
      _ = try await agent.ask(.PUT, "/v1/drafts/a", body(list, sequence: 2, note: "Three"))
      #expect(Set(try await notes(agent)) == ["Two", "Three"])
      let stale = try await agent.ask(.DELETE, "/v1/drafts/a?sequence=1")
      #expect(stale.code == "serverRecordChanged")
    }
  }

  @Test func `a draft without room and a draft that is none are refused with a reason`()
    async throws
  {
    try await RunningAgent.with { agent in
      let list = try await incarnation(agent)
      let long = String(repeating: "x", count: DraftTable.draftBytesMaximum)
      let large = try await agent.ask(.PUT, "/v1/drafts/a", body(list, note: long))
      #expect(large.status == 413 && reason(large) == "draftTooLarge")
      for number in 1...DraftTable.draftsMaximum {
        _ = try await agent.ask(.PUT, "/v1/drafts/\(number)", body(list))
      }
      let more = try await agent.ask(.PUT, "/v1/drafts/more", body(list))
      #expect(more.status == 413 && reason(more) == "draftsFull")
      for wrong in ["", "{}", try body(list, sequence: -1)] {
        #expect(try await agent.ask(.PUT, "/v1/drafts/1", wrong).status == 400)
      }
      let kind = try body(list).replacing("\"contact\"", with: "\"poem\"")
      #expect(try await agent.ask(.PUT, "/v1/drafts/1", kind).status == 400)
      let name = String(repeating: "n", count: 2_000)
      #expect(try await agent.ask(.PUT, "/v1/drafts/\(name)", body(list)).status == 413)
    }
  }

  @Test func `sign-out asks about drafts, and the next account sees none of them`() async throws {
    try await RunningAgent.with { agent in
      let list = try await incarnation(agent)
      _ = try await agent.ask(.PUT, "/v1/drafts/a", body(list))
      let discard = #"{"discard":true}"#
      let refused = try await agent.ask(.POST, "/v1/signout", discard)
      #expect(refused.status == 422 && reason(refused) == "unsavedDrafts")
      #expect(try await notes(agent) == ["Half"])
      let all = #"{"discard":true,"discardDrafts":true}"#
      #expect(try await agent.ask(.POST, "/v1/signout", all).status == 204)
      // A page that is still open sends what was typed before.
      let late = try body(list, sequence: 2)
      #expect(reason(try await agent.ask(.PUT, "/v1/drafts/a", late)) == "draftsRemoved")
      _ = try await agent.ask(.POST, "/v1/signin", #"{"account":"ada"}"#)
      #expect(reason(try await agent.ask(.PUT, "/v1/drafts/a", late)) == "draftsRemoved")
      #expect(try await notes(agent).isEmpty)
      #expect(try await incarnation(agent) != list)
    }
  }

  @Test func `H3 after the loss of a group a draft has only what was typed`() async throws {
    try await RunningAgent.with { agent in
      try await agent.tell(of: [("zelda", ["firstName": .string("Zelda")])], isWritable: true)
      let list = try await incarnation(agent)
      let id = RunningAgent.id("zelda", in: RunningAgent.rowing)
      let draft = try body(list, target: id, note: "Mine", base: ["firstName": "Zelda"])
      #expect(try await agent.ask(.PUT, "/v1/drafts/a", draft).status == 204)
      try await agent.loseRowing()
      let stored = try #require(try await agent.ask(.GET, "/v1/drafts").list("drafts").first)
      #expect(stored["texts"] as? [String: String] == ["note": "Mine"])
      #expect(stored["base"] as? [String: String] == [:])
    }
  }
}
