// What a device says while its disk takes nothing.

import Foundation
import NIOHTTP1
import Records
import Testing

@testable import AgentDaemon
@testable import DeviceDriver

@Suite("J9 a disk that fails is named", .timeLimit(.minutes(5)))
struct StoreFailureTests {
  @Test func `a full disk is named in the status, and by what needs the broker`() async throws {
    try await RunningAgent.with { agent in
      await agent.driver.act { _ in throw StoreError(.full, "Full.") }
      let status = try await agent.ask(.GET, "/v1/status").json
      let warnings = status["warnings"] as? [String] ?? []
      #expect(warnings.contains { $0.contains("disk is full") })
      #expect((status["accountSentence"] as? String)?.contains("disk is full") == true)
      let accounts = try await agent.ask(.GET, "/v1/accounts?name=bob")
      #expect(accounts.status == 507)
    }
  }

  @Test func `a disk that works is not named`() async throws {
    try await RunningAgent.with { agent in
      let status = try await agent.ask(.GET, "/v1/status").json
      #expect((status["warnings"] as? [String]) == [])
      #expect((status["accountSentence"] as? String)?.contains("disk") == false)
    }
  }
}
