import Foundation
import NIOCore
import NIOPosix
import Records
import RecordsWire
import Synchronization
import Testing

@testable import BrokerLinks

@Suite("C11 a link to the broker", .timeLimit(.minutes(5)))
struct UnixBrokerConnectorTests {
  @Test(
    arguments: [
      (EACCES, "forbiddenSocket"), (EPERM, "forbiddenSocket"), (ENOENT, nil), (EAGAIN, nil),
    ] as [(Int32, String?)])
  func `programs recognize a socket that the user may not use by the reason`(
    number: Int32, reason: String?
  ) {
    let error = IOError(errnoCode: number, reason: "connect")
    #expect(UnixBrokerConnector.reason(of: error, path: "/b.sock").reason == reason)
  }

  @Test func `messages and encoded requests arrive in order`() async throws {
    let broker = try await FakeBroker()
    let (link, _) = try await open(broker)
    let request = ModifyRequest(
      number: RequestNumber(1), acknowledged: .zero,
      groups: [OperationGroup(zone: .standard, operations: [.deleteZone()])])
    for id in 1...100 as ClosedRange<UInt64> { link.send(id, .ping) }
    link.send(101, encodedRequest: request.encoded)
    var received: [ClientFrame] = []
    for await frame in broker.received {
      received.append(frame)
      if frame.id == 101 { break }
    }
    #expect(received.map(\.id) == Array(1...101))
    #expect(received.last?.message == .modify(request))
    link.close()
    try await broker.stop()
  }

  @Test func `the broker's frames arrive in order, however they are split`() async throws {
    let broker = try await FakeBroker()
    var (_, events) = try await open(broker)
    let channel = try await firstConnection(of: broker)
    let stream = (1...50).flatMap { BrokerFrame(replyTo: $0, message: .pong).framed }
    for start in stride(from: 0, to: stream.count, by: 5) {
      let piece = stream[start..<min(start + 5, stream.count)]
      try await channel.writeAndFlush(ByteBuffer(bytes: piece)).get()
    }
    var received: [UInt64] = []
    while received.count < 50, let event = await events.next() {
      if case .receiving = event { continue }
      guard case .received(let frame) = event else { break }
      received.append(frame.replyTo)
    }
    #expect(received == Array(1...50))
    try await broker.stop()
  }

  // A large frame on a slow network must not count as silence.
  @Test func `a part of a frame is reported`() async throws {
    let broker = try await FakeBroker()
    var (_, events) = try await open(broker)
    let channel = try await firstConnection(of: broker)
    let frame = BrokerFrame(replyTo: 1, message: .pong).framed
    try await channel.writeAndFlush(ByteBuffer(bytes: frame.dropLast())).get()
    guard case .receiving = await events.next() else {
      Issue.record("The bytes are not reported.")
      return
    }
    try await channel.writeAndFlush(ByteBuffer(bytes: frame.suffix(1))).get()
    guard case .received = await events.next() else {
      Issue.record("The frame is not reported.")
      return
    }
    try await broker.stop()
  }

  @Test func `without a broker the connection closes before it opens`() async throws {
    let (events, input) = AsyncStream<LinkEvent>.makeStream()
    connector(to: FakeBroker.unusedPath()).connect { input.yield($0) }
    #expect(await firstReason(in: events)?.code == .networkUnavailable)
  }

  @Test func `a path that is too long for a socket is reported`() async throws {
    let (events, input) = AsyncStream<LinkEvent>.makeStream()
    connector(to: "/" + String(repeating: "a", count: 200)).connect { input.yield($0) }
    #expect(await firstReason(in: events)?.code == .invalidArguments)
  }

  @Test(
    arguments: [
      [0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 0], [0, 0, 0, 1, 0xFF], [0, 0, 0, 3, 0xAA, 1, 0],
    ] as [[UInt8]])
  func `invalid bytes from a broker close the connection`(bytes: [UInt8]) async throws {
    let broker = try await FakeBroker()
    var (_, events) = try await open(broker)
    let channel = try await firstConnection(of: broker)
    try await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get()
    guard case .closed(let reason?) = await events.next() else {
      Issue.record("The link should have closed with a reason.")
      return
    }
    #expect(reason.code != .networkUnavailable)
    try await channel.closeFuture.get()
    try await broker.stop()
  }

  @Test func `a closed broker and a closed link are reported differently`() async throws {
    let broker = try await FakeBroker()
    var (_, gone) = try await open(broker)
    try await firstConnection(of: broker).close().get()
    guard case .closed(let reason?) = await gone.next() else {
      Issue.record("The end should have a reason.")
      return
    }
    #expect(reason.code == .networkUnavailable)
    var (link, closed) = try await open(broker)
    link.close()
    guard case .closed(nil) = await closed.next() else {
      Issue.record("One's own close has no reason.")
      return
    }
    link.send(1, .ping)
    try await broker.stop()
  }

  @Test func `a paused link reports no event until it is resumed and loses none`() async throws {
    let broker = try await FakeBroker()
    let (events, input) = AsyncStream<LinkEvent>.makeStream()
    let paused = Mutex<(any BrokerLink)?>(nil)
    let count = Mutex(0)
    connector(to: broker.path).connect { event in
      if case .opened(let link) = event { paused.withLock { $0 = link } }
      if case .received(let frame) = event {
        count.withLock { $0 += 1 }
        // Pausing from within an event takes effect immediately: no further event may follow.
        if frame.replyTo == 10 {
          paused.withLock { $0 }?.pause()
          input.yield(event)
        }
        if frame.replyTo == 20_000 { input.yield(event) }
      }
    }
    let channel = try await firstConnection(of: broker)
    let stream = (1...20_000).flatMap { BrokerFrame(replyTo: $0, message: .pong).framed }
    channel.writeAndFlush(ByteBuffer(bytes: stream), promise: nil)
    var iterator = events.makeAsyncIterator()
    _ = await iterator.next()
    let link = try #require(paused.withLock { $0 })
    try await Task.sleep(for: .milliseconds(50))
    #expect(count.withLock { $0 } == 10)
    link.resume()
    _ = await iterator.next()
    #expect(count.withLock { $0 } == 20_000)
    link.close()
    try await broker.stop()
  }

  @Test func `a broker that does not read asks senders to wait until it does`() async throws {
    let broker = try await FakeBroker(isReading: false)
    var (link, events) = try await open(broker)
    let channel = try await firstConnection(of: broker)
    let save = Records.Operation.Save(
      name: try RecordName("a"), type: try RecordType("T"), tag: nil,
      fields: EncodedRecord(["a": .bytes(Array(repeating: 1, count: 500_000))]))
    let request = ModifyRequest(
      number: RequestNumber(1), acknowledged: .zero,
      groups: [OperationGroup(zone: .standard, operations: [.save(save)])]
    ).encoded
    var sent: UInt64 = 0
    repeat { sent += 1 } while link.send(sent, encodedRequest: request) && sent < 1000
    #expect(sent < 10)
    try await channel.setOption(.autoRead, value: true).get()
    guard case .writable = await events.next() else {
      Issue.record("There should be room again.")
      return
    }
    var received: UInt64 = 0
    for await frame in broker.received {
      received = frame.id
      if received == sent { break }
    }
    #expect(received == sent)
    link.close()
    try await broker.stop()
  }

  private func connector(to path: String) -> UnixBrokerConnector {
    UnixBrokerConnector(path: path, group: .singletonMultiThreadedEventLoopGroup)
  }

  private func open(
    _ broker: FakeBroker
  ) async throws -> (any BrokerLink, AsyncStream<LinkEvent>.Iterator) {
    let (events, input) = AsyncStream<LinkEvent>.makeStream()
    connector(to: broker.path).connect { input.yield($0) }
    var iterator = events.makeAsyncIterator()
    guard case .opened(let link) = await iterator.next() else {
      throw RecordsError(.networkUnavailable, "The fake broker was not reached.")
    }
    return (link, iterator)
  }

  private func firstConnection(of broker: FakeBroker) async throws -> any Channel {
    for await channel in broker.accepted { return channel }
    throw RecordsError(.networkUnavailable, "Nobody connected to the fake broker.")
  }

  private func firstReason(in events: AsyncStream<LinkEvent>) async -> RecordsError? {
    for await event in events {
      if case .closed(let reason) = event { return reason }
      return nil
    }
    return nil
  }
}
