import NIOCore
import NIOEmbedded
import Records
import RecordsWire
import Testing

@testable import BrokerLinks

@Suite("C11 the sending side of a link")
struct ChannelLinkTests {
  private static let limit = ChannelLink.outgoingBytesMaximum
  /// The bytes of a frame with a long request, besides the request.
  private static let overhead =
    ClientFrame.framed(id: 1, encodedRequest: Array(repeating: 0, count: limit - 100)).count
    - (limit - 100)

  private func link(_ log: EventLog) throws -> (channel: EmbeddedChannel, link: any BrokerLink) {
    let channel = EmbeddedChannel()
    try channel.pipeline.syncOperations.addHandler(FrameReceiver { log.receive($0) })
    channel.pipeline.fireChannelActive()
    return (channel, try #require(log.link))
  }

  private func request(framedAs count: Int) -> [UInt8] {
    Array(repeating: 0, count: count - Self.overhead)
  }

  @Test(arguments: [-1, 0, 1])
  func `a link is full above the limit, and says once when it has room again`(excess: Int) throws {
    let log = EventLog()
    let (channel, link) = try link(log)
    let hasRoom = link.send(1, encodedRequest: request(framedAs: Self.limit + excess))
    #expect(hasRoom == (excess <= 0))
    channel.embeddedEventLoop.run()
    #expect(log.rooms == (excess > 0 ? 1 : 0))
    #expect(link.send(1, .ping))
    channel.embeddedEventLoop.run()
    #expect(log.rooms == (excess > 0 ? 1 : 0))
  }

  @Test func `a full link stays full for small messages until it was written`() throws {
    let log = EventLog()
    let (channel, link) = try link(log)
    #expect(link.send(1, encodedRequest: request(framedAs: Self.limit)))
    for _ in 0..<3 { #expect(!link.send(1, .ping)) }
    #expect(log.rooms == 0)
    channel.embeddedEventLoop.run()
    #expect(log.rooms == 1)
  }

  @Test func `messages that are sent in a row are written at once and in order`() throws {
    let (channel, link) = try link(EventLog())
    var expected: [UInt8] = []
    for id in 1...50 as ClosedRange<UInt64> {
      link.send(id, .ping)
      expected += ClientFrame(id: id, message: .ping).framed
    }
    #expect(try channel.readOutbound(as: ByteBuffer.self) == nil)
    channel.embeddedEventLoop.run()
    let written = try #require(try channel.readOutbound(as: ByteBuffer.self))
    #expect(Array(written.readableBytesView) == expected)
    #expect(try channel.readOutbound(as: ByteBuffer.self) == nil)
  }
}
