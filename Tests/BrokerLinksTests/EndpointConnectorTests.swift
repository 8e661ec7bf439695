import BrokerLinks
import NIOPosix
import Processes
import Records
import TestTiers
import Testing

@Suite("R5 a broker with several addresses", .timeLimit(.minutes(5)))
struct EndpointConnectorTests {
  /// Connects to these endpoints and returns the events.
  private func connect(_ endpoints: [String]) throws -> AsyncStream<LinkEvent> {
    let (events, input) = AsyncStream<LinkEvent>.makeStream()
    let addressing = BrokerAddressing(
      endpoints: try BrokerEndpoint.list(endpoints.joined(separator: ", ")),
      keyDigest: [UInt8](repeating: 0, count: 32))
    EndpointConnector(loop: MultiThreadedEventLoopGroup.singleton.next()) { addressing }
      .connect { input.yield($0) }
    return events
  }

  @Test(.onlyInCheck) func `the address after one that does not answer is used`() async throws {
    let silent = try OtherServer(answer: nil)
    let broker = try await FakeBroker()
    let first = try await connect(["tls://127.0.0.1:\(silent.port)", broker.path])
      .first { _ in true }
    guard case .opened(let link) = first else {
      Issue.record("\(String(describing: first))")
      return
    }
    link.close()
    try await broker.stop()
  }

  @Test(.onlyInCheck) func `a later address is not tried if the first one answers`() async throws {
    let (home, away) = (try await FakeBroker(), try await FakeBroker())
    var links: [any BrokerLink] = []
    for await event in try connect([home.path, away.path]) {
      guard case .opened(let link) = event else { continue }
      links.append(link)
      break
    }
    try await Task.sleep(for: .seconds(3))
    try await away.stop()
    #expect(await away.accepted.first { _ in true } == nil)
    links.first?.close()
    try await home.stop()
  }

  @Test func `the reasons of all addresses are reported`() async throws {
    let paths = [FakeBroker.unusedPath(), FakeBroker.unusedPath()]
    let last = try await connect(paths).first { _ in true }
    guard case .closed(let reason?) = last else {
      Issue.record("\(String(describing: last))")
      return
    }
    for path in paths { #expect(reason.message.contains(path)) }
  }

  @Test func `without an address an attempt fails, and the connector has none`() async throws {
    let (events, input) = AsyncStream<LinkEvent>.makeStream()
    let connector = EndpointConnector(loop: MultiThreadedEventLoopGroup.singleton.next()) {
      BrokerAddressing(endpoints: [], keyDigest: nil)
    }
    #expect(!connector.hasAddress)
    connector.connect { input.yield($0) }
    let first = await events.first { _ in true }
    guard case .closed(let reason)? = first else {
      Issue.record("\(String(describing: first))")
      return
    }
    #expect(reason == nil)
  }
}
