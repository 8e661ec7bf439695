import HTTPTypes
import NIOHTTP1
import Testing

@testable import AgentDaemon

@Suite("methods of paths", .timeLimit(.minutes(5)))
struct AllowedMethodsTests {
  private let methods = AllowedMethods([
    ("/v1/groups", .get), ("/v1/groups", .post), ("/v1/groups/:id", .delete),
    ("/v1/groups/seen", .post), ("/v1/groups/{id}/share", .get),
  ])

  @Test func `a path has the methods of all its routes`() {
    #expect(methods.of("/v1/groups") == ["GET", "POST"])
    #expect(methods.of("/v1/groups/x") == ["DELETE"])
    #expect(methods.of("/v1/groups/seen") == ["POST"])
    #expect(methods.of("/v1/groups/x/share") == ["GET"])
  }

  @Test func `what is no path has none`() {
    for path in ["", "/", "/v1", "/v1/group", "/v1/groups/x/shares", "/v1/groups/x/share/y"] {
      #expect(methods.of(path) == nil, "\(path)")
    }
  }

  @Test(
    arguments: [
      (.PUT, "/v1/contacts", "GET, POST"), (.POST, "/v1/contacts/x", "DELETE, GET, PATCH, PUT"),
      (.DELETE, "/v1/status?x=1", "GET"), (.RAW(value: "TRACE"), "/v1/groups", "GET, POST"),
    ] as [(HTTPMethod, String, String)])
  func `another method is refused with the ones that there are`(
    method: HTTPMethod, path: String, allowed: String
  ) async throws {
    try await RunningAgent.with { agent in
      let answer = try await agent.ask(method, path)
      #expect(answer.status == 405)
      #expect(answer.headers.first(name: "allow") == allowed)
      #expect(answer.code == "invalidArguments")
    }
  }

  @Test func `a path that does not exist is not found, with any method`() async throws {
    try await RunningAgent.with { agent in
      for method in [HTTPMethod.GET, .POST, .DELETE] {
        let answer = try await agent.ask(method, "/v1/nothing/there")
        #expect(answer.status == 404 && answer.code == "unknownItem")
      }
    }
  }
}
