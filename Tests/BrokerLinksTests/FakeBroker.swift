// A listener on a socket file that says what a test tells it to say and keeps what it hears.

import Foundation
import NIOCore
import NIOPosix
import Records
import RecordsWire

final class FakeBroker: Sendable {
  let path: String
  let accepted: AsyncStream<any Channel>
  let heard: AsyncStream<ClientFrame>
  private let listener: any Channel

  /// Listens at a new path. Connections that are `isReading` decode what they hear.
  init(isReading: Bool = true) async throws {
    path = FakeBroker.unusedPath()
    let (accepted, acceptedInput) = AsyncStream<any Channel>.makeStream()
    let (heard, heardInput) = AsyncStream<ClientFrame>.makeStream()
    self.accepted = accepted
    self.heard = heard
    listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .childChannelOption(.autoRead, value: isReading)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(Listener(heard: heardInput))
          acceptedInput.yield(channel)
        }
      }
      .bind(unixDomainSocketPath: path).get()
  }

  func stop() async throws {
    try await listener.close().get()
  }

  static func unusedPath() -> String {
    FileManager.default.temporaryDirectory.appending(path: "b\(UInt64.random(in: 0 ... .max))")
      .path
  }
}

private final class Listener: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let heard: AsyncStream<ClientFrame>.Continuation
  private var decoder = FrameDecoder()

  init(heard: AsyncStream<ClientFrame>.Continuation) {
    self.heard = heard
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    decoder.append(unwrapInboundIn(data).readableBytesView)
    do {
      while let payload = try decoder.next() { heard.yield(try ClientFrame(payload: payload)) }
    } catch {
      context.close(promise: nil)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
