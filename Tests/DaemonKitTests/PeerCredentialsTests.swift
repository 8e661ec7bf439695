// The credentials of a socket's peer, read by descriptor and by channel.

import DaemonKit
import Glibc
import NIOCore
import NIOPosix
import Testing

@Suite("B2 peer credentials", .timeLimit(.minutes(5)))
struct PeerCredentialsTests {
  @Test func `the peer of a socket pair is this process`() throws {
    var descriptors: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &descriptors) == 0)
    defer { for descriptor in descriptors { close(descriptor) } }
    let peer = try PeerCredentials(descriptor: descriptors[0])
    #expect(peer == PeerCredentials(userID: getuid(), groupID: getgid(), processID: getpid()))
    #expect(!peer.isOverflowUser)
  }

  @Test func `a descriptor that is not a socket has no peer`() {
    #expect(throws: DaemonError.self) { try PeerCredentials(descriptor: -1) }
  }

  @Test func `an accepted channel knows its peer before the first read`() async throws {
    let directory = try TemporaryDirectory()
    let (peers, input) = AsyncStream<PeerCredentials>.makeStream()
    let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .childChannelInitializer { channel in
        PeerCredentials.of(channel).map { _ = input.yield($0) }
      }
      .bind(unixDomainSocketPath: directory.file("s")).get()
    let client = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .connect(unixDomainSocketPath: directory.file("s")).get()
    var iterator = peers.makeAsyncIterator()
    #expect(await iterator.next()?.userID == getuid())
    try await client.close().get()
    try await listener.close().get()
  }

  @Test func `the overflow user is recognized`() {
    #expect(PeerCredentials(userID: 65534, groupID: 65534, processID: 1).isOverflowUser)
  }
}
