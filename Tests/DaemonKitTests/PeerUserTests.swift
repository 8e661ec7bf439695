// The list of sockets, as proc(5) describes it. The listener's tests connect as another user.

import Glibc
import NIOCore
import NIOPosix
import Testing

@testable import DaemonKit

@Suite("W5 the user of a TCP connection")
struct PeerUserTests {
  private static let client = PeerUser.End(address: 0x7F00_0001, port: 40_000)
  private static let server = PeerUser.End(address: 0x7F00_0001, port: 8080)
  private static let header =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"

  private func row(
    _ local: String, _ remote: String, state: String = "01", user: Int, inode: Int = 4711
  ) -> String {
    "   0: \(local) \(remote) \(state) 00000000:00000000 00:00000000 00000000 "
      + "\(user)        0 \(inode) 1 0000000000000000 20 4 30 10 -1\n"
  }

  @Test func `ends are written like the kernel's`() {
    #expect(Self.client.text == "0100007F:9C40")
    #expect(Self.client.mappedText == "0000000000000000FFFF00000100007F:9C40")
  }

  @Test func `the user is that of the client's socket, not of the server's`() {
    let list =
      Self.header + row(Self.server.text, Self.client.text, user: 0)
      + row(Self.client.text, Self.server.text, user: 1000)
    #expect(PeerUser.id(from: Self.client, to: Self.server, in: list) == 1000)
  }

  @Test func `a client with an IPv6 socket is found by its mapped address`() {
    let list = Self.header + row(Self.client.mappedText, Self.server.mappedText, user: 1001)
    #expect(PeerUser.id(from: Self.client, to: Self.server, in: list) == 1001)
  }

  @Test func `a socket that its process has closed has no user`() {
    for state in ["04", "05", "06", "08"] {
      let list =
        Self.header + row(Self.client.text, Self.server.text, state: state, user: 0, inode: 0)
      #expect(PeerUser.id(from: Self.client, to: Self.server, in: list) == nil)
    }
    let orphan = Self.header + row(Self.client.text, Self.server.text, user: 0, inode: 0)
    #expect(PeerUser.id(from: Self.client, to: Self.server, in: orphan) == nil)
  }

  @Test func `a list without the connection, or cut off, has no user`() {
    let other = PeerUser.End(address: 0x7F00_0001, port: 40_001)
    let whole = row(Self.client.text, Self.server.text, user: 1000)
    #expect(PeerUser.id(from: other, to: Self.server, in: Self.header + whole) == nil)
    #expect(PeerUser.id(from: Self.client, to: Self.server, in: "") == nil)
    let cut = Self.header + whole.prefix(60)
    #expect(PeerUser.id(from: Self.client, to: Self.server, in: cut) == nil)
  }

  @Test(arguments: ["127.0.0.1", "127.0.0.2"])
  func `a connection of this process belongs to its user`(source: String) async throws {
    let group = MultiThreadedEventLoopGroup.singleton
    let found = group.next().makePromise(of: UInt32?.self)
    let listener = try await ServerBootstrap(group: group)
      .childChannelInitializer { channel in
        found.succeed(PeerUser.id(of: channel))
        return channel.eventLoop.makeSucceededVoidFuture()
      }
      .bind(host: "127.0.0.1", port: 0).get()
    let client = try await ClientBootstrap(group: group)
      .bind(to: SocketAddress(ipAddress: source, port: 0))
      .connect(to: #require(listener.localAddress)).get()
    #expect(try await found.futureResult.get() == getuid())
    try await client.close()
    try await listener.close()
  }
}
