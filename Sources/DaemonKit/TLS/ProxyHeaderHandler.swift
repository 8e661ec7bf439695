import NIOCore
import Records

/// Reads the header of a connection that came through a proxy, then lets the handlers of the connection be added and passes
/// on what follows. It closes a connection that begins with anything else, or whose header does not arrive in time.
final class ProxyHeaderHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  /// How long a header may take. A proxy sends it with the connection.
  static let seconds: Int64 = 10

  /// Adds the handlers of the connection, for the client that the header names.
  private let initialize: (RemoteNetwork?) -> EventLoopFuture<Void>
  /// Called if the connection begins with anything else.
  private let reject: () -> Void
  private var received: [UInt8] = []
  private var state = State.reading
  private var timeout: Scheduled<Void>?

  private enum State {
    case reading
    /// What arrives is held until the connection's handlers are added.
    case complete
    /// The connection is being closed.
    case rejected
  }

  init(
    initialize: @escaping (RemoteNetwork?) -> EventLoopFuture<Void>, reject: @escaping () -> Void
  ) {
    self.initialize = initialize
    self.reject = reject
  }

  func channelActive(context: ChannelHandlerContext) {
    let channel = context.channel
    timeout = context.eventLoop.scheduleTask(in: .seconds(Self.seconds)) {
      channel.close(promise: nil)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    timeout?.cancel()
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard state != .rejected else { return }
    received += unwrapInboundIn(data).readableBytesView
    guard state == .reading else { return }
    switch ProxyHeader.read(received) {
    case .incomplete: break
    case .invalid:
      state = .rejected
      reject()
      context.close(promise: nil)
    case .complete(let header):
      state = .complete
      timeout?.cancel()
      received.removeFirst(header.byteCount)
      begin(context, of: header.client)
    }
  }

  private func begin(_ context: ChannelHandlerContext, of client: RemoteNetwork?) {
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    initialize(client).assumeIsolated().whenComplete { result in
      let (handler, context) = bound.value
      guard case .success = result, context.channel.isActive else {
        return context.close(promise: nil)
      }
      context.fireChannelActive()
      if !handler.received.isEmpty {
        context.fireChannelRead(handler.wrapInboundOut(ByteBuffer(bytes: handler.received)))
        context.fireChannelReadComplete()
      }
      handler.received = []
      context.pipeline.syncOperations.removeHandler(handler, promise: nil)
    }
  }
}
