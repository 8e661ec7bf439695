import DaemonKit
import NIOCore
import NIOHTTP1
import NIOPosix

/// Serves the metrics over HTTP on a Unix socket of their own. The permissions of the socket's file decide
/// who can read them, so a scraper needs no access to records. Only `GET /metrics` succeeds; other requests
/// get 404.
struct MetricsServer: Sendable {
  /// The maximum number of callers at a time. Further connections are closed at once.
  private static let callersMaximum = 16
  /// The time after which a connection is closed, so that slow callers do not block other ones.
  private static let callerSeconds: Int64 = 10

  private let channel: any Channel
  private let socket: ListeningSocket

  /// Starts to serve `socket`. `page` returns the metrics; it is called on `loop` for each request.
  init(
    socket: ListeningSocket, on loop: any EventLoop, page: @escaping @Sendable () -> String
  ) async throws {
    self.socket = socket
    let callers = CallerCount()
    channel = try await ServerBootstrap(group: loop)
      .childChannelInitializer { channel in
        guard callers.enter(atMost: Self.callersMaximum) else { return channel.close() }
        let timeout = channel.eventLoop.scheduleTask(in: .seconds(Self.callerSeconds)) {
          channel.close(promise: nil)
        }
        channel.closeFuture.whenComplete { _ in
          timeout.cancel()
          callers.leave()
        }
        return channel.pipeline.configureHTTPServerPipeline().flatMapThrowing {
          try channel.pipeline.syncOperations.addHandler(MetricsHandler(page: page))
        }
      }
      .withBoundSocket(socket.descriptor).get()
  }

  /// Stops serving and deletes the socket's file.
  func stop() async {
    try? await channel.close()
    socket.removeFile()
  }
}

/// The number of callers. Not thread-safe: used on one event loop only.
private final class CallerCount: @unchecked Sendable {
  private var count = 0

  func enter(atMost maximum: Int) -> Bool {
    guard count < maximum else { return false }
    count += 1
    return true
  }

  func leave() { count -= 1 }
}

/// Answers one request and closes the connection.
private final class MetricsHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let page: @Sendable () -> String
  private var isFound = false

  init(page: @escaping @Sendable () -> String) {
    self.page = page
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): isFound = head.method == .GET && head.uri == "/metrics"
    case .body: break
    case .end: answer(context)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  private func answer(_ context: ChannelHandlerContext) {
    let text = isFound ? page() : "Not found. The metrics are at GET /metrics.\n"
    let headers: HTTPHeaders = [
      "Content-Type": "text/plain; version=0.0.4; charset=utf-8",
      "Content-Length": "\(text.utf8.count)", "Connection": "close",
    ]
    let head = HTTPResponseHead(
      version: .http1_1, status: isFound ? .ok : .notFound, headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
    let closing = context.eventLoop.makePromise(of: Void.self)
    let channel = context.channel
    closing.futureResult.whenComplete { _ in channel.close(promise: nil) }
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: closing)
  }
}
