// The receiving side of a connection: bytes to frames to events, on the connection's thread, without
// another queue in between. A receiver that asks for a pause leaves the rest undecoded and the socket
// unread, so what waits is bounded by one read, and beyond that by the broker.

import NIOCore
import Records
import RecordsWire

/// Decodes what a broker sends and reports what happens, ending with exactly one `closed`.
final class FrameReceiver: ChannelInboundHandler, ChannelOutboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// What the link asks for.
  enum Command: Sendable {
    case pause, resume, close, reportRoom
  }

  private let receive: @Sendable (LinkEvent) -> Void
  private var decoder = FrameDecoder()
  private var isPaused = false
  private var isDelivering = false
  private var isClosed = false
  private var reason: RecordsError? = RecordsError(
    .networkUnavailable, "The broker ended the connection.", retryAfterSeconds: 1)

  init(receive: @escaping @Sendable (LinkEvent) -> Void) {
    self.receive = receive
  }

  func channelActive(context: ChannelHandlerContext) {
    receive(.opened(UnixBrokerLink(channel: context.channel)))
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    decoder.append(unwrapInboundIn(data).readableBytesView)
    deliver(context)
  }

  func channelInactive(context: ChannelHandlerContext) {
    // What came before the end is still told, a goodbye above all.
    isPaused = false
    deliver(context)
    finish()
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    end(
      context,
      because: RecordsError(
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
      // The channel is closed already; `channelInactive` tells.
    }
  }

  // NB: an event may pause, resume or close from within; the flag keeps deliveries in order then.
  private func deliver(_ context: ChannelHandlerContext) {
    guard !isDelivering else { return }
    isDelivering = true
    defer { isDelivering = false }
    do throws(RefusedFrame) {
      while !isPaused, !isClosed, let payload = try nextPayload() {
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
