// TLS over a blocking socket: the handlers of NIOSSL run in an embedded channel, without an event loop or a thread.

import Foundation
import Measuring
import NIOCore
import NIOEmbedded
import NIOSSL
import NIOTLS

/// A TLS 1.3 session on a connected socket. The certificate is not verified: the programs measure speed on one
/// machine.
final class TLSStream {
  private unowned let socket: StreamSocket
  private let channel = EmbeddedChannel()

  private static let context = Result { () throws -> NIOSSLContext in
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.minimumTLSVersion = .tlsv13
    configuration.applicationProtocols = ["contacts/1"]
    configuration.certificateVerification = .none
    return try NIOSSLContext(configuration: configuration)
  }

  /// Begins a session and completes the handshake.
  init(_ socket: StreamSocket) throws {
    self.socket = socket
    let handler = try NIOSSLClientHandler(context: try Self.context.get(), serverHostname: nil)
    try channel.pipeline.syncOperations.addHandlers(handler, HandshakeSign())
    _ = channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1))
    try flush()
    let sign = try channel.pipeline.syncOperations.handler(type: HandshakeSign.self)
    while !sign.isComplete { try receive() }
  }

  // NB: nothing ends the session. `EmbeddedChannel.finish` would wait for the other side's answer, which only this
  // thread could read. The socket is closed, and the broker takes that for the end.

  /// Writes all bytes.
  func write(_ bytes: [UInt8]) throws {
    channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
    try flush()
  }

  /// Waits for bytes and returns them.
  func read() throws -> ArraySlice<UInt8> {
    while true {
      if let buffer = try channel.readInbound(as: ByteBuffer.self) {
        return Array(buffer.readableBytesView)[...]
      }
      try receive()
    }
  }

  private func receive() throws {
    try channel.writeInbound(ByteBuffer(bytes: try socket.readPlain()))
    try flush()
  }

  private func flush() throws {
    while let buffer = try channel.readOutbound(as: ByteBuffer.self) {
      try socket.writePlain(Array(buffer.readableBytesView))
    }
  }
}

/// Notices the end of the handshake.
private final class HandshakeSign: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  private(set) var isComplete = false

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .handshakeCompleted? = event as? TLSUserEvent { isComplete = true }
    context.fireUserInboundEventTriggered(event)
  }
}
