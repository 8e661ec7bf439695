import NIOCore
import NIOHTTP1
import Processes
import Testing

@Suite("HTTP client of the tests", .timeLimit(.minutes(5)))
struct HTTPTestClientTests {
  private static func client(
    of server: OtherServer, silenceMaximum: TimeAmount = .seconds(120)
  ) throws -> HTTPTestClient {
    try HTTPTestClient(
      origin: "http://127.0.0.1:\(server.port)", silenceMaximum: silenceMaximum)
  }

  @Test func `a server that sends nothing is reported`() async throws {
    let server = try OtherServer(answer: nil)
    let client = try Self.client(of: server, silenceMaximum: .seconds(2))
    await #expect(throws: HTTPTestFailure.silent(.seconds(2))) {
      try await client.send(HTTPTestRequest(.GET, "/"))
    }
  }

  @Test func `a response that ends too early is reported`() async throws {
    let server = try OtherServer(answer: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")
    let response = try await Self.client(of: server).send(HTTPTestRequest(.GET, "/"))
    #expect(response.status == .ok)
    await #expect(throws: HTTPTestFailure.closed) { try await response.body.collect(upTo: 9) }
  }

  @Test func `a body can be sent in chunks`() async throws {
    try await RunningAgent.with { agent in
      var request = HTTPTestRequest(.POST, "/v1/contacts")
      request.chunks = [#"{"first"#, #"Name":"Amy"}"#].map { ByteBuffer(string: $0) }
      let response = try await HTTPTestClient(socket: agent.socket).send(request)
      #expect(response.status == .created)
      _ = try await response.body.collect(upTo: 1 << 16)
      #expect(try await agent.ask(.GET, "/v1/contacts?q=Amy").list("contacts").count == 1)
    }
  }
}
