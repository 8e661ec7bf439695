// Watchers are bounded, and lose nothing without seeing that they did.

import DeviceStore
import Records
import Testing

@testable import AgentDaemon

@Suite("I18 watchers", .timeLimit(.minutes(5)))
struct WatchHubTests {
  static func event(_ sequence: Int64) -> LocalEvent {
    LocalEvent(
      sequence: sequence, kind: .updated, type: RecordType(stored: "Contact"), zone: .standard,
      id: "r", title: "T", account: nil, device: nil, isLocal: true,
      time: Timestamp(microseconds: 0))
  }

  @Test func `a watcher hears what is published after it began`() async throws {
    let hub = EventHub()
    hub.tell([Self.event(1)])
    let watch = try #require(hub.watch())
    hub.tell([Self.event(2), Self.event(3)])
    hub.close()
    var heard: [Int64] = []
    for await news in watch.news { heard += news.events.map(\.sequence) }
    #expect(heard == [2, 3])
  }

  @Test func `a watcher that lags keeps the newest, and the gap shows`() async throws {
    let hub = EventHub()
    let watch = try #require(hub.watch())
    let count = Int64(hub.newsPerWatcher) + 10
    for number in 1...count { hub.tell([Self.event(number)]) }
    hub.close()
    var heard: [Int64] = []
    for await news in watch.news { heard += news.events.map(\.sequence) }
    #expect(heard.first == 11)
    #expect(heard.last == count)
  }

  @Test func `there is room for so many watchers, and again when one ends`() throws {
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
