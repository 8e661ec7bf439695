// HTTP/1.1 on one connection to the agent's socket, with the handlers of SwiftNIO. A general HTTP client also has TLS,
// HTTP/2, proxies and redirects; starting it took a tenth of the time of a short command.

import NIOCore
import NIOHTTP1
import NIOPosix

/// A connection to the agent. Responses arrive in the order of the requests.
struct AgentConnection: Sendable {
  private static let connectSeconds: Int64 = 5
  /// The number of bytes that are read at once. A page of contacts has some hundred thousand bytes.
  private static let readBytes = 1 << 16

  private let channel: any Channel
  private let handler: NIOLoopBound<AgentChannelHandler>

  /// Connects to the socket at `path`.
  /// - Throws: The error of the kernel, as `IOError`.
  static func open(_ path: String, on loop: any EventLoop) async throws -> AgentConnection {
    try await ClientBootstrap(group: loop).connectTimeout(.seconds(connectSeconds))
      .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: readBytes))
      .connect(unixDomainSocketPath: path) { channel in
        channel.eventLoop.makeCompletedFuture {
          let handler = AgentChannelHandler()
          try channel.pipeline.syncOperations.addHTTPClientHandlers()
          try channel.pipeline.syncOperations.addHandler(handler)
          return AgentConnection(
            channel: channel, handler: NIOLoopBound(handler, eventLoop: channel.eventLoop))
        }
      }
  }

  /// Whether a request can be sent. The agent closes connections that are not used.
  var isOpen: Bool { channel.isActive }

  /// Closes the connection, and so ends an exchange that takes place.
  func close() {
    channel.close(promise: nil)
  }

  /// Sends a request.
  /// - Parameter seconds: How long the whole response may take; `nil` for any time.
  /// - Returns: The exchange, in which the response arrives.
  func send(_ request: AgentRequest, seconds: Int64?) -> AgentExchange {
    let exchange = AgentExchange(on: channel)
    channel.eventLoop.execute { [self] in
      guard channel.isActive else { return exchange.fail(AgentExchange.Failure.closed) }
      handler.value.begin(exchange, seconds: seconds, on: channel.eventLoop)
      channel.write(HTTPClientRequestPart.head(request.head), promise: nil)
      switch request.body {
      case .file: return channel.flush()
      case .bytes(let bytes):
        channel.write(HTTPClientRequestPart.body(.byteBuffer(bytes)), promise: nil)
      case .none: break
      }
      channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
    }
    if case .file(let chunks) = request.body {
      let upload = Upload(chunks: chunks, channel: channel, exchange: exchange)
      // The response is read meanwhile. The task ends with the file or the connection.
      Task { await upload.run() }
    }
    return exchange
  }

  /// A file that is sent while it is read. It ends with the connection.
  private struct Upload: Sendable {
    let chunks: FileChunks
    let channel: any Channel
    let exchange: AgentExchange

    func run() async {
      do {
        for try await chunk in chunks {
          try await channel.writeAndFlush(HTTPClientRequestPart.body(.byteBuffer(chunk)))
        }
        try await channel.writeAndFlush(HTTPClientRequestPart.end(nil))
      } catch {
        // If the agent closed the connection, the exchange ends when that arrives here.
        guard !(error is ChannelError || error is IOError) else { return }
        exchange.fail(error)
      }
    }
  }
}

/// Reports what arrives on a connection to the exchanges that take place on it.
private final class AgentChannelHandler: ChannelDuplexHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias OutboundIn = HTTPClientRequestPart
  typealias OutboundOut = HTTPClientRequestPart

  /// The exchanges whose responses have not ended, in the order of the requests. A request is sent at most one response
  /// ahead, so there are at most two.
  private var exchanges: [(exchange: AgentExchange, deadline: Scheduled<Void>?)] = []

  /// Begins an exchange, which ends when the response is complete.
  func begin(_ exchange: AgentExchange, seconds: Int64?, on loop: any EventLoop) {
    let deadline = seconds.map { seconds in
      loop.scheduleTask(in: .seconds(seconds)) {
        exchange.fail(AgentExchange.Failure.deadlineExceeded)
      }
    }
    exchanges.append((exchange, deadline))
  }

  func read(context: ChannelHandlerContext) {
    if exchanges.first?.exchange.holdsReads() != true { context.read() }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard let (exchange, deadline) = exchanges.first else { return }
    switch unwrapInboundIn(data) {
    case .head(let head): exchange.received(head)
    case .body(let bytes): exchange.received(bytes)
    case .end:
      deadline?.cancel()
      exchange.complete()
      exchanges.removeFirst()
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    let isEnd = error as? HTTPParserError == .invalidEOFState
    end(isEnd ? AgentExchange.Failure.closed : error)
    // Also without an exchange: what arrives on an idle connection makes it useless.
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    end(AgentExchange.Failure.closed)
    context.fireChannelInactive()
  }

  private func end(_ error: any Error) {
    let ended = exchanges
    exchanges = []
    for (exchange, deadline) in ended {
      deadline?.cancel()
      exchange.fail(error)
    }
  }
}
