// The side of HTTPTestConnection that runs on the event loop.

import NIOCore
import NIOHTTP1

/// Sends requests on a connection and passes the responses to the tests. It reads no further while a test has not read
/// what arrived.
final class HTTPTestHandler: ChannelDuplexHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias OutboundIn = HTTPClientRequestPart
  typealias OutboundOut = HTTPClientRequestPart

  /// The numbers of unread chunks at which the connection is read again, and is not read.
  private static let (unreadChunksLow, unreadChunksHigh) = (2, 8)

  private let host: String
  private let silenceMaximum: TimeAmount
  private var context: ChannelHandlerContext?
  /// The number of the current request.
  private var number = 0
  private var isLast = false
  /// The promise of the response, until its head has arrived.
  private var response: EventLoopPromise<HTTPTestResponse>?
  /// The receiver of the body's chunks, from the head of the response to its end.
  private var body: HTTPTestBody.Source?
  private var hasDemand = true
  private var deadline: Scheduled<Void>?

  init(host: String, silenceMaximum: TimeAmount) {
    (self.host, self.silenceMaximum) = (host, silenceMaximum)
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    self.context = nil
  }

  // MARK: The request

  /// Sends a request. Reads of the response begin at once, because a server may reject a request before its end.
  func send(
    _ request: HTTPTestRequest, isLast: Bool, response: EventLoopPromise<HTTPTestResponse>
  ) {
    precondition(self.response == nil && body == nil, "The response before has not ended.")
    guard let context, context.channel.isActive else {
      return response.fail(HTTPTestFailure.closed)
    }
    (self.isLast, self.response) = (isLast, response)
    number += 1
    awaitBytes()
    let written = context.eventLoop.makePromise(of: Void.self)
    written.futureResult.assumeIsolated().whenFailure { self.end($0) }
    do {
      context.write(wrapOutboundOut(.head(try request.head(host: host))), promise: written)
    } catch {
      return written.fail(error)
    }
    for chunk in request.chunks {
      context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(chunk))), promise: nil)
    }
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
  }

  // MARK: The response

  func read(context: ChannelHandlerContext) {
    if hasDemand { context.read() }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): begin(head, context: context)
    case .body(let bytes): hasDemand = body?.yield(bytes) == .produceMore
    case .end: return end(nil)
    }
    if hasDemand { awaitBytes() } else { deadline?.cancel() }
  }

  private func begin(_ head: HTTPResponseHead, context: ChannelHandlerContext) {
    let stream = HTTPTestBody.makeSequence(
      backPressureStrategy: .init(
        lowWatermark: Self.unreadChunksLow, highWatermark: Self.unreadChunksHigh),
      finishOnDeinit: true,
      delegate: Demand(
        handler: NIOLoopBound(self, eventLoop: context.eventLoop), loop: context.eventLoop,
        number: number))
    body = stream.source
    response?.succeed(
      HTTPTestResponse(status: head.status, headers: head.headers, body: stream.sequence))
    response = nil
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    let isClosed = error as? HTTPParserError == .invalidEOFState
    end(isClosed ? HTTPTestFailure.closed : error)
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    end(HTTPTestFailure.closed)
    context.fireChannelInactive()
  }

  /// Expects bytes within `silenceMaximum`.
  private func awaitBytes() {
    deadline?.cancel()
    deadline = context?.eventLoop.assumeIsolated().scheduleTask(in: silenceMaximum) {
      self.end(HTTPTestFailure.silent(self.silenceMaximum))
    }
  }

  /// Ends the exchange, if there is one.
  private func end(_ error: (any Error)?) {
    let (response, body) = (response, body)
    (self.response, self.body, hasDemand) = (nil, nil, true)
    deadline?.cancel()
    if let error {
      response?.fail(error)
      body?.finish(error)
    } else {
      body?.finish()
    }
    if isLast || error != nil { context?.close(promise: nil) }
  }

  // MARK: The reader

  /// What the reader of a body reports to the event loop.
  struct Demand: NIOAsyncSequenceProducerDelegate {
    fileprivate let handler: NIOLoopBound<HTTPTestHandler>
    fileprivate let loop: any EventLoop
    /// The number of the request.
    fileprivate let number: Int

    func produceMore() {
      loop.execute { handler.value.demand(number) }
    }

    func didTerminate() {
      loop.execute { handler.value.abandon(number) }
    }
  }

  private func demand(_ number: Int) {
    guard number == self.number, body != nil, !hasDemand else { return }
    hasDemand = true
    awaitBytes()
    context?.read()
  }

  private func abandon(_ number: Int) {
    if number == self.number, body != nil { end(CancellationError()) }
  }
}
