// Changes as server-sent events. A watcher first reads what it missed from the store, then hears
// what lands; when its buffer ran over (numbers have no gaps, so it shows) it reads from the store
// again. An empty batch, which comes now and then, becomes a comment: a watcher that is gone is
// noticed by it.

import DeviceDriver
import DeviceStore
import HTTPTypes
import Hummingbird
import NIOCore
import Records

extension AgentAPI {
  func addEventRoute(to router: Router<BasicRequestContext>) {
    router.get("v1/events") { request, _ in try events(request) }
  }

  private func events(_ request: Request) throws -> Response {
    // NB: watch first and read after, or what lands between the two would be missed.
    guard let watch = driver.events.watch() else {
      throw RecordsError(
        .requestRateLimited, "Too many watchers; the limit is \(driver.events.watchersMaximum).",
        hint: "Stop another “contactsctl watch” and try again.", retryAfterSeconds: 5)
    }
    let log = try reader.eventLog()
    let feed = EventFeed(
      reader: reader, who: try identity(),
      position: try EventPosition(request, incarnation: log.incarnation, newest: log.last),
      ids: EventID(incarnation: log.incarnation))
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
    try await writer.write(feed.beginning)
    while let text = try feed.missed() { try await writer.write(text) }
    for await news in watch.news {
      if let activity = news.activity {
        try await writer.write(EventFeed.text(of: activity))
        continue
      }
      let batch = news.events
      feed.who = try identity()
      if feed.hasGap(before: batch) {
        while let text = try feed.missed() { try await writer.write(text) }
      }
      try await writer.write(feed.text(of: batch) ?? ByteBuffer(string: ":\n\n"))
    }
  }
}
