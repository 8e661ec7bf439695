// Clients that reach the broker's port and never sign in.

import Foundation
import Glibc
import NIOCore
import NIOPosix
import NIOSSL
import Processes
import RecordsWire
import Testing

extension EndToEnd {
  @Suite("R6, H2 strangers at the port")
  struct StrangerTests {
    /// Opens connections that never sign in.
    private func strangers(
      _ count: Int, at port: Int, from source: (Int) -> String
    ) throws -> [Int32] {
      try (0..<count).map { try LoopbackPort.connect(to: port, from: source($0)) }
    }

    /// Restarts the device until it is live within two seconds.
    private func becomesLive(_ device: Device) async throws {
      let times = try await Patience.times(below: .seconds(2)) { _ in
        try await device.kill()
        let start = ContinuousClock.now
        try await device.restart()
        try await device.settles()
        return ContinuousClock.now - start
      }
      #expect(times.contains { $0 < .seconds(2) }, "\(times)")
    }

    @Test func `2,000 silent strangers do not keep a device away for two seconds`() async throws {
      let (broker, _) = try await RemoteBroker.household()
      let laptop = try await broker.joined("laptop")
      // Half of them come from the laptop's own address, the others from a network each.
      let strangers = try strangers(2000, at: broker.port) { index in
        index < 1000 ? "127.0.0.1" : "127.1.\(index / 250).\(index % 250 + 1)"
      }
      defer { for stranger in strangers { close(stranger) } }
      try await becomesLive(laptop)
    }

    @Test func `silent strangers do not use up the files of a broker that has few`() async throws {
      let (broker, _) = try await RemoteBroker.household(openFilesMaximum: 1024)
      let laptop = try await broker.joined("laptop")
      let strangers = try strangers(1000, at: broker.port) { "127.1.\($0 / 250).\($0 % 250 + 1)" }
      defer { for stranger in strangers { close(stranger) } }
      try await becomesLive(laptop)
    }

    @Test(.enabled(if: OpenSSLClient.isInstalled))
    func `half greetings of strangers do not end a device's that arrives in two parts`()
      async throws
    {
      let (broker, _) = try await RemoteBroker.household()
      let phone = try await broker.joined("phone")
      let client = try OpenSSLClient(of: phone)
      _ = try await phone.stop()
      let crowd = try HalfGreetings()
      // More bytes than all half greetings may have together, but no more from an address than it may have.
      try await crowd.send(300, byteCount: 128 << 10, to: broker.port)
      try await broker.logs(from: "127.2", "request refused", "code=limitExceeded")
      let answer = try await client.talk(to: broker, sendingFirst: 100)
      #expect(answer.contains("desktop"), "\(answer)")
      try await crowd.stop()
    }
  }
}

/// Clients of TLS that send the beginning of a frame, and no more.
private final class HalfGreetings {
  private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
  private let context: NIOSSLContext
  private var channels: [any Channel] = []

  init() throws {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.certificateVerification = .none
    configuration.applicationProtocols = ["contacts/1"]
    context = try NIOSSLContext(configuration: configuration)
  }

  /// Connects `count` clients that send the first `byteCount` bytes of a slightly longer frame each.
  func send(_ count: Int, byteCount: Int, to port: Int) async throws {
    var frame = ByteBuffer(integer: UInt32(byteCount))
    frame.writeRepeatingByte(0, count: byteCount - FramePrefix.byteCount)
    let context = context
    let opened = try (0..<count).map { index in
      let source = try SocketAddress(ipAddress: "127.2.\(index / 64).1", port: 0)
      return ClientBootstrap(group: group).bind(to: source)
        .channelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(
              try NIOSSLClientHandler(context: context, serverHostname: nil))
          }
        }
        .connect(host: "127.0.0.1", port: port)
    }
    for channel in opened { channels.append(try await channel.get()) }
    for channel in channels { channel.writeAndFlush(frame, promise: nil) }
  }

  func stop() async throws {
    for channel in channels { try? await channel.close() }
    try await group.shutdownGracefully()
  }
}
