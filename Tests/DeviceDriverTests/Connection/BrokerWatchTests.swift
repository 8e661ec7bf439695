// The socket is noticed when it is created, also if its directory did not exist when the watch began.

import Foundation
import NIOCore
import NIOPosix
import Testing

@testable import DeviceDriver

@Suite("B3 broker watch", .timeLimit(.minutes(5)))
struct BrokerWatchTests {
  @Test func `directories created inside each other during the check are not missed`() async throws
  {
    for round in 0..<100 {
      try await `a file that is created later is noticed`(name: "\(round)/a/b/c/d/broker.sock")
    }
  }

  @Test(arguments: ["broker.sock", "sub/broker.sock", "sub/deeper/broker.sock"])
  func `a file that is created later is noticed`(name: String) async throws {
    let root = FileManager.default.temporaryDirectory.appending(
      path: "watch-\(UUID().uuidString)"
    ).path
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: root) }
    let path = "\(root)/\(name)"
    let (appeared, continuation) = AsyncStream.makeStream(of: Void.self)
    let channel = try await BrokerWatch.start(
      path: path, on: MultiThreadedEventLoopGroup.singleton.next()
    ) { continuation.yield() }.get()
    let directory = (path as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try Data().write(to: URL(filePath: path))
    var iterator = appeared.makeAsyncIterator()
    #expect(await iterator.next() != nil)
    try await channel.close()
  }
}
