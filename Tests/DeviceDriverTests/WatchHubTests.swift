// The number of watchers and their buffers are bounded, and a watcher notices what it lost.

import DeviceStore
import Records
import Testing

@testable import DeviceDriver

@Suite("I18 watchers", .timeLimit(.minutes(5)))
struct WatchHubTests {
  static func event(_ sequence: Int64) -> LocalEvent {
    LocalEvent(
      sequence: sequence, kind: .updated, type: RecordType(stored: "Contact"), zone: .standard,
      id: "r", title: "T", account: nil, device: nil, isLocal: true,
      time: Timestamp(microseconds: 0))
  }

  @Test func `a watcher gets what is published after it began`() async throws {
    let hub = EventHub()
    hub.publish([Self.event(1)])
    let watch = try #require(hub.watch())
    hub.publish([Self.event(2), Self.event(3)])
    hub.close()
    var received: [Int64] = []
    for await news in watch.news { received += news.events.map(\.sequence) }
    #expect(received == [2, 3])
  }

  @Test func `a watcher that lags keeps the newest, and the gap shows`() async throws {
    let hub = EventHub()
    let watch = try #require(hub.watch())
    let count = Int64(hub.newsPerWatcher) + 10
    for number in 1...count { hub.publish([Self.event(number)]) }
    hub.close()
    var received: [Int64] = []
    for await news in watch.news { received += news.events.map(\.sequence) }
    #expect(received.first == 11)
    #expect(received.last == count)
  }

  @Test func `one watcher more than the maximum is rejected until another ends`() throws {
    let hub = EventHub()
    let watches = (0..<hub.watchersMaximum).compactMap { _ in hub.watch() }
    #expect(watches.count == hub.watchersMaximum)
    #expect(hub.watch() == nil)
    watches[0].end()
    #expect(hub.watch() != nil)
    hub.close()
    #expect(hub.watch() == nil)
  }
}
