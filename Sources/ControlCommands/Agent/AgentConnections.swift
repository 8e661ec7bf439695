// The connections of one run of the program. A connection is used again as soon as its response was read, because a list
// takes many requests. A request for the next page can be sent sooner, behind the response that named it.

import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// The connections to one agent, on one event loop thread.
final class AgentConnections: Sendable {
  private struct State {
    var group: MultiThreadedEventLoopGroup?
    var idle: [AgentConnection] = []
    /// The connection that `prepare` opens.
    var prepared: Task<AgentConnection, any Error>?
  }

  private let path: String
  private let state = Mutex(State())

  /// Prepares connections to the socket at `path`; the first request opens one.
  init(path: String) {
    self.path = path
  }

  /// Sends a request, and waits for the head of its response.
  /// - Parameter seconds: How long the agent may take until the end of its response; `nil` for any time.
  /// - Throws: `AgentExchange.Failure`, or the error of the connection.
  func send(_ request: AgentRequest, seconds: Int64?) async throws -> AgentResponse {
    try await response(to: begin(request, seconds: seconds))
  }

  /// Sends a request, and does not wait for the response.
  /// - Parameter former: A response whose body may still arrive. The request is sent on its connection, so that the agent
  ///   goes on at once. Read that body first: while much of it is unread, nothing else arrives.
  /// - Throws: The error of a connection that is opened.
  func begin(
    _ request: AgentRequest, seconds: Int64?, following former: AgentResponse? = nil
  ) async throws -> AgentCall {
    let connection: AgentConnection
    if let shared = former?.lease.take(), shared.isOpen {
      connection = shared
    } else {
      connection = try await self.connection()
    }
    var sendsFile = false
    if case .file = request.body { sendsFile = true }
    return AgentCall(
      connection.send(request, seconds: seconds), on: connection, sendsFile: sendsFile)
  }

  /// Waits for the head of a response.
  /// - Throws: `AgentExchange.Failure`, or the error of the connection.
  func response(to call: AgentCall) async throws -> AgentResponse {
    let exchange = call.exchange
    let head = try await exchange.head()
    call.hasResponse.store(true, ordering: .relaxed)
    let (connection, mayKeep) = (call.connection, head.isKeepAlive && !call.sendsFile)
    let lease = ConnectionLease(mayKeep ? connection : nil)
    let body = AgentBody(exchange) { [self] in
      guard mayKeep else { return connection.close() }
      guard let unused = lease.take() else { return }
      state.withLock { $0.idle.append(unused) }
    }
    return AgentResponse(head: head, body: body, lease: lease)
  }

  /// Opens the connection for the first request, while the caller does something else. If it cannot be opened, the
  /// request tries again and reports why.
  func prepare() {
    // The first request waits for the task; it ends when the kernel has answered.
    let opening = Task { try await open() }
    state.withLock { $0.prepared = opening }
  }

  private func connection() async throws -> AgentConnection {
    let (found, prepared) = state.withLock { state in
      defer { state.prepared = nil }
      while let idle = state.idle.popLast() {
        if idle.isOpen { return (idle as AgentConnection?, state.prepared) }
      }
      return (nil, state.prepared)
    }
    if let found { return found }
    if let connection = try? await prepared?.value, connection.isOpen { return connection }
    return try await open()
  }

  private func open() async throws -> AgentConnection {
    let group = state.withLock { state in
      let group = state.group ?? MultiThreadedEventLoopGroup(numberOfThreads: 1)
      state.group = group
      return group
    }
    return try await .open(path, on: group.any())
  }

  /// Closes all connections and ends the thread.
  func close() async {
    let group = state.withLock { state in
      defer { state = State() }
      return state.group
    }
    try? await group?.shutdownGracefully()
  }
}

/// A request that was sent. If its response is not awaited, the connection is closed.
final class AgentCall: Sendable {
  fileprivate let exchange: AgentExchange
  fileprivate let connection: AgentConnection
  fileprivate let sendsFile: Bool
  fileprivate let hasResponse = Atomic(false)

  fileprivate init(_ exchange: AgentExchange, on connection: AgentConnection, sendsFile: Bool) {
    self.exchange = exchange
    self.connection = connection
    self.sendsFile = sendsFile
  }

  deinit {
    if !hasResponse.load(ordering: .relaxed) { exchange.fail(CancellationError()) }
  }
}

/// A response of the agent, of which the body is still to be read.
struct AgentResponse: Sendable {
  /// The status and the headers.
  let head: HTTPResponseHead
  /// The body.
  let body: AgentBody
  fileprivate let lease: ConnectionLease
}

/// The right to send the next request on a connection, which only one request gets.
private final class ConnectionLease: Sendable {
  private let connection: Mutex<AgentConnection?>

  /// - Parameter connection: `nil` if the connection closes after the response.
  init(_ connection: AgentConnection?) {
    self.connection = Mutex(connection)
  }

  func take() -> AgentConnection? {
    connection.withLock { connection in
      defer { connection = nil }
      return connection
    }
  }
}

/// The body of a response, for one reader. If the reader stops before its end, the connection is closed.
final class AgentBody: AsyncSequence, Sendable {
  /// The body has more bytes than its reader accepts.
  struct TooLong: Error {}

  private let exchange: AgentExchange
  private let ended: @Sendable () -> Void

  /// Creates the body of the response of `exchange`. `ended` is called when all of it was read.
  init(_ exchange: AgentExchange, ended: @escaping @Sendable () -> Void) {
    self.exchange = exchange
    self.ended = ended
  }

  deinit {
    if !exchange.isComplete { exchange.fail(CancellationError()) }
  }

  /// Returns the whole body.
  /// - Throws: `TooLong` if it has more than `bytesMax` bytes, and any error of the exchange.
  func collect(upTo bytesMax: Int) async throws -> [UInt8] {
    var all: [UInt8] = []
    for try await bytes in self {
      guard all.count + bytes.readableBytes <= bytesMax else { throw TooLong() }
      all += bytes.readableBytesView
    }
    return all
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(body: self) }

  struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let body: AgentBody

    /// Returns the bytes that have arrived; `nil` at the end.
    func next() async throws -> ByteBuffer? {
      let bytes = try await body.exchange.bytes()
      if bytes == nil { body.ended() }
      return bytes
    }
  }
}
