// Serves the metrics over HTTP on a Unix socket of their own, for whoever may open that file: what
// scrapes them needs no way to the records. Whatever is asked for, the answer is the page or 404.

import DaemonKit
import NIOCore
import NIOHTTP1
import NIOPosix

/// The metrics' socket.
struct MetricsServer: Sendable {
  /// Callers at a time; more are turned away at once.
  private static let callersMaximum = 16
  /// How long a caller may take to ask and to read, or it would keep others out.
  private static let callerSeconds: Int64 = 10

  private let channel: any Channel
  private let socket: ListeningSocket

  /// Begins to answer on `socket` with what `page` makes, on its loop.
  init(
    socket: ListeningSocket, on loop: any EventLoop, page: @escaping @Sendable () -> String
  ) async throws {
    self.socket = socket
    let callers = CallerCount()
    channel = try await ServerBootstrap(group: loop)
      .childChannelInitializer { channel in
        guard callers.enter(atMost: Self.callersMaximum) else { return channel.close() }
        let patience = channel.eventLoop.scheduleTask(in: .seconds(Self.callerSeconds)) {
          channel.close(promise: nil)
        }
        channel.closeFuture.whenComplete { _ in
          patience.cancel()
          callers.leave()
        }
        return channel.pipeline.configureHTTPServerPipeline().flatMapThrowing {
          try channel.pipeline.syncOperations.addHandler(MetricsHandler(page: page))
        }
      }
      .withBoundSocket(socket.descriptor).get()
  }

  /// Stops and takes the socket's file away.
  func stop() async {
    try? await channel.close()
    socket.removeFile()
  }
}

/// How many callers there are; touched on one event loop.
private final class CallerCount: @unchecked Sendable {
  private var count = 0

  func enter(atMost maximum: Int) -> Bool {
    guard count < maximum else { return false }
    count += 1
    return true
  }

  func leave() { count -= 1 }
}

/// Answers one caller, once, and ends the connection.
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
