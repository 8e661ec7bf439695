import NIOCore
import NIOEmbedded
import Records
import RecordsWire
import Synchronization
import Testing

@testable import BrokerLinks

@Suite("R5 attempts at the addresses of a broker")
struct EndpointAttemptsTests {
  private let loop = EmbeddedEventLoop()
  private let events = EventLog()
  private let connectors = [HeldConnector(), HeldConnector(), HeldConnector()]

  /// Begins to connect to three endpoints that report nothing by themselves.
  private func begin() throws {
    let endpoints = try BrokerEndpoint.list("unix:/0, unix:/1, unix:/2")
    EndpointAttempts(
      endpoints: endpoints, loop: loop,
      connector: { [connectors] in connectors[endpoints.firstIndex(of: $0) ?? 0] },
      events.receive
    ).begin()
  }

  private var tried: [Bool] { connectors.map(\.isTried) }

  @Test func `an address that does not answer keeps the next one waiting for two seconds`() throws {
    try begin()
    loop.advanceTime(by: .milliseconds(1999))
    #expect(tried == [true, false, false])
    loop.advanceTime(by: .milliseconds(1))
    #expect(tried == [true, true, false])
    loop.advanceTime(by: .seconds(2))
    #expect(tried == [true, true, true])
  }

  @Test func `an address that fails keeps the next one waiting for no time`() throws {
    try begin()
    connectors[0].report(.closed(RecordsError(.networkUnavailable, "No.")))
    #expect(tried == [true, true, false])
    loop.advanceTime(by: .seconds(2))
    #expect(tried == [true, true, true])
    #expect(events.closings.isEmpty)
  }

  @Test func `the first connection that opens is used, and a later one is closed`() throws {
    try begin()
    loop.advanceTime(by: .seconds(2))
    let (late, used) = (HeldLink(), HeldLink())
    connectors[1].report(.opened(used))
    connectors[0].report(.opened(late))
    #expect(late.isClosed && !used.isClosed && events.link as? HeldLink === used)
    loop.advanceTime(by: .seconds(9))
    #expect(tried == [true, true, false])
  }
}

/// A connector whose events are reported by a test.
private final class HeldConnector: BrokerConnector {
  private let receive = Mutex<(@Sendable (LinkEvent) -> Void)?>(nil)

  var isTried: Bool { receive.withLock { $0 != nil } }

  func connect(_ receive: @escaping @Sendable (LinkEvent) -> Void) {
    self.receive.withLock { $0 = receive }
  }

  func report(_ event: LinkEvent) { receive.withLock { $0 }?(event) }
}

/// A link that only knows whether it was closed.
private final class HeldLink: BrokerLink {
  private let closed = Mutex(false)

  var isClosed: Bool { closed.withLock { $0 } }

  func close() { closed.withLock { $0 = true } }
  func send(_ id: UInt64, _ message: ClientMessage) -> Bool { true }
  func send(_ id: UInt64, encodedRequest: [UInt8]) -> Bool { true }
  func flush() {}
  func pause() {}
  func resume() {}
}
