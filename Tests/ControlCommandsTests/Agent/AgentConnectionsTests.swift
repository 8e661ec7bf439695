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
  private let directory: TemporaryDirectory
  private let listener: UnixListener
  private let connections: AgentConnections

  init() throws {
    directory = try TemporaryDirectory()
    listener = try UnixListener(path: directory.file("s"))
    connections = AgentConnections(path: directory.file("s"))
  }

  private func accepted() async throws -> UnixSocket {
    try await Patience.wait(for: "a connection") { listener.accept() }
  }

  /// Reads from `socket` until what arrived ends with `end`.
  private func request(on socket: UnixSocket, until end: String = "\r\n\r\n") async throws -> String
  {
    var text = ""
    try await Patience.wait(until: "a request that ends with \(end)") {
      text += String(decoding: try #require(socket.receiveSome()), as: UTF8.self)
      return !text.isEmpty && text.hasSuffix(end)
    }
    return text
  }

  private func send(_ text: String, on socket: UnixSocket) async throws {
    var rest = Array(text.utf8)[...]
    try await Patience.wait(until: "the peer to read") {
      rest = rest.dropFirst(try #require(socket.sendSome(rest)))
      return rest.isEmpty
    }
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
    let socket = try await accepted()
    _ = try await request(on: socket)
    try await send("HTTP/1.1 200 OK\r\ncontent-length: 999999999\r\n\r\n", on: socket)
    response = try await pending
    return socket
  }

  @Test func `a response in parts is one reply, and the connection is used again`() async throws {
    let client = connections
    async let first = client.get("/v1/a?b=c")
    let socket = try await accepted()
    #expect(try await request(on: socket) == "GET /v1/a?b=c HTTP/1.1\r\n\r\n")
    try await send("HTTP/1.1 200 OK\r\ncontent-le", on: socket)
    try await send("ngth: 6\r\n\r\nabc", on: socket)
    try await send("def", on: socket)
    #expect(try await first == "200 abcdef")
    async let second = client.get("/v1/d")
    #expect(try await request(on: socket).hasPrefix("GET /v1/d "))
    try await send("HTTP/1.1 404 Not Found\r\ntransfer-encoding: chunked\r\n\r\n", on: socket)
    try await send("1\r\nx\r\n2\r\nyz\r\n0\r\n\r\n", on: socket)
    #expect(try await second == "404 xyz")
    #expect(listener.accept() == nil)
    await connections.close()
  }

  @Test func `the connection that was prepared carries the first request`() async throws {
    let client = connections
    connections.prepare()
    let socket = try await accepted()
    async let reply = client.get("/v1/a")
    #expect(try await request(on: socket).hasPrefix("GET /v1/a "))
    try await send("HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\na", on: socket)
    #expect(try await reply == "200 a")
    #expect(listener.accept() == nil)
    await connections.close()
  }

  @Test func `a connection that the agent closed is not used again`() async throws {
    let client = connections
    async let first = client.get("/v1/a")
    let socket = try await accepted()
    _ = try await request(on: socket)
    try await send("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 1\r\n\r\na", on: socket)
    #expect(try await first == "200 a")
    async let second = client.get("/v1/b")
    let other = try await accepted()
    _ = try await request(on: other)
    try await send("HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nb", on: other)
    #expect(try await second == "200 b")
    await connections.close()
  }

  @Test func `a connection on which something arrives without a request is not used`() async throws
  {
    let client = connections
    client.prepare()
    let socket = try await accepted()
    try await send("HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\n\r\n", on: socket)
    try await untilClosed(socket)
    async let reply = client.get("/v1/a")
    let other = try await accepted()
    _ = try await request(on: other)
    try await send("HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\na", on: other)
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
      agent: directory.file("s"), device: nil, environment: [:], userID: 7)
    let client = AgentClient(address: address)
    async let reply = client.get(.status)
    let socket = try await accepted()
    _ = try await request(on: socket)
    try await send(beginning, on: socket)
    socket.close()
    var failure: ControlFailure?
    do {
      _ = try await reply
    } catch {
      failure = error as? ControlFailure
    }
    await client.close()
    #expect(failure?.code == ErrorCode.serverResponseLost.rawValue)
    #expect(failure?.message == ControlFailure.answerLost().message)
  }

  @Test(arguments: [nil, "HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nab"])
  func `a response that does not end in time ends the connection`(beginning: String?) async throws {
    let client = connections
    async let reply = client.get("/v1/a", seconds: beginning == nil ? 0 : 1)
    let socket = try await accepted()
    if let beginning {
      _ = try await request(on: socket)
      // On a busy machine the time can be over before.
      try? await send(beginning, on: socket)
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
    let socket = try await accepted()
    _ = try await request(on: socket)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try await untilClosed(socket)
    await connections.close()
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
    try directory.write(Array(content.utf8), to: "cards")
    var upload = AgentRequest(.POST, "/v1/import")
    upload.body = .file(try FileChunks(path: directory.file("cards")))
    let file = upload
    async let pending = client.send(file, seconds: nil)
    let socket = try await accepted()
    let beginning = try await request(on: socket, until: "")
    try await send(
      "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\none\n\r\n", on: socket)
    let response = try await pending
    let iterator = response.body.makeAsyncIterator()
    #expect(try await iterator.next().map { String(buffer: $0) } == "one\n")
    let received = beginning + (try await request(on: socket, until: "\r\n0\r\n\r\n"))
    #expect(received.contains("transfer-encoding: chunked\r\n"))
    #expect(received.count > content.count)
    #expect(received.contains(content.prefix(65536)))
    try await send("0\r\n\r\n", on: socket)
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
    let body = try await response.body.collect(upTo: 1 << 20)
    return "\(response.head.status.code) " + String(decoding: body, as: UTF8.self)
  }
}
