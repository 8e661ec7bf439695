// A machine between a device and its broker, which ends the device's TLS and begins its own with the broker.

import DaemonKit
import NIOCore
import NIOPosix
import NIOSSL
import Processes

/// A server with a key of its own that passes all bytes on to a broker, and back.
final class MachineInTheMiddle {
  let port: Int
  private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
  private let channel: any Channel

  init(of brokerPort: Int) async throws {
    let directory = try TemporaryDirectory()
    let key = try ServerKey(path: directory.file("key.pem"))
    port = try LoopbackPort.unused()
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.certificateVerification = .none
    configuration.applicationProtocols = ["contacts/1"]
    let outward = try NIOSSLContext(configuration: configuration)
    channel = try await TLSListener.bind(
      ListenAddress(host: "127.0.0.1", port: port),
      context: key.context(protocols: ["contacts/1"]), on: group
    ) { inner, _ in
      ClientBootstrap(group: inner.eventLoop)
        .channelInitializer { outer in
          outer.eventLoop.makeCompletedFuture {
            try outer.pipeline.syncOperations.addHandlers(
              try NIOSSLClientHandler(context: outward, serverHostname: nil), Passage(to: inner))
          }
        }
        .connect(host: "127.0.0.1", port: brokerPort)
        .flatMap { outer in inner.pipeline.addHandler(Passage(to: outer)) }
    }
  }

  func stop() async throws {
    try await channel.close()
    try await group.shutdownGracefully()
  }

  /// Passes what arrives on to another channel.
  private final class Passage: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    private let other: any Channel

    init(to other: any Channel) {
      self.other = other
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      other.writeAndFlush(unwrapInboundIn(data), promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
      other.close(promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      context.close(promise: nil)
    }
  }
}
