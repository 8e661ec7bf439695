import NIOCore
import NIOEmbedded
import PredicateWorld
import Records
import RecordsWire
import Testing

@testable import BrokerLinks

@Suite("C11 receiving frames from a stream")
struct FrameReceiverTests {
  private func channel(_ log: EventLog) throws -> EmbeddedChannel {
    let channel = EmbeddedChannel()
    try channel.pipeline.syncOperations.addHandler(FrameReceiver { log.receive($0) })
    channel.pipeline.fireChannelActive()
    return channel
  }

  private func stream(_ numbers: ClosedRange<UInt64>) -> [UInt8] {
    numbers.flatMap { BrokerFrame(replyTo: $0, message: .pong).framed }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `frames arrive once and in order, however they are split and whenever the link is paused`(
    seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed)
    // Within some events the receiver pauses, and within some it pauses and resumes.
    let log = EventLog { number, link in
      if number.isMultiple(of: 7) { link.pause() }
      if number.isMultiple(of: 14) { link.resume() }
    }
    let channel = try channel(log)
    var rest = stream(1...60)[...]
    while !rest.isEmpty {
      let count = min(rest.count, 1 + generator.below(40))
      try channel.writeInbound(ByteBuffer(bytes: rest.prefix(count)))
      rest = rest.dropFirst(count)
      if generator.percent(30) { log.link?.resume() }
      if generator.percent(10) { log.link?.pause() }
    }
    for _ in 0..<60 { log.link?.resume() }
    #expect(log.frames == Array(1...60), "seed \(seed)")
    #expect(log.closings.isEmpty, "seed \(seed)")
  }

  @Test func `a paused link delivers nothing until it is resumed`() throws {
    let log = EventLog { number, link in if number == 2 { link.pause() } }
    let channel = try channel(log)
    try channel.writeInbound(ByteBuffer(bytes: stream(1...5)))
    #expect(log.frames == [1, 2])
    try channel.writeInbound(ByteBuffer(bytes: stream(6...7)))
    #expect(log.frames == [1, 2])
    log.link?.resume()
    #expect(log.frames == Array(1...7))
  }

  @Test func `at the end a paused link delivers what arrived before it`() throws {
    let log = EventLog { number, link in if number == 1 { link.pause() } }
    let channel = try channel(log)
    try channel.writeInbound(ByteBuffer(bytes: stream(1...3)))
    channel.pipeline.fireChannelInactive()
    #expect(log.frames == [1, 2, 3])
    #expect(log.closings.map { $0?.code } == [.networkUnavailable])
  }

  @Test(
    arguments: [
      [0, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF], [0, 0x40, 0, 1], [0, 0, 0, 1, 0x07], [0, 0, 0, 1, 0],
    ] as [[UInt8]])
  func `a malformed frame ends the connection once, after the frames before it`(bytes: [UInt8])
    throws
  {
    let log = EventLog()
    let channel = try channel(log)
    try channel.writeInbound(ByteBuffer(bytes: stream(1...2) + bytes + stream(3...4)))
    channel.embeddedEventLoop.run()
    #expect(log.frames == [1, 2])
    #expect(log.closings.count == 1)
    let codes: [RecordsError.Code] = [.invalidArguments, .limitExceeded]
    #expect(codes.contains { $0 == log.closings.first??.code })
  }

  @Test func `after it was closed from this side a link reports nothing more`() throws {
    let log = EventLog { number, link in if number == 2 { link.close() } }
    let channel = try channel(log)
    try channel.writeInbound(ByteBuffer(bytes: stream(1...5)))
    #expect(log.frames == [1, 2])
    #expect(log.closings == [nil])
    log.link?.close()
    channel.embeddedEventLoop.run()
    #expect(log.closings == [nil])
    #expect(!channel.isActive)
  }

  @Test func `an error ends the connection with its own words`() throws {
    let own = RecordsError(.permissionFailure, "It is another broker.")
    for (error, code) in [
      (own, .permissionFailure), (ChannelError.inputClosed, .networkUnavailable),
    ]
      as [(any Error, RecordsError.Code)]
    {
      let log = EventLog()
      try channel(log).pipeline.fireErrorCaught(error)
      #expect(log.closings.map { $0?.code } == [code])
    }
  }
}
