import NIOCore
import NIOSSL
import NIOTLS
import Records

/// A channel handler that lets a connection open once its TLS handshake is complete, and says why one failed.
final class TLSHandshake: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private let failure: TLSFailure
  private let verdict: KeyVerdict
  private let timeout: TimeAmount
  private var deadline: Scheduled<Void>?
  private var isComplete = false

  init(failure: TLSFailure, verdict: KeyVerdict, timeout: TimeAmount) {
    self.failure = failure
    self.verdict = verdict
    self.timeout = timeout
  }

  func channelActive(context: ChannelHandlerContext) {
    let loop = context.eventLoop.assumeIsolated()
    deadline = loop.scheduleTask(in: timeout) { [self] in
      guard !isComplete else { return }
      context.fireErrorCaught(failure.silent)
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard case .handshakeCompleted(let negotiated)? = event as? TLSUserEvent else {
      return context.fireUserInboundEventTriggered(event)
    }
    deadline?.cancel()
    guard negotiated == TLSConnector.applicationProtocol else {
      return context.fireErrorCaught(failure.otherService)
    }
    isComplete = true
    context.fireChannelActive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard !isComplete else {
      // A peer that ends without saying so in TLS is a peer that ended; `channelInactive` follows.
      if case .uncleanShutdown? = error as? NIOSSLError { return }
      return context.fireErrorCaught(error)
    }
    deadline?.cancel()
    context.fireErrorCaught(
      verdict.isOtherKey ? failure.otherKey : failure.handshaking(error))
  }

  func channelInactive(context: ChannelHandlerContext) {
    deadline?.cancel()
    if !isComplete { context.fireErrorCaught(failure.ended) }
    context.fireChannelInactive()
  }
}
