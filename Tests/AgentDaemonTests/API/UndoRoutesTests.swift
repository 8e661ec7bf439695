// Undo at a running agent: a whole history of actions is undone step by step, and each state of before
// comes back.

import Foundation
import NIOHTTP1
import PredicateWorld
import TestTiers
import Testing

@testable import AgentDaemon

@Suite("C7 undo over HTTP", .timeLimit(.minutes(5)))
struct UndoRoutesTests {
  /// The contacts by id, without what an undo does not restore: times and places in the list.
  private static func contacts(_ agent: RunningAgent) async throws -> [String: PlainContact] {
    let list = try await agent.ask(.GET, "/v1/contacts").list("contacts")
    return Dictionary(
      list.map { ($0["id"] as? String ?? "", PlainContact($0)) }
    ) { first, _ in first }
  }

  /// Adds, changes or deletes a contact. Returns the number of the action.
  private static func act(
    _ changes: inout ContactChanges, _ agent: RunningAgent
  ) async throws -> Int? {
    let contacts = try await contacts(agent)
    let number = changes.random.below(1000)
    let answer: RunningAgent.Answer
    let id = contacts.keys.sorted().first { _ in changes.random.percent(30) }
    switch (changes.random.below(3), id) {
    case (0, let id?):
      answer = try await agent.ask(.DELETE, "/v1/contacts/\(id)?acknowledged=true")
    case (1, let id?):
      answer = try await agent.ask(
        .PATCH, "/v1/contacts/\(id)", #"{"note":"n\#(number)-\#(contacts.count)"}"#)
    default:
      answer = try await agent.ask(
        .POST, "/v1/contacts", #"{"firstName":"K\#(number)","phones":[{"value":"\#(number)"}]}"#)
    }
    #expect(answer.status < 300)
    return try await agent.ask(.GET, "/v1/actions").list("actions").first?["id"] as? Int
  }

  @Test(arguments: 1...UInt64(TestTier.cases(3)))
  func `undone one by one, a history goes back through all its states`(
    seed: UInt64
  ) async throws {
    try await RunningAgent.with { agent in
      var changes = ContactChanges(random: SeededGenerator(seed: seed))
      var states: [[String: PlainContact]] = []
      var actions: [Int] = []
      for step in 0..<15 {
        states.append(try await Self.contacts(agent))
        let action = try await Self.act(&changes, agent)
        actions.append(try #require(action, "seed \(seed), step \(step)"))
      }
      #expect(actions == actions.sorted() && Set(actions).count == actions.count)
      for (action, state) in zip(actions, states).reversed() {
        let answer = try await agent.ask(.POST, "/v1/undo", "{}")
        #expect(answer.status == 200)
        let undone = answer.json["undone"] as? [String: Any]
        #expect(undone?["id"] as? Int == action, "seed \(seed)")
        #expect(answer.list("leftAlone").isEmpty, "seed \(seed)")
        #expect(try await Self.contacts(agent) == state, "seed \(seed), action \(action)")
      }
      let none = try await agent.ask(.POST, "/v1/undo", "{}")
      #expect(none.code == "unknownItem")
    }
  }

  @Test(arguments: [4, 5] as [UInt64])
  func `an undo is undone by its number, as often as one likes`(seed: UInt64) async throws {
    try await RunningAgent.with { agent in
      var changes = ContactChanges(random: SeededGenerator(seed: seed))
      for _ in 0..<8 { _ = try await Self.act(&changes, agent) }
      let after = try await Self.contacts(agent)
      var answer = try await agent.ask(.POST, "/v1/undo", "{}")
      let before = try await Self.contacts(agent)
      #expect(before != after)
      for round in 0..<6 {
        let number = try #require(answer.json["action"] as? Int)
        answer = try await agent.ask(.POST, "/v1/undo", #"{"action":\#(number)}"#)
        #expect(answer.status == 200)
        let isRedone = round % 2 == 0
        #expect(try await Self.contacts(agent) == (isRedone ? after : before), "seed \(seed)")
      }
      let actions = try await agent.ask(.GET, "/v1/actions").list("actions")
      let numbers = actions.compactMap { $0["id"] as? Int }
      #expect(numbers == numbers.sorted(by: >), "the newest first")
      #expect(actions.count == 15)
    }
  }

  @Test(arguments: [
    #"{"action":0}"#, #"{"action":-1}"#, #"{"action":9007199254740991}"#,
    #"{"action":9007199254740992}"#, #"{"action":1.5}"#, #"{"action":"1"}"#,
    #"{"action":99999999999999999999}"#, "[]", "x", "",
  ])
  func `a number that is no action undoes nothing`(body: String) async throws {
    try await RunningAgent.with { agent in
      _ = try await agent.ask(.POST, "/v1/contacts", #"{"firstName":"Ada"}"#)
      let before = try await Self.contacts(agent)
      let answer = try await agent.ask(.POST, "/v1/undo", body)
      #expect((400..<500).contains(answer.status), "\(body): \(answer.status)")
      #expect(try await Self.contacts(agent) == before)
    }
  }

  @Test func `several requests for one action are one undo`() async throws {
    try await RunningAgent.with { agent in
      let before = try await Self.contacts(agent)
      var action: String?
      for id in before.keys.sorted().prefix(4) {
        let answer = try await agent.ask(
          .DELETE,
          "/v1/contacts/\(id)?acknowledged=true" + (action.map { "&action=\($0)" } ?? ""))
        #expect(answer.status < 300)
        action = action ?? answer.headers.first(name: "undo-action")
      }
      #expect(try await Self.contacts(agent).count == before.count - 4)
      let answer = try await agent.ask(.POST, "/v1/undo", "{}")
      #expect(answer.list("setBack").count == 4)
      #expect(try await Self.contacts(agent) == before)
    }
  }
}
