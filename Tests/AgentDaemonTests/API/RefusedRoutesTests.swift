// What the routes make of rejected edits.

import Foundation
import NIOHTTP1
import Records
import Testing

@testable import AgentDaemon

@Suite("routes of rejected edits")
struct RefusedRoutesTests {
  /// Changes a contact of Bob's group, which is then no longer shared. Returns the id of the rejected edit.
  private func reject(on agent: RunningAgent) async throws -> String {
    try await agent.tell(of: [("zelda", ["firstName": .string("Zelda")])], isWritable: true)
    let edit = try await agent.ask(.PATCH, "/v1/contacts/zelda", #"{"company":"Acme"}"#)
    #expect(edit.status == 200)
    try await agent.loseRowing()
    return try #require(try await rejected(agent).first)
  }

  /// The ids of the rejected edits.
  private func rejected(_ agent: RunningAgent) async throws -> [String] {
    try await agent.ask(.GET, "/v1/refused").list("refused").compactMap { $0["id"] as? String }
  }

  @Test func `a rejected edit that is applied again is in its new group, and leaves the list`()
    async throws
  {
    try await RunningAgent.with { agent in
      let id = try await reject(on: agent)
      let answer = try await agent.ask(.POST, "/v1/refused/\(id)", #"{"group":"Contacts"}"#)
      #expect(answer.status == 200, "\(answer.json)")
      let contact = try #require(answer.json["contact"] as? String)
      #expect(
        try await agent.ask(.GET, "/v1/contacts/\(contact)").json["company"] as? String == "Acme")
      #expect(try await rejected(agent).isEmpty)
    }
  }

  @Test func `a rejected edit that is discarded leaves the list`() async throws {
    try await RunningAgent.with { agent in
      let id = try await reject(on: agent)
      #expect(try await agent.ask(.DELETE, "/v1/refused/\(id)").status == 204)
      #expect(try await rejected(agent).isEmpty)
    }
  }

  @Test(arguments: [HTTPMethod.POST, .DELETE])
  func `an edit that is not in the list is not found, and the list stays`(
    method: HTTPMethod
  ) async throws {
    try await RunningAgent.with { agent in
      let id = try await reject(on: agent)
      for other in ["\(id)0", "none"] {
        let answer = try await agent.ask(
          method, "/v1/refused/\(other)", method == .POST ? "{}" : nil)
        #expect(answer.status == 404 && answer.code == "unknownItem", "\(answer.json)")
      }
      #expect(try await rejected(agent) == [id])
    }
  }
}
