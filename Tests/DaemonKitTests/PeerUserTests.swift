// The kernel's answers about connections of this process. The listeners' tests connect as another user.

import Glibc
import NIOCore
import NIOPosix
import Testing

@testable import DaemonKit

@Suite("W5 the user of a TCP connection")
struct PeerUserTests {
  @Test(arguments: ["127.0.0.1", "127.0.0.2"], ["127.0.0.1", "127.77.12.9"])
  func `a connection of this process belongs to its user`(source: String, listener: String)
    async throws
  {
    #expect(try await user(from: source, to: listener) == getuid())
  }

  @Test func `a connection to an IPv4 address over an IPv6 socket belongs to its user`()
    async throws
  {
    let found = try await user(to: "127.0.0.1") { listener in
      let file = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = UInt16(listener.port ?? 0).bigEndian
      address.sin6_addr.__in6_u.__u6_addr8 =
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 127, 0, 0, 1)
      let answer = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(file, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
        }
      }
      #expect(answer == 0)
      return { _ = close(file) }
    }
    #expect(found == getuid())
  }

  @Test func `the kernel tells the user of a socket that listens, and of none that is closed`()
    throws
  {
    let socket = try LoopbackSocket(port: 0)
    #expect(PeerUser.isKnown(of: socket))
    close(socket.descriptor)
    #expect(!PeerUser.isKnown(of: socket))
  }

  /// Returns the user that is found for a connection.
  private func user(from source: String, to listener: String) async throws -> UInt32? {
    try await user(to: listener) { address in
      let client = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .bind(to: SocketAddress(ipAddress: source, port: 0)).connect(to: address).get()
      return { client.close(promise: nil) }
    }
  }

  /// Returns the user that is found for the connection that `connect` makes. It returns what closes the connection.
  private func user(
    to host: String, connect: (SocketAddress) async throws -> () -> Void
  ) async throws -> UInt32? {
    let group = MultiThreadedEventLoopGroup.singleton
    let found = group.next().makePromise(of: UInt32?.self)
    let listener = try await ServerBootstrap(group: group)
      .childChannelInitializer { channel in
        found.succeed(PeerUser.id(of: channel))
        return channel.eventLoop.makeSucceededVoidFuture()
      }
      .bind(host: host, port: 0).get()
    let close = try await connect(#require(listener.localAddress))
    let user = try await found.futureResult.get()
    close()
    try await listener.close()
    return user
  }
}
