// The receiving side of a connection. It decodes bytes to frames and reports them on the connection's
// thread, without a queue. While the link is paused, the rest of the last read stays undecoded and the
// socket is not read, so the buffered bytes are bounded by one read.

import NIOCore
import Records
import RecordsWire

/// A channel handler that decodes the broker's frames and reports the link's events.
final class FrameReceiver: ChannelInboundHandler, ChannelOutboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// A command of the link to its handler, sent as an outbound user event.
  enum Command: Sendable {
    case pause, resume, close, reportRoom
  }

  private let receive: @Sendable (LinkEvent) -> Void
  private var decoder = FrameDecoder()
  private var isPaused = false
  private var isDelivering = false
  private var isClosed = false
  /// The number of frames that were delivered.
  private var frameCount: UInt64 = 0
  private var lastProgress = NIODeadline.uptimeNanoseconds(0)
  private var reason: RecordsError? = RecordsError(
    .networkUnavailable, "The broker ended the connection.", retryAfterSeconds: 1)

  init(receive: @escaping @Sendable (LinkEvent) -> Void) {
    self.receive = receive
  }

  func channelActive(context: ChannelHandlerContext) {
    receive(.opened(ChannelLink(channel: context.channel)))
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    decoder.append(unwrapInboundIn(data).readableBytesView)
    let frameCount = frameCount
    deliver(context)
    if frameCount == self.frameCount { reportProgress(at: context.eventLoop.now) }
  }

  private func reportProgress(at time: NIODeadline) {
    guard !isClosed, !isPaused, time - lastProgress >= .seconds(1) else { return }
    lastProgress = time
    receive(.receiving)
  }

  func channelInactive(context: ChannelHandlerContext) {
    // Deliver the frames received before the end, above all a goodbye, even if the link is paused.
    isPaused = false
    deliver(context)
    finish()
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    end(
      context,
      because: error as? RecordsError
        ?? RecordsError(
          .networkUnavailable, "The connection to the broker broke: \(error).",
          retryAfterSeconds: 1))
  }

  func triggerUserOutboundEvent(
    context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
  ) {
    guard let command = event as? Command else {
      context.triggerUserOutboundEvent(event, promise: promise)
      return
    }
    switch command {
    case .pause: setPaused(true, context)
    case .resume:
      setPaused(false, context)
      deliver(context)
    case .close: end(context, because: nil)
    case .reportRoom: if !isClosed { receive(.writable) }
    }
    promise?.succeed()
  }

  private func setPaused(_ paused: Bool, _ context: ChannelHandlerContext) {
    guard paused != isPaused, !isClosed else { return }
    isPaused = paused
    context.channel.setOption(.autoRead, value: !paused).whenFailure { _ in
      // The channel is closed already, and `channelInactive` reports it.
    }
  }

  // NB: the receiver may pause, resume or close from within an event. `isDelivering` prevents a nested
  // delivery, which would reorder frames.
  private func deliver(_ context: ChannelHandlerContext) {
    guard !isDelivering else { return }
    isDelivering = true
    defer { isDelivering = false }
    do throws(RefusedFrame) {
      while !isPaused, !isClosed, let payload = try nextPayload() {
        frameCount += 1
        receive(.received(try BrokerFrame(payload: payload)))
      }
    } catch {
      end(context, because: error.error)
    }
  }

  private func nextPayload() throws(RefusedFrame) -> ArraySlice<UInt8>? {
    do throws(RecordsError) {
      return try decoder.next()
    } catch {
      throw RefusedFrame(id: nil, error: error)
    }
  }

  private func end(_ context: ChannelHandlerContext, because reason: RecordsError?) {
    guard !isClosed else { return }
    self.reason = reason
    finish()
    context.close(promise: nil)
  }

  private func finish() {
    guard !isClosed else { return }
    isClosed = true
    receive(.closed(reason))
  }
}
