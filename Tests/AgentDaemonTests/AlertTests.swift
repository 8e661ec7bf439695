// What a person reads of notifications, and when.

import DaemonKit
import DeviceDriver
import DeviceStore
import Logging
import NIOHTTP1
import Processes
import Records
import Synchronization
import TestTiers
import Testing

@testable import AgentDaemon

@Suite("T7 alerts", .timeLimit(.minutes(5)))
struct AlertTests {
  /// The notifications as the agent's device tells them.
  private func views(
    _ notifications: [ChangeNotification], collapsed: [CollapsedNotifications] = []
  ) async throws -> [NotificationView] {
    let found = Mutex<[NotificationView]>([])
    try await RunningAgent.with { agent in
      try await agent.hear(notifications, collapsed: collapsed)
      let list = try agent.driver.reader.notifications(after: 0, limit: 1_000)
      found.withLock { $0 = list.notifications }
    }
    return found.withLock { $0 }
  }

  @Test func `one alone has its own words; without a title the record's name or ours`()
    async throws
  {
    let own = try #require(Alert(try await views([RunningAgent.change(1, body: "a <b>\u{7}\nc")])))
    #expect(own.title == "news" && own.body == "a <b>\nc")
    let plain = Alert(try await views([RunningAgent.change(1, title: nil, body: "text")]))
    #expect(plain?.title == "Contacts" && plain?.body == "text")
  }

  @Test func `several are counted, each record once, with a few of their words`() async throws {
    let three = try (1...4).map { try RunningAgent.change($0, name: "r\($0 % 3)", title: "t\($0)") }
    let alert = try #require(Alert(try await views(three)))
    #expect(alert.title == "3 contacts changed")
    #expect(alert.body == "t4\nt2\nt3")
    let many = try (1...40).map { try RunningAgent.change($0, name: "r\($0)") }
    #expect(Alert(try await views(many))?.body.hasSuffix("and 35 more") == true)
    let same = try (1...3).map { try RunningAgent.change($0, name: "r", title: "t\($0)") }
    #expect(Alert(try await views(same))?.title == "t3")
  }

  @Test func `a fold says how many there were`() async throws {
    let fold = CollapsedNotifications(
      subscription: try SubscriptionID("s"), zones: [], first: NotificationNumber(1),
      last: NotificationNumber(1200), count: 1200)
    let alert = Alert(try await views([], collapsed: [fold]))
    #expect(alert?.title == "1200 changes")
    #expect(alert?.body == "1200 changes while this device was offline")
  }

  @Test func `a group that is no longer shared has a sentence, and one line among others`()
    async throws
  {
    try await RunningAgent.with { agent in
      try await agent.hear([])
      try await agent.loseZone()
      let list = try agent.driver.reader.notifications(after: 0, limit: 10).notifications
      let alert = try #require(Alert(list))
      #expect(alert.title == "Rowing")
      #expect(alert.body == "The group “Rowing” is no longer shared with you.")
      let several = try #require(Alert(list + list))
      #expect(several.title == "2 notifications")
      #expect(several.body == "\(alert.body)\n\(alert.body)")
      let told = try await agent.ask(.GET, "/v1/notifications").list("notifications")
      #expect(told.count == 1)
      #expect(told.first?["reason"] as? String == "lost")
      #expect(told.first?["type"] as? String == "Group")
      #expect(told.first?["name"] as? String == "Rowing")
      #expect(told.first?["id"] as? String == told.first?["group"] as? String)
    }
  }

  @Test func `a group that is now shared, and one who joins it, have sentences`() async throws {
    try await RunningAgent.with { agent in
      try await agent.hear([])
      try await agent.gainZone()
      try await agent.join()
      let list = try agent.driver.reader.notifications(after: 0, limit: 10).notifications
      let alert = try #require(Alert(list))
      #expect(alert.title == "2 notifications")
      #expect(
        alert.body
          == "The group “Choir” of Bob B. is now shared with you.\nEve E. joined “Choir”")
      let told = try await agent.ask(.GET, "/v1/notifications").list("notifications")
      #expect(told.map { $0["reason"] as? String } == ["gained", "joined"])
      #expect(told.map { $0["type"] as? String } == ["Group", "Participant"])
      #expect(told.map { $0["name"] as? String } == ["Choir", "Eve E."])
      #expect(told.first?["id"] as? String == told.last?["group"] as? String)
    }
  }

  @Test func `one's own change and one without words disturb nobody`() async throws {
    let own = try RunningAgent.change(1, device: DeviceID(8))
    #expect(Alert(try await views([own])) == nil)
    #expect(Alert(try await views([RunningAgent.change(1, title: nil)])) == nil)
  }

  // MARK: The service

  @Test func `nothing shows before it is allowed, and what came before stays quiet`() async throws {
    try await withService { agent, desktop in
      try await agent.hear([RunningAgent.change(1)])
      try await Task.sleep(for: .milliseconds(100))
      #expect(desktop.shown.isEmpty)
      _ = try await agent.ask(.PUT, "/v1/permissions/notifications", #"{"state": "allow"}"#)
      try await agent.hear([RunningAgent.change(2, name: "b", title: "second")])
      try await Patience.wait(until: "an alert") { !desktop.shown.isEmpty }
      #expect(desktop.shown.map(\.title) == ["second"])
    }
  }

  @Test(.onlyInCheck) func `what comes within a moment joins the same bubble`() async throws {
    // A machine that runs other tests may need more than the usual second for three.
    try await withService(joining: .seconds(30)) { agent, desktop in
      _ = try await agent.ask(.PUT, "/v1/permissions/notifications", #"{"state": "allow"}"#)
      for number in 1...3 {
        try await agent.hear([RunningAgent.change(Int64(number), name: "r\(number)")])
      }
      try await Patience.wait(until: "the bubble to tell of three") {
        desktop.shown.last?.title == "3 contacts changed"
      }
      #expect(Set(desktop.shown.dropFirst().map(\.replaced)) == [1])
      #expect(desktop.shown.first?.replaced == 0)
    }
  }

  @Test(.onlyInCheck) func `a collapse key takes the place of its last bubble`() async throws {
    try await withService { agent, desktop in
      _ = try await agent.ask(.PUT, "/v1/permissions/notifications", #"{"state": "allow"}"#)
      try await agent.hear([RunningAgent.change(1, title: "one", collapseKey: "k")])
      try await Patience.wait(until: "the first") { desktop.shown.count == 1 }
      try await Task.sleep(for: .milliseconds(1500))
      try await agent.hear([RunningAgent.change(2, name: "b", title: "two", collapseKey: "k")])
      try await Patience.wait(until: "the second") { desktop.shown.count == 2 }
      #expect(desktop.shown.last?.title == "two" && desktop.shown.last?.replaced == 1)
    }
  }

  @Test func `without a desktop it goes on, and shows when there is one`() async throws {
    try await withService { agent, desktop in
      desktop.isThere = false
      _ = try await agent.ask(.PUT, "/v1/permissions/notifications", #"{"state": "allow"}"#)
      try await agent.hear([RunningAgent.change(1)])
      try await Patience.wait(until: "an attempt") { desktop.attempts > 0 }
      desktop.isThere = true
      try await agent.hear([RunningAgent.change(2, name: "b", title: "two")])
      try await Patience.wait(until: "an alert") { !desktop.shown.isEmpty }
      #expect(desktop.shown.map(\.title) == ["two"])
    }
  }

  private func withService(
    joining: Duration = .seconds(1),
    _ body: @Sendable (RunningAgent, FakeDesktop) async throws -> Void
  ) async throws {
    try await RunningAgent.with { agent in
      let desktop = FakeDesktop()
      let service = AlertService(
        reader: agent.driver.reader, hub: agent.driver.notifications, desktop: desktop,
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, start: 0,
        joining: joining)
      try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask { await service.run() }
        try await body(agent, desktop)
        tasks.cancelAll()
      }
      #expect(desktop.isClosed)
    }
  }
}

/// A desktop that remembers.
final class FakeDesktop: Desktop {
  struct Shown: Sendable {
    let title: String
    let body: String
    let replaced: UInt32
  }

  private struct State {
    var shown: [Shown] = []
    var attempts = 0
    var isThere = true
    var isClosed = false
  }

  private let state = Mutex(State())

  var shown: [Shown] { state.withLock { $0.shown } }
  var attempts: Int { state.withLock { $0.attempts } }
  var isClosed: Bool { state.withLock { $0.isClosed } }
  var isThere: Bool {
    get { state.withLock { $0.isThere } }
    set { state.withLock { $0.isThere = newValue } }
  }

  func show(
    title: String, body: String, sound: String?, replacing replaced: UInt32
  ) async throws -> UInt32 {
    try state.withLock { state in
      state.attempts += 1
      guard state.isThere else { throw DaemonError(.unavailable, "No desktop.") }
      state.shown.append(Shown(title: title, body: body, replaced: replaced))
      return replaced == 0 ? UInt32(state.shown.count) : replaced
    }
  }

  func close() async { state.withLock { $0.isClosed = true } }
}
