import NIOHTTP1
import Testing

@testable import AgentDaemon

@Suite("Z6 requests to share a group")
struct ShareRoutesTests {
  @Test(arguments: [
    (#"{"anyone":"all"}"#, "anyone"), (#"{"permission":"none"}"#, "permission"),
    (#"{"anyone":"none","permission":"write"}"#, "permission"),
    (#"{"expiresSeconds":0}"#, "expiresSeconds"),
    (#"{"expiresSeconds":3155760001}"#, "expiresSeconds"), (#"{"uses":0}"#, "uses"),
    (#"{"uses":1000001}"#, "uses"),
  ])
  func `an invalid value is rejected before anything is shared`(
    body: String, field: String
  ) async throws {
    // Without a broker, a valid request fails with serviceUnavailable.
    try await RunningAgent.with { agent in
      let answer = try await agent.ask(.POST, "/v1/groups/Contacts/share", body)
      #expect(answer.status == 400 && answer.code == "invalidArguments", "\(answer.json)")
      let error = answer.json["error"] as? [String: Any]
      #expect(error?["field"] as? String == field)
    }
  }
}
