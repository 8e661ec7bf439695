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
  var ids: EventID
  private let reset: EventPosition.Reset?
  /// The number of the last notification that the subscriber has.
  private(set) var last: Int64

  /// Creates a feed that begins after the notification at `position`; `ids` writes the ids of the log.
  init(reader: DeviceReader, who: Identity, position: EventPosition, ids: EventID) {
    self.reader = reader
    self.who = who
    self.ids = ids
    (last, reset) = (position.last, position.reset)
  }

  /// Whether the subscriber has to read everything again.
  var isReset: Bool { reset != nil }

  /// The start of the stream; see `EventFeed.beginning`.
  var beginning: ByteBuffer {
    guard let reset else { return ids.beginning(at: last) }
    return ids.reset(through: last, reason: reset.rawValue)
  }

  /// Reads the next notifications after the position, in the format of the stream; `nil` if there are none.
  mutating func missed() throws -> ByteBuffer? {
    let list = try reader.notifications(after: last, limit: Self.notificationsPerPage)
    guard let first = list.notifications.first else { return nil }
    var bytes: [UInt8] = []
    if first.sequence > last + 1, list.oldest > last + 1 {
      bytes += ids.reset(through: list.oldest - 1, reason: "dropped").readableBytesView
    }
    for notification in list.notifications {
      last = notification.sequence
      bytes += "id: \(ids.text(last))\nevent: \(AgentEvent.notification)\ndata: ".utf8
      bytes += try OrderedJSON.bytes(of: SingleView(NotificationItem(notification, who: who)))
      bytes += "\n\n".utf8
    }
    return ByteBuffer(bytes: bytes)
  }
}
