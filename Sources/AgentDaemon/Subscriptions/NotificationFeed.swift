// The position of one subscriber in the log of notifications, and their format in a stream. A stream is woken and
// reads from the store after its own position, so it misses nothing.

import AgentAPI
import DeviceDriver
import DeviceStore
import NIOCore
import Records

/// A position in the log of notifications.
struct NotificationFeed: Sendable {
  private static let notificationsPerPage = 200

  private let reader: DeviceReader
  /// The names of accounts and devices; see `EventFeed.who`.
  var who: Identity
  private(set) var position: StreamPosition

  /// Creates a feed that begins after `position`.
  init(reader: DeviceReader, who: Identity, position: StreamPosition) {
    self.reader = reader
    self.who = who
    self.position = position
  }

  /// Puts the position in another log of the stream into the ids.
  mutating func prependToIDs(_ text: String) { position.ids.before = text }

  /// Reads the next notifications after the position, in the format of the stream; `nil` if there are none.
  mutating func missed() throws -> ByteBuffer? {
    let list = try reader.notifications(after: position.last, limit: Self.notificationsPerPage)
    guard let first = list.notifications.first else { return nil }
    var bytes: [UInt8] = []
    if first.sequence > position.last + 1, list.oldest > position.last + 1 {
      bytes += position.ids.reset(through: list.oldest - 1, reason: "dropped").readableBytesView
    }
    for notification in list.notifications {
      position.last = notification.sequence
      bytes +=
        "id: \(position.ids.text(position.last))\nevent: \(AgentEvent.notification)\ndata: ".utf8
      bytes += try OrderedJSON.bytes(of: SingleView(NotificationItem(notification, who: who)))
      bytes += "\n\n".utf8
    }
    return ByteBuffer(bytes: bytes)
  }
}
