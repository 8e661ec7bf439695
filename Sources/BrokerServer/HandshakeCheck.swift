// The TLS handshake of devices on other machines: a check of the application protocol, and the failures for the log.

import BrokerCore
import NIOCore
import NIOSSL
import NIOTLS

/// A channel handler behind TLS that ends a connection unless both sides have agreed on the broker's
/// application protocol, and logs handshakes that fail.
///
/// NB: the TLS library does not insist on a common application protocol: a client that names another one, or
/// none, gets a complete handshake.
final class HandshakeCheck: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private let driver: BrokerDriver
  private let peer: Peer
  private var state = State.waiting

  private enum State {
    /// The handshake is not complete.
    case waiting
    /// The connection speaks the broker's protocol.
    case accepted
    /// The handshake failed, or agreed on another protocol.
    case failed
  }

  init(driver: BrokerDriver, peer: Peer) {
    self.driver = driver
    self.peer = peer
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .handshakeCompleted(let negotiated)? = event as? TLSUserEvent {
      guard negotiated == Server.applicationProtocol else {
        fail(.otherProtocol)
        return context.close(promise: nil)
      }
      state = .accepted
    }
    context.fireUserInboundEventTriggered(event)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // A client may have sent bytes before it was rejected; they are discarded.
    guard case .accepted = state else { return }
    context.fireChannelRead(data)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    fail(HandshakeFailure(error))
    context.fireErrorCaught(error)
  }

  private func fail(_ failure: HandshakeFailure) {
    guard case .waiting = state else { return }
    state = .failed
    driver.handshakeFailed(failure, of: peer)
  }
}

/// Why a TLS handshake failed, as the log says it.
package enum HandshakeFailure: String, Sendable {
  /// The client does not support TLS 1.3.
  case oldTLS
  /// The bytes are not TLS.
  case notTLS
  /// The client speaks TLS, but not the broker's protocol.
  case otherProtocol
  /// The client rejected the broker, for example because it expects another key.
  case rejectedByClient
  /// The client left.
  case ended
  /// A connection of a proxy does not begin with the header that names the client.
  case noProxyHeader

  init(_ error: any Error) {
    let text = "\(error)"
    self =
      if error is IOError || Self.isEnd(error) {
        .ended
      } else if text.contains("UNSUPPORTED_PROTOCOL") || text.contains("PROTOCOL_VERSION") {
        .oldTLS
      } else if text.contains("ALERT") {
        .rejectedByClient
      } else {
        .notTLS
      }
  }

  private static func isEnd(_ error: any Error) -> Bool {
    switch error as? NIOSSLError {
    case .uncleanShutdown: true
    case .handshakeFailed(.sslError(let stack)): stack.contains(.eofDuringHandshake)
    default: false
    }
  }
}
