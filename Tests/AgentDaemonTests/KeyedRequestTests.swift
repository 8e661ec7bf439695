// Changes that a client sends twice under one key, because it lost the first answer.

import Foundation
import NIOHTTP1
import Records
import TestTiers
import Testing

@testable import AgentDaemon

@Suite("I11 a change is made once per Idempotency-Key", .timeLimit(.minutes(5)))
struct KeyedRequestTests {
  static let key = ["Idempotency-Key": "4F1C6B0E-0001"]

  @Test func `a contact that is added twice under one key is one contact`() async throws {
    try await RunningAgent.with { agent in
      let body = #"{"firstName":"Amy","phones":[{"value":"1"}]}"#
      let first = try await agent.ask(.POST, "/v1/contacts", body, headers: Self.key)
      let second = try await agent.ask(.POST, "/v1/contacts", body, headers: Self.key)
      #expect(first.status == 201 && second.status == 201)
      #expect(first.json["id"] as? String == second.json["id"] as? String)
      #expect(first.headers.first(name: "idempotency-replayed") == nil)
      #expect(second.headers.first(name: "idempotency-replayed") == "true")
      #expect(second.headers.first(name: "undo-action") != nil)
      #expect(try await agent.ask(.GET, "/v1/contacts?q=Amy").list("contacts").count == 1)
    }
  }

  @Test func `many at once under one key are one contact`() async throws {
    try await RunningAgent.with { agent in
      let answers = try await withThrowingTaskGroup(of: String.self) { tasks in
        for _ in 0..<20 {
          tasks.addTask {
            let body = #"{"firstName":"Amy"}"#
            let answer = try await agent.ask(.POST, "/v1/contacts", body, headers: Self.key)
            return answer.json["id"] as? String ?? "status \(answer.status)"
          }
        }
        return try await tasks.reduce(into: Set<String>()) { $0.insert($1) }
      }
      #expect(answers.count == 1)
      #expect(try await agent.ask(.GET, "/v1/contacts?q=Amy").list("contacts").count == 1)
    }
  }

  @Test func `an entry, a group, an undo and a deletion are made once under their keys`()
    async throws
  {
    try await RunningAgent.with { agent in
      func twice(
        _ method: HTTPMethod, _ path: String, _ body: String?, _ key: String
      ) async throws -> [Int] {
        var statuses: [Int] = []
        for _ in 0..<2 {
          let answer = try await agent.ask(
            method, path, body, headers: ["Idempotency-Key": key])
          statuses.append(answer.status)
        }
        return statuses
      }
      let path = "/v1/contacts/bundled-1-01"
      let before = try await agent.ask(.GET, path).list("phones").count
      let phone = #"{"phones":[{"label":"boat","value":"7"}]}"#
      #expect(try await twice(.PATCH, path, phone, "a") == [200, 200])
      #expect(try await agent.ask(.GET, path).list("phones").count == before + 1)
      #expect(try await twice(.POST, "/v1/groups", #"{"title":"Rowing"}"#, "b") == [201, 201])
      let groups = try await agent.ask(.GET, "/v1/groups").list("groups")
      #expect(groups.filter { $0["title"] as? String == "Rowing" }.count == 1)
      let actions = try await agent.ask(.GET, "/v1/actions").list("actions").count
      #expect(try await twice(.POST, "/v1/undo", "{}", "c") == [200, 200])
      let after = try await agent.ask(.GET, "/v1/actions").list("actions")
      #expect(after.count == actions + 1, "the second one undid what came before")
      #expect(try await twice(.DELETE, path, nil, "d") == [204, 204])
      #expect(try await agent.ask(.GET, path).status == 404)
    }
  }

  @Test func `another request under the same key is refused`() async throws {
    try await RunningAgent.with { agent in
      let first = #"{"firstName":"Amy"}"#
      #expect(
        try await agent.ask(.POST, "/v1/contacts", first, headers: Self.key).status == 201)
      for (path, body) in [
        ("/v1/contacts", #"{"firstName":"Bea"}"#), ("/v1/contacts?profile=standard", first),
        ("/v1/groups", #"{"title":"Amy"}"#),
      ] {
        let other = try await agent.ask(.POST, path, body, headers: Self.key)
        #expect(other.status == 400 && other.code == "invalidArguments")
      }
      #expect(try await agent.ask(.GET, "/v1/contacts?q=Bea").list("contacts").isEmpty)
    }
  }

  @Test func `a request that was refused may be sent again under its key`() async throws {
    try await RunningAgent.with { agent in
      let refused = try await agent.ask(.POST, "/v1/contacts", "{}", headers: Self.key)
      #expect(refused.status >= 400)
      let body = #"{"firstName":"Amy"}"#
      #expect(try await agent.ask(.POST, "/v1/contacts", body, headers: Self.key).status == 201)
    }
  }

  @Test(arguments: ["", String(repeating: "k", count: 256), "two words", "Ã…"])
  func `what is no key is refused`(key: String) async throws {
    try await RunningAgent.with { agent in
      let answer = try await agent.ask(
        .POST, "/v1/groups", #"{"title":"Rowing"}"#, headers: ["Idempotency-Key": key])
      #expect(answer.status == 400)
    }
  }

  @Test(.onlyInCheck) func `of the keys the last thousand are kept`() async throws {
    try await RunningAgent.with { agent in
      for number in 0...1000 {
        let body = #"{"note":"\#(number)"}"#
        let answer = try await agent.ask(
          .PATCH, "/v1/contacts/bundled-1-01", body, headers: ["Idempotency-Key": "k\(number)"])
        #expect(answer.status == 200)
      }
      func replayed(_ number: Int) async throws -> Bool {
        let answer = try await agent.ask(
          .PATCH, "/v1/contacts/bundled-1-01", #"{"note":"\#(number)"}"#,
          headers: ["Idempotency-Key": "k\(number)"])
        return answer.headers.first(name: "idempotency-replayed") != nil
      }
      #expect(try await replayed(1))
      #expect(try await !replayed(0))
    }
  }
}
