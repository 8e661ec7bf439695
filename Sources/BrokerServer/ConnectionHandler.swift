// Decodes the bytes of one socket into frames for the driver, and writes the driver's frames. It runs on the
// driver's event loop and makes no decisions, except that it ends a connection that sends invalid frames.

import BrokerCore
import NIOCore
import NIOTLS
import Records
import RecordsWire

/// The handler at the end of a connection's pipeline.
final class ConnectionHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let driver: BrokerDriver
  private let peer: Peer
  private var decoder = FrameDecoder(frameBytesMaximum: BrokerLimits.greetingBytes)
  private var isReading = true
  private var context: ChannelHandlerContext?
  private var id: ConnectionID?
  /// The bytes that wait for the rest of their frame, as last reported to the driver under `holder`.
  private var heldBytes = 0
  /// The connection's id, also after it was ended.
  private var holder: ConnectionID?
  /// Whether the peer can receive something: over TLS, not before the handshake is complete.
  private var canReceive: Bool
  /// Returns whether the peer is still connected. May be called on any thread.
  var presence: @Sendable () -> Bool {
    let channel = context?.channel
    return { channel?.isActive ?? false }
  }
  /// Whether something was written that is not flushed yet.
  var needsFlush = false

  init(driver: BrokerDriver, peer: Peer) {
    self.driver = driver
    self.peer = peer
    canReceive = peer.uid != nil
  }

  func channelActive(context: ChannelHandlerContext) {
    self.context = context
    if let refusal = driver.admit(peer) { return refuse(refusal) }
    let id = driver.opened(self, by: peer)
    (self.id, holder) = (id, id)
  }

  private func refuse(_ error: RecordsError) {
    write(ByteBuffer(bytes: BrokerFrame(replyTo: 0, message: .goodbye(error)).framed))
    close()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .handshakeCompleted? = event as? TLSUserEvent { canReceive = true }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard let id else { return }
    decoder.append(unwrapInboundIn(data).readableBytesView)
    decode(id)
  }

  /// Passes complete frames to the driver until it pauses reading. The rest stays in the decoder: one read
  /// of the socket has a few frames at most.
  private func decode(_ id: ConnectionID) {
    do throws(RecordsError) {
      while isReading, self.id == id, let payload = try decoder.next() {
        received(payload, id)
      }
    } catch {
      malformed(error)
    }
    noteHeldBytes()
  }

  private func received(_ payload: ArraySlice<UInt8>, _ id: ConnectionID) {
    do throws(RefusedFrame) {
      let frame = try ClientFrame(payload: payload)
      driver.handle(
        .received(id, number: frame.id, frame.message, byteCount: payload.count))
    } catch {
      if let number = error.id {
        driver.handle(.receivedInvalid(id, number: number, error.error))
      } else {
        malformed(error.error)
      }
    }
  }

  private func malformed(_ error: RecordsError) {
    guard let id else { return }
    self.id = nil
    driver.handle(.receivedMalformed(id, error))
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    guard let id else { return }
    driver.handle(.writabilityChanged(id, isWritable: context.channel.isWritable))
  }

  func channelInactive(context: ChannelHandlerContext) {
    driver.gone(peer)
    if let id { driver.closed(id) }
    id = nil
    self.context = nil
    noteHeldBytes()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // A reset or broken pipe: the peer is gone, and `channelInactive` follows.
    context.close(promise: nil)
  }

  // MARK: Called by the driver

  func write(_ buffer: ByteBuffer) {
    context?.write(wrapOutboundOut(buffer), promise: nil)
  }

  /// Writes, and reports to the driver when the socket has accepted the bytes.
  func write(_ buffer: ByteBuffer, reportingTo driver: BrokerDriver, _ id: ConnectionID) {
    guard let context else { return }
    let written = context.eventLoop.makePromise(of: Void.self)
    written.futureResult.assumeIsolated().whenSuccess { driver.handle(.segmentWasWritten(id)) }
    context.write(wrapOutboundOut(buffer), promise: written)
  }

  /// The peer has signed in. Until then it gets memory for a greeting only.
  func acceptLargeFrames() {
    decoder.frameBytesMaximum = Limits.frameBytes
  }

  func flush() {
    needsFlush = false
    context?.flush()
  }

  func setReading(_ isReading: Bool) {
    self.isReading = isReading
    guard let context else { return }
    context.channel.setOption(.autoRead, value: isReading).whenFailure { _ in
      // The channel is closed already; there is nothing left to read.
    }
    guard isReading, decoder.bufferedByteCount > 0 else { return }
    // NB: not at once, because the driver is still carrying out actions.
    context.eventLoop.assumeIsolated().execute { [self] in
      if let id { decode(id) }
    }
  }

  /// Reports to the driver how many bytes wait here for the rest of their frame.
  private func noteHeldBytes() {
    let count = context == nil ? 0 : decoder.bufferedByteCount
    guard let holder, count != heldBytes else { return }
    heldBytes = count
    let isGreeting = decoder.frameBytesMaximum == BrokerLimits.greetingBytes
    driver.holds(count, holder, of: peer, isGreeting: isGreeting)
  }

  /// Ends the connection, because connections hold more bytes of incomplete frames than allowed together.
  func endUnfinished() {
    decoder = FrameDecoder(frameBytesMaximum: decoder.frameBytesMaximum)
    noteHeldBytes()
    malformed(
      RecordsError(
        .limitExceeded, "Your connections have sent too many bytes of unfinished messages.",
        hint: "Finish one message before you send the next on another connection.",
        retryAfterSeconds: 5))
  }

  /// Closes when the socket has accepted everything written, or after a second if the peer does not read.
  /// The future succeeds when the channel is closed.
  @discardableResult func close() -> EventLoopFuture<Void>? {
    guard let context else { return nil }
    id = nil
    decoder = FrameDecoder(frameBytesMaximum: decoder.frameBytesMaximum)
    noteHeldBytes()
    let channel = context.channel
    guard canReceive else {
      // Nothing of what was written can leave, and the socket is needed for others.
      channel.close(promise: nil)
      return channel.closeFuture
    }
    let flushed = context.eventLoop.makePromise(of: Void.self)
    flushed.futureResult.whenComplete { _ in channel.close(promise: nil) }
    context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: flushed)
    context.eventLoop.scheduleTask(in: .seconds(1)) { channel.close(promise: nil) }
    return channel.closeFuture
  }
}
