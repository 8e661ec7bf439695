// Hands a connection over once it is there: not while it is being set up, when closing it would be
// a fault, and not never, because a connection that was made and then dropped unused ends the
// process (NIO insists on its use). What cannot be handed over is used up here.

import HummingbirdCore
import NIOCore

/// The last handler of an accepted connection's pipeline.
final class Arrival: ChannelInboundHandler {
  typealias InboundIn = Never

  private var connection: HTTP1Channel.Value?
  private let arriving: AsyncStream<HTTP1Channel.Value>.Continuation

  /// Yields `connection` to `arriving` when its socket is open.
  init(
    of connection: HTTP1Channel.Value, to arriving: AsyncStream<HTTP1Channel.Value>.Continuation
  ) {
    self.connection = connection
    self.arriving = arriving
  }

  func handlerAdded(context: ChannelHandlerContext) {
    if context.channel.isActive { handOver() }
  }

  func channelActive(context: ChannelHandlerContext) {
    handOver()
    context.fireChannelActive()
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    guard let connection else { return }
    self.connection = nil
    Self.useUp(connection)
  }

  private func handOver() {
    guard let connection else { return }
    self.connection = nil
    // The server may be gone meanwhile.
    if case .terminated = arriving.yield(connection) { Self.useUp(connection) }
  }

  private static func useUp(_ connection: HTTP1Channel.Value) {
    // Nobody waits for it: there is nothing to tell and nothing to read.
    Task { try? await connection.executeThenClose { _, _ in } }
  }
}
