// Notifications over HTTP: as a list after a number, and as a stream.

import AgentAPI
import DeviceDriver
import DeviceStore
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Records
import TimelineStore

extension AgentRoutes {
  private static let notificationsPerPage: Int64 = 1_000

  func addNotificationRoutes(to router: Router<BasicRequestContext>) {
    router.get(AgentPath.notifications.route) { request, _ in try listNotifications(request) }
    router.get(AgentPath.notificationEvents.route) { request, _ in
      try notificationEvents(request)
    }
    router.post(AgentPath.seenNotifications.route) { request, _ in try await seen(request) }
  }

  private func listNotifications(_ request: Request) throws -> Response {
    let since = try NumberParameter.sequence(AgentQuery.since).value(in: request) ?? 0
    let limit = try NumberParameter(AgentQuery.limit, 1...Self.notificationsPerPage)
      .value(in: request)
    let who = try identity()
    let list = try reader.notifications(
      after: since, limit: Int(limit ?? Self.notificationsPerPage))
    return try .json(
      NotificationsView(
        notifications: list.notifications.map { NotificationItem($0, who: who) },
        oldest: list.oldest, last: list.last, badge: list.badge),
      reservingBytes: 512 * (list.notifications.count + 1))
  }

  private func seen(_ request: Request) async throws -> Response {
    let through = try await body(request, as: SeenForm.self).through.map {
      try NumberParameter.sequence("through").checked($0)
    }
    try await driver.edit { replica, _ in
      (try replica.saw(notificationsThrough: through ?? .max), [])
    }
    return try .json(SeenView(badge: reader.status().badge))
  }

  // MARK: As they come

  private func notificationEvents(_ request: Request) throws -> Response {
    // NB: Subscribe before reading; otherwise notifications between the two would be missed.
    guard let watch = driver.notifications.watch() else {
      throw RecordsError(
        .requestRateLimited,
        "Too many watchers; the limit is \(driver.notifications.watchersMaximum).",
        hint: "Stop another “contactsctl notifications --follow” and try again.",
        retryAfterSeconds: 5)
    }
    let newest = try reader.notifications(after: .max, limit: 1).last
    let ids = EventID(incarnation: try reader.eventLog().incarnation)
    let feed = NotificationFeed(
      reader: reader, who: try identity(),
      position: StreamPosition(
        try EventPosition(request, incarnation: ids.incarnation, newest: newest), ids: ids))
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
    _ start: NotificationFeed, _ watch: NotificationHub.Watch,
    to writer: inout any ResponseBodyWriter
  ) async throws {
    var feed = start
    try await writer.write(feed.position.beginning)
    while let text = try feed.missed() { try await writer.write(text) }
    for await _ in watch.news {
      var isQuiet = true
      feed.who = try identity()
      while let text = try feed.missed() {
        isQuiet = false
        try await writer.write(text)
      }
      // Writing detects a closed connection.
      if isQuiet { try await writer.write(ByteBuffer(string: ":\n\n")) }
    }
  }
}
