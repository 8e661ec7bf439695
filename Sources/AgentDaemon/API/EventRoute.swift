// Changes as server-sent events. A subscriber first reads the events it missed from the store, then receives
// new ones as they happen. If its buffer overflows, which shows as a gap in the numbers, it reads from the
// store again. Empty batches, sent now and then, become comments; writing them detects a closed connection.

import AgentAPI
import DeviceDriver
import DeviceStore
import HTTPTypes
import Hummingbird
import NIOCore
import Records

extension AgentRoutes {
  func addEventRoute(to router: Router<BasicRequestContext>) {
    router.get(AgentPath.events.route) { request, _ in try events(request) }
  }

  private func events(_ request: Request) throws -> Response {
    // NB: Subscribe before reading; otherwise events between the two would be missed.
    guard let watch = driver.events.watch() else {
      throw RecordsError(
        .requestRateLimited, "Too many watchers; the limit is \(driver.events.watchersMaximum).",
        hint: "Stop another “contactsctl watch” and try again.", retryAfterSeconds: 5)
    }
    let log = try reader.eventLog()
    let feed = EventFeed(
      reader: reader, who: try identity(),
      position: StreamPosition(
        try EventPosition(request, incarnation: log.incarnation, newest: log.last),
        ids: EventID(incarnation: log.incarnation)))
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
    _ start: EventFeed, _ watch: EventHub.Watch, to writer: inout any ResponseBodyWriter
  ) async throws {
    var feed = start
    try await writer.write(feed.position.beginning)
    while let text = try feed.missed() { try await writer.write(text) }
    for await news in watch.news {
      if let activity = news.activity {
        try await writer.write(EventFeed.text(of: activity))
        continue
      }
      // The log has no events of confirmed edits.
      guard news.confirmed.isEmpty else { continue }
      let batch = news.events
      feed.who = try identity()
      if feed.hasGap(before: batch) {
        while let text = try feed.missed() { try await writer.write(text) }
      }
      try await writer.write(feed.text(of: batch) ?? ByteBuffer(string: ":\n\n"))
    }
  }
}
