// The client's side of HTTP, with a peer that sends what the test says.

import AgentAPI
import NIOCore
import NIOHTTP1
import Processes
import Records
import Testing

@testable import ControlCommands

@Suite("C1 connections to the agent", .timeLimit(.minutes(5)))
struct AgentConnectionsTests {
  private let peer: AgentPeer
  private let connections: AgentConnections

  init() throws {
    peer = try AgentPeer()
    connections = AgentConnections(path: peer.path)
  }

  private func untilClosed(_ socket: UnixSocket) async throws {
    try await Patience.wait(until: "the end of the connection") {
      guard let bytes = socket.receiveSome() else { return true }
      return bytes.isEmpty && socket.sendSome([UInt8(ascii: "x")]) == nil
    }
  }

  /// Begins a response with a long body. NB: `async let` holds its value until the scope ends.
  private func beginLong(_ response: inout AgentResponse?) async throws -> UnixSocket {
    let client = connections
    async let pending = client.send(AgentRequest(.GET, "/v1/a"), seconds: nil)
    let socket = try await peer.accepted()
    _ = try await peer.request(on: socket)
    try await peer.send("HTTP/1.1 200 OK\r\ncontent-length: 999999999\r\n\r\n", on: socket)
    response = try await pending
    return socket
  }

  @Test func `a response in parts is one reply, and the connection is used again`() async throws {
    let client = connections
    async let first = client.get("/v1/a?b=c")
    let socket = try await peer.accepted()
    #expect(try await peer.request(on: socket) == "GET /v1/a?b=c HTTP/1.1\r\n\r\n")
    try await peer.send("HTTP/1.1 200 OK\r\ncontent-le", on: socket)
    try await peer.send("ngth: 6\r\n\r\nabc", on: socket)
    try await peer.send("def", on: socket)
    #expect(try await first == "200 abcdef")
    async let second = client.get("/v1/d")
    #expect(try await peer.request(on: socket).hasPrefix("GET /v1/d "))
    try await peer.send("HTTP/1.1 404 Not Found\r\ntransfer-encoding: chunked\r\n\r\n", on: socket)
    try await peer.send("1\r\nx\r\n2\r\nyz\r\n0\r\n\r\n", on: socket)
    #expect(try await second == "404 xyz")
    #expect(peer.listener.accept() == nil)
    await connections.close()
  }

  @Test func `the connection that was prepared carries the first request`() async throws {
    let client = connections
    connections.prepare()
    let socket = try await peer.accepted()
    async let reply = client.get("/v1/a")
    #expect(try await peer.request(on: socket).hasPrefix("GET /v1/a "))
    try await peer.send("HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\na", on: socket)
    #expect(try await reply == "200 a")
    #expect(peer.listener.accept() == nil)
    await connections.close()
  }

  @Test func `a connection that the agent closed is not used again`() async throws {
    let client = connections
    async let first = client.get("/v1/a")
    let socket = try await peer.accepted()
    _ = try await peer.request(on: socket)
    try await peer.send(
      "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 1\r\n\r\na", on: socket)
    #expect(try await first == "200 a")
    async let second = client.get("/v1/b")
    let other = try await peer.accepted()
    _ = try await peer.request(on: other)
    try await peer.send("HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nb", on: other)
    #expect(try await second == "200 b")
    await connections.close()
  }

  @Test func `a connection on which something arrives without a request is not used`() async throws
  {
    let client = connections
    client.prepare()
    let socket = try await peer.accepted()
    try await peer.send("HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\n\r\n", on: socket)
    try await untilClosed(socket)
    async let reply = client.get("/v1/a")
    let other = try await peer.accepted()
    _ = try await peer.request(on: other)
    try await peer.send("HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\na", on: other)
    #expect(try await reply == "200 a")
    await client.close()
  }

  @Test(arguments: [
    "", "HTTP/1.1 200 OK\r\ncontent-le", "HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nab",
  ])
  func `a connection that breaks before the end of the response loses the answer`(
    beginning: String
  ) async throws {
    let address = try AgentAddress(
      agent: peer.path, device: nil, environment: [:], userID: 7)
    let client = AgentClient(address: address)
    async let reply = client.get(.status)
    let socket = try await peer.accepted()
    _ = try await peer.request(on: socket)
    try await peer.send(beginning, on: socket)
    socket.close()
    var failure: ControlFailure?
    do {
      _ = try await reply
    } catch {
      failure = error as? ControlFailure
    }
    await client.close()
    #expect(failure?.code == RecordsError.Code.serverResponseLost.rawValue)
    #expect(failure?.message == ControlFailure.answerLost().message)
  }

  @Test(arguments: [nil, "HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nab"])
  func `a response that does not end in time ends the connection`(beginning: String?) async throws {
    let client = connections
    async let reply = client.get("/v1/a", seconds: beginning == nil ? 0 : 1)
    let socket = try await peer.accepted()
    if let beginning {
      _ = try await peer.request(on: socket)
      // On a busy machine the time may be over, and the connection closed, before these bytes are sent.
      _ = socket.sendSome(Array(beginning.utf8)[...])
    }
    var isLate = false
    do {
      _ = try await reply
    } catch AgentExchange.Failure.deadlineExceeded {
      isLate = true
    }
    try await untilClosed(socket)
    await connections.close()
    #expect(isLate)
  }

  @Test func `a task that is cancelled while it waits ends, and the connection too`() async throws {
    let client = connections
    let task = Task { try await client.get("/v1/a") }
    let socket = try await peer.accepted()
    _ = try await peer.request(on: socket)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try await untilClosed(socket)
    await connections.close()
  }

  @Test func `a request that follows a response is sent before that response has ended`()
    async throws
  {
    let client = connections
    let first = try await client.begin(AgentRequest(.GET, "/v1/a"), seconds: nil)
    let socket = try await peer.accepted()
    _ = try await peer.request(on: socket)
    try await peer.send("HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nabc", on: socket)
    let response = try await client.response(to: first)
    let second = try await client.begin(
      AgentRequest(.GET, "/v1/b"), seconds: nil, following: response)
    #expect(try await peer.request(on: socket).hasPrefix("GET /v1/b "))
    try await peer.send("defHTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\ng", on: socket)
    #expect(try await response.text() == "abcdef")
    #expect(try await client.response(to: second).text() == "g")
    async let third = client.get("/v1/c")
    #expect(try await peer.request(on: socket).hasPrefix("GET /v1/c "))
    try await peer.send("HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nh", on: socket)
    #expect(try await third == "200 h")
    #expect(peer.listener.accept() == nil)
    await client.close()
  }

  @Test(arguments: ["", "connection: close\r\n"])
  func `one request follows a response on its connection, if that stays open`(
    header: String
  ) async throws {
    let client = connections
    let first = try await client.begin(AgentRequest(.GET, "/v1/a"), seconds: nil)
    let socket = try await peer.accepted()
    _ = try await peer.request(on: socket)
    try await peer.send(
      "HTTP/1.1 200 OK\r\n\(header)content-length: 2\r\n\r\na", on: socket)
    let response = try await client.response(to: first)
    let second = try await client.begin(
      AgentRequest(.GET, "/v1/b"), seconds: nil, following: response)
    let carrier = header.isEmpty ? socket : try await peer.accepted()
    #expect(try await peer.request(on: carrier).hasPrefix("GET /v1/b "))
    let third = try await client.begin(
      AgentRequest(.GET, "/v1/c"), seconds: nil, following: response)
    let other = try await peer.accepted()
    #expect(try await peer.request(on: other).hasPrefix("GET /v1/c "))
    withExtendedLifetime((second, third)) {}
    await client.close()
  }

  @Test func `a request whose response is not awaited ends its connection`() async throws {
    let client = connections
    var call: AgentCall? = try await client.begin(AgentRequest(.GET, "/v1/a"), seconds: nil)
    let socket = try await peer.accepted()
    _ = try await peer.request(on: socket)
    withExtendedLifetime(call) {}
    call = nil
    try await untilClosed(socket)
    await client.close()
  }

  @Test func `a response behind one of many bytes arrives when these are read`() async throws {
    let client = connections
    let first = try await client.begin(AgentRequest(.GET, "/v1/a"), seconds: nil)
    let socket = try await peer.accepted()
    _ = try await peer.request(on: socket)
    let byteCount = 4 * AgentExchange.unreadBytesMax
    try await peer.send("HTTP/1.1 200 OK\r\ncontent-length: \(byteCount)\r\n\r\n", on: socket)
    let response = try await client.response(to: first)
    let second = try await client.begin(
      AgentRequest(.GET, "/v1/b"), seconds: 300, following: response)
    _ = try await peer.request(on: socket)
    let text = String(repeating: "a", count: byteCount)
    let next = "HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nb"
    async let count = response.body.collect(upTo: byteCount).count
    // NB: all of it is sent only while the body is read.
    try await peer.send(text + next, on: socket)
    #expect(try await count == byteCount)
    #expect(try await client.response(to: second).text() == "b")
    await client.close()
  }

  @Test func `a connection that breaks loses the response and the one that follows`() async throws {
    let client = connections
    let first = try await client.begin(AgentRequest(.GET, "/v1/a"), seconds: nil)
    let socket = try await peer.accepted()
    _ = try await peer.request(on: socket)
    try await peer.send("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\na", on: socket)
    let response = try await client.response(to: first)
    let second = try await client.begin(
      AgentRequest(.GET, "/v1/b"), seconds: nil, following: response)
    _ = try await peer.request(on: socket)
    socket.close()
    await #expect(throws: AgentExchange.Failure.self) { try await response.text() }
    await #expect(throws: AgentExchange.Failure.self) { try await client.response(to: second) }
    await client.close()
  }

  @Test func `a body is read as fast as its reader takes it, and closed when it is dropped`()
    async throws
  {
    var response: AgentResponse?
    let socket = try await beginLong(&response)
    let block = [UInt8](repeating: 7, count: 1 << 16)[...]
    var sent = 0
    var pauses = 0
    try await Patience.wait(until: "the reader to be full") {
      let count = try #require(socket.sendSome(block))
      sent += count
      pauses = count == 0 ? pauses + 1 : 0
      return pauses == 20 || sent > 64 << 20
    }
    #expect(sent < 8 << 20)
    var read = 0
    var iterator = response?.body.makeAsyncIterator()
    while read < sent, let bytes = try await iterator?.next() { read += bytes.readableBytes }
    #expect(read == sent)
    #expect(try #require(socket.sendSome(block)) > 0)
    (response, iterator) = (nil, nil)
    try await untilClosed(socket)
    await connections.close()
  }

  @Test func `a file is sent in chunks, and its report may begin before its end`() async throws {
    let client = connections
    let content = String(repeating: "0123456789abcdef", count: 1 << 14)
    try peer.directory.write(Array(content.utf8), to: "cards")
    var upload = AgentRequest(.POST, "/v1/import")
    upload.body = .file(try FileChunks(path: peer.directory.file("cards")))
    let file = upload
    async let pending = client.send(file, seconds: nil)
    let socket = try await peer.accepted()
    let beginning = try await peer.request(on: socket, until: "")
    try await peer.send(
      "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\none\n\r\n", on: socket)
    let response = try await pending
    let iterator = response.body.makeAsyncIterator()
    #expect(try await iterator.next().map { String(buffer: $0) } == "one\n")
    let received = beginning + (try await peer.request(on: socket, until: "\r\n0\r\n\r\n"))
    #expect(received.contains("transfer-encoding: chunked\r\n"))
    #expect(received.count > content.count)
    #expect(received.contains(content.prefix(65536)))
    try await peer.send("0\r\n\r\n", on: socket)
    #expect(try await iterator.next() == nil)
    try await untilClosed(socket)
    await connections.close()
  }

  @Test func `a request that is meant to have a body states its length, even of none`() {
    #expect(AgentRequest(.POST, "/").head.headers.first(name: "content-length") == "0")
    #expect(AgentRequest(.GET, "/").head.headers.isEmpty)
    #expect(AgentRequest(.DELETE, "/").head.headers.isEmpty)
    var request = AgentRequest(.DELETE, "/")
    request.body = .bytes(ByteBuffer(string: "abc"))
    #expect(request.head.headers.first(name: "content-length") == "3")
  }
}

extension AgentConnections {
  /// Returns the status and the body of a response.
  fileprivate func get(_ target: String, seconds: Int64? = nil) async throws -> String {
    let response = try await send(AgentRequest(.GET, target), seconds: seconds)
    return try await "\(response.head.status.code) " + response.text()
  }
}

extension AgentResponse {
  fileprivate func text() async throws -> String {
    String(decoding: try await body.collect(upTo: 1 << 20), as: UTF8.self)
  }
}
