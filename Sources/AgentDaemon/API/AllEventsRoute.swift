// Everything that happens on the device, as one stream: changes, notifications, confirmed edits, the status, and
// readings of the public database. A program that shows the device needs one connection, and resumes with one id.

import AgentAPI
import AsyncAlgorithms
import DeviceDriver
import DeviceStore
import HTTPTypes
import Hummingbird
import NIOCore
import Records
import Synchronization

extension AgentRoutes {
  func addAllEventsRoute(to router: Router<BasicRequestContext>) {
    router.get(AgentPath.allEvents.route) { request, _ in try allEvents(request) }
  }

  private func allEvents(_ request: Request) throws -> Response {
    // NB: Watch before reading; otherwise events between the two would be missed.
    guard let watch = AllEventsWatch(driver) else {
      throw RecordsError(
        .requestRateLimited, "Too many watchers; the limit is \(driver.events.watchersMaximum).",
        hint: "End another program that reads the agent's events, and try again.",
        retryAfterSeconds: 5)
    }
    let feed: AllEventsFeed
    do {
      feed = try AllEventsFeed(request, reader: reader, who: try identity())
    } catch {
      watch.end()
      throw error
    }
    return Response(
      status: .ok,
      headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
      body: ResponseBody { writer in
        try await request.body.consumeWithInboundCloseHandler { _ in
          try await write(feed, watch, to: &writer)
        } onInboundClosed: {
          watch.end()
        }
        try await writer.finish(nil)
      })
  }

  private func write(
    _ start: AllEventsFeed, _ watch: AllEventsWatch, to writer: inout any ResponseBodyWriter
  ) async throws {
    var feed = start
    try await writer.write(feed.beginning)
    if let text = try feed.text(of: status()) { try await writer.write(text) }
    while let text = try feed.missed() { try await writer.write(text) }
    for await signal in watch.signals {
      feed.who = try identity()
      switch signal {
      case .news(let news):
        while feed.hasGap(before: news.events), let text = try feed.missedChanges() {
          try await writer.write(text)
        }
        // A comment detects a closed connection.
        try await writer.write(feed.text(of: news) ?? ByteBuffer(string: ":\n\n"))
      case .notified:
        while let text = try feed.missedNotifications() { try await writer.write(text) }
      case .statusChanged:
        let view = try watch.pause.measure { try status() }
        if let text = try feed.text(of: view) { try await writer.write(text) }
      }
    }
  }
}

/// The watches of one subscriber of all events.
struct AllEventsWatch: Sendable {
  /// What a watch has to say.
  enum Signal: Sendable {
    case news(EventNews)
    case notified
    case statusChanged
  }

  /// The time between two readings of the status.
  let pause = StatusPause()

  private let events: EventHub.Watch
  private let notifications: NotificationHub.Watch
  private let status: WatchHub<Void>.Watch

  /// Begins the watches; `nil` if there are too many watchers.
  init?(_ driver: ReplicaDriver) {
    guard let events = driver.events.watch() else { return nil }
    guard let notifications = driver.notifications.watch() else {
      events.end()
      return nil
    }
    guard let status = driver.statusChanges.watch() else {
      events.end()
      notifications.end()
      return nil
    }
    self.events = events
    self.notifications = notifications
    self.status = status
  }

  /// The signals of all watches, until `end`. Each watch buffers its own, so a slow subscriber delays no other.
  var signals: some AsyncSequence<Signal, Never> & Sendable {
    merge(
      events.news.map { Signal.news($0) },
      notifications.news.map { Signal.notified },
      status.news.map { [pause] in
        // Until the pause ends, the watch buffers one more report.
        try? await Task.sleep(for: pause.duration)
        return Signal.statusChanged
      })
  }

  /// Ends the watches.
  func end() {
    events.end()
    notifications.end()
    status.end()
  }
}

/// How long changes of the status are collected. It is longer after a long reading: counting 100,000 unsent edits
/// takes a tenth of a second, and each subscriber reads for itself.
final class StatusPause: Sendable {
  private static let shortest = Duration.milliseconds(100)
  private static let pausesPerReading = 10

  private let lastReading = Mutex(Duration.zero)

  /// The time to wait before the next reading.
  var duration: Duration {
    max(Self.shortest, lastReading.withLock { $0 } * Self.pausesPerReading)
  }

  /// Reads the status, and measures how long that takes.
  func measure<Status>(_ read: () throws -> Status) rethrows -> Status {
    let start = ContinuousClock.now
    defer {
      let time = ContinuousClock.now - start
      lastReading.withLock { $0 = time }
    }
    return try read()
  }
}
