// Yields a connection once it is open. Closing it during its setup would be an error, and a connection that
// is set up and then dropped unused ends the process (NIO requires its use). A connection that cannot be
// yielded is therefore closed here.

import HummingbirdCore
import NIOCore

/// The last handler in the pipeline of an accepted connection.
final class Arrival: ChannelInboundHandler {
  typealias InboundIn = Never

  private var connection: HTTP1Channel.Value?
  private let arriving: AsyncStream<HTTP1Channel.Value>.Continuation

  /// Yields `connection` to `arriving` once its socket is open.
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
    // The server may have stopped in the meantime.
    if case .terminated = arriving.yield(connection) { Self.useUp(connection) }
  }

  private static func useUp(_ connection: HTTP1Channel.Value) {
    // Needs no owner: it sends and reads nothing, and only closes the connection.
    Task { try? await connection.executeThenClose { _, _ in } }
  }
}
