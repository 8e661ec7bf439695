// A listener on a socket file that sends what a test specifies and keeps what it receives.

import Foundation
import NIOCore
import NIOPosix
import Records
import RecordsWire

final class FakeBroker: Sendable {
  let path: String
  let accepted: AsyncStream<any Channel>
  let received: AsyncStream<ClientFrame>
  private let listener: any Channel
  private let acceptedInput: AsyncStream<any Channel>.Continuation

  /// Listens at a new path. With `isReading`, connections decode the frames they receive.
  init(isReading: Bool = true) async throws {
    path = FakeBroker.unusedPath()
    let (accepted, acceptedInput) = AsyncStream<any Channel>.makeStream()
    let (received, receivedInput) = AsyncStream<ClientFrame>.makeStream()
    self.accepted = accepted
    self.acceptedInput = acceptedInput
    self.received = received
    listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .childChannelOption(.autoRead, value: isReading)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(Listener(received: receivedInput))
          acceptedInput.yield(channel)
        }
      }
      .bind(unixDomainSocketPath: path).get()
  }

  func stop() async throws {
    try await listener.close().get()
    acceptedInput.finish()
  }

  static func unusedPath() -> String {
    FileManager.default.temporaryDirectory.appending(path: "b\(UInt64.random(in: 0 ... .max))")
      .path
  }
}

private final class Listener: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let received: AsyncStream<ClientFrame>.Continuation
  private var decoder = FrameDecoder()

  init(received: AsyncStream<ClientFrame>.Continuation) {
    self.received = received
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    decoder.append(unwrapInboundIn(data).readableBytesView)
    do {
      while let payload = try decoder.next() { received.yield(try ClientFrame(payload: payload)) }
    } catch {
      context.close(promise: nil)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
