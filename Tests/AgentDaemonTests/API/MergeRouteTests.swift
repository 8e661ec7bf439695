import Foundation
import NIOHTTP1
import Testing

@testable import AgentDaemon

@Suite("C7 merging two contacts", .timeLimit(.minutes(5)))
struct MergeRouteTests {
  private func add(_ body: String, to agent: RunningAgent) async throws -> String {
    try #require(try await agent.ask(.POST, "/v1/contacts", body).json["id"] as? String)
  }

  @Test func `a dry run says what the merge gives, and changes nothing`() async throws {
    try await RunningAgent.with { agent in
      let kept = try await add(
        #"{"firstName":"Tove","company":"Works","phones":[{"value":"+46 70 555 12 34"}]}"#,
        to: agent)
      let given = try await add(
        #"{"firstName":"Tove","company":"Other","phones":[{"value":"070-555 12 34"}],"emails":[{"value":"a@b.c"}]}"#,
        to: agent)
      let body = #"{"with":"\#(given)"}"#
      let before = try await agent.ask(.GET, "/v1/contacts/\(kept)").json
      let preview = try await agent.ask(.POST, "/v1/contacts/\(kept)/merge?dryRun=true", body)
      #expect(preview.status == 200 && preview.headers.first(name: "undo-action") == nil)
      let expected = try #require(preview.json["contact"] as? [String: Any])
      #expect((expected["phones"] as? [Any])?.count == 1)
      let now = try await agent.ask(.GET, "/v1/contacts/\(kept)").json
      #expect(NSDictionary(dictionary: now) == NSDictionary(dictionary: before))
      #expect(try await agent.ask(.GET, "/v1/contacts/\(given)").status == 200)

      let merged = try await agent.ask(.POST, "/v1/contacts/\(kept)/merge", body).json
      #expect(merged["contact"] is NSNull)
      #expect(merged["moved"] as? NSArray == preview.json["moved"] as? NSArray)
      let after = try await agent.ask(.GET, "/v1/contacts/\(kept)").json
      for key in ["firstName", "company", "note", "phones", "emails"] {
        #expect(after[key] as? NSObject == expected[key] as? NSObject, "\(key)")
      }
    }
  }

  @Test func `a contact cannot be merged with itself, also in a dry run`() async throws {
    try await RunningAgent.with { agent in
      let id = try await add(#"{"firstName":"Tove"}"#, to: agent)
      for query in ["", "?dryRun=true"] {
        let answer = try await agent.ask(
          .POST, "/v1/contacts/\(id)/merge\(query)", #"{"with":"\#(id)"}"#)
        #expect(answer.status == 400)
      }
    }
  }
}
