// Clients that reach the broker's port and never sign in.

import Foundation
import Glibc
import NIOCore
import NIOPosix
import NIOSSL
import Processes
import Records
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
      let crowd = try Crowd()
      // More bytes than all half greetings may have together, but no more from an address than it may have.
      try await crowd.send(
        Crowd.halfFrame(byteCount: 128 << 10), by: 300, to: broker.port
      ) { "127.2.\($0 / 64).1" }
      try await broker.logs(from: "127.2", "request refused", "code=limitExceeded")
      let answer = try await client.talk(to: broker, sendingFirst: 100)
      #expect(answer.contains("desktop"), "\(answer)")
      try await crowd.stop()
    }

    @Test func `1,000 clients that guess invitations, and a right invitation of the same address`()
      async throws
    {
      let (broker, _) = try await RemoteBroker.household()
      let crowd = try Crowd()
      let guess = JoinRequest(
        invitation: InvitationID(7),
        deviceKeyDigest: Array(repeating: 7, count: 32), proof: Array(repeating: 7, count: 32),
        isFinal: true)
      let frame = ByteBuffer(bytes: ClientFrame(id: 1, message: .join(guess)).framed)
      for _ in 1...20 {
        try await crowd.send(frame, by: 50, to: broker.port) { _ in "127.0.0.1" }
      }
      try await broker.logs(from: "127.0.0.1", "request refused", "reason=guessing")
      let laptop = try await Device("laptop", account: nil, brokerPath: nil)
      let link = try await broker.invite().link
      #expect(try await laptop.control("signin", link, "--yes").status == 0)
      try await crowd.stop()
    }
  }
}

/// Clients of TLS that send some bytes, and no more.
private final class Crowd {
  private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
  private let context: NIOSSLContext
  private var channels: [any Channel] = []

  init() throws {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.certificateVerification = .none
    configuration.applicationProtocols = ["contacts/1"]
    context = try NIOSSLContext(configuration: configuration)
  }

  /// The first bytes of a slightly longer frame.
  static func halfFrame(byteCount: Int) -> ByteBuffer {
    var frame = ByteBuffer(integer: UInt32(byteCount))
    frame.writeRepeatingByte(0, count: byteCount - FramePrefix.byteCount)
    return frame
  }

  /// Connects `count` clients, each from the address for its number, that send the same bytes.
  func send(
    _ bytes: ByteBuffer, by count: Int, to port: Int, from source: (Int) -> String
  ) async throws {
    let context = context
    let opened = try (0..<count).map { index in
      let source = try SocketAddress(ipAddress: source(index), port: 0)
      return ClientBootstrap(group: group).bind(to: source)
        .channelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(
              try NIOSSLClientHandler(context: context, serverHostname: nil))
          }
        }
        .connect(host: "127.0.0.1", port: port)
    }
    var connected: [any Channel] = []
    for channel in opened { connected.append(try await channel.get()) }
    for channel in connected { channel.writeAndFlush(bytes, promise: nil) }
    channels += connected
  }

  func stop() async throws {
    for channel in channels { try? await channel.close() }
    try await group.shutdownGracefully()
  }
}
