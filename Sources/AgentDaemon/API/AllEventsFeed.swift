// The position of one subscriber in the two logs of a device, changes and notifications. An id has both: the
// incarnation of the logs, the number of the last change, a period, and the number of the last notification.

import AgentAPI
import DeviceDriver
import DeviceStore
import Hummingbird
import NIOCore
import Records

/// A position in everything that happens on the device, and the format of its events.
struct AllEventsFeed: Sendable {
  private var changes: EventFeed
  private var notifications: NotificationFeed
  private var lastStatus: StatusView?

  /// The names of accounts and devices; see `EventFeed.who`.
  var who: Identity {
    get { changes.who }
    set {
      changes.who = newValue
      notifications.who = newValue
    }
  }

  /// Creates a feed that begins after the id in `request`, or now.
  /// - Throws: `invalidArguments` for text that is not an id of this stream.
  init(_ request: Request, reader: DeviceReader, who: Identity) throws {
    let log = try reader.eventLog()
    let newest = try reader.notifications(after: .max, limit: 1).last
    let ids = EventID(incarnation: log.incarnation)
    let sent = EventPosition.sent(in: request)
    let parts = try sent.map(Self.parts)
    changes = EventFeed(
      reader: reader, who: who,
      position: StreamPosition(
        try EventPosition(parts?.change, incarnation: log.incarnation, newest: log.last), ids: ids))
    notifications = NotificationFeed(
      reader: reader, who: who,
      position: StreamPosition(
        try EventPosition(parts?.notification, incarnation: log.incarnation, newest: newest),
        ids: ids))
    alignIDs()
  }

  /// Splits the id of an event into the ids in the two logs.
  private static func parts(
    of id: String
  ) throws(RecordsError) -> (change: String, notification: String) {
    let parts = id.split(separator: ".", omittingEmptySubsequences: false)
    let incarnation = id.prefix { $0 != "-" }
    guard parts.count == 2, id.contains("-") else {
      throw .invalid("since must be the id of an event of this stream.", field: AgentQuery.since)
    }
    return (String(parts[0]), "\(incarnation)-\(parts[1])")
  }

  /// Each log's ids include the position in the other one.
  private mutating func alignIDs() {
    changes.appendToIDs(".\(notifications.position.last)")
    notifications.prependToIDs("\(changes.position.last).")
  }

  /// The start of the stream: the id at which it begins, and whether the subscriber has to read everything again.
  var beginning: ByteBuffer {
    let (change, notification) = (changes.position, notifications.position)
    return notification.isReset && !change.isReset ? notification.beginning : change.beginning
  }

  /// Whether changes are missing between the position and `batch`.
  func hasGap(before batch: [LocalEvent]) -> Bool { changes.hasGap(before: batch) }

  /// Reads the next stored events of either log; `nil` if there are none.
  mutating func missed() throws -> ByteBuffer? {
    if let text = try missedChanges() { return text }
    return try missedNotifications()
  }

  /// Reads the next stored changes after the position; `nil` if there are none.
  mutating func missedChanges() throws -> ByteBuffer? {
    defer { alignIDs() }
    return try changes.missed()
  }

  /// Reads the next stored notifications after the position; `nil` if there are none.
  mutating func missedNotifications() throws -> ByteBuffer? {
    defer { alignIDs() }
    return try notifications.missed()
  }

  /// Returns news in the format of the stream; `nil` if the subscriber has them already.
  mutating func text(of news: EventNews) throws -> ByteBuffer? {
    if let activity = news.activity { return try EventFeed.text(of: activity) }
    guard news.confirmed.isEmpty else {
      var buffer = ByteBuffer()
      for records in news.confirmed.sorted(by: { "\($0)" < "\($1)" }) {
        let view = SyncedView(type: records.type.text, group: GroupID.text(records.zone))
        buffer.writeImmutableBuffer(try EventFeed.text(AgentEvent.synced, view))
      }
      return buffer
    }
    defer { alignIDs() }
    return try changes.text(of: news.events)
  }

  /// Returns the status in the format of the stream; `nil` if the subscriber has it already. It has no id, because a
  /// subscriber that connects later gets the status of that time.
  mutating func text(of status: StatusView) throws -> ByteBuffer? {
    guard lastStatus.map(status.differs) ?? true else { return nil }
    lastStatus = status
    return try EventFeed.text(AgentEvent.status, status)
  }
}

extension StatusView {
  /// Whether anything differs but counters and times that change with every edit or second.
  func differs(from other: StatusView) -> Bool { steady != other.steady }

  private var steady: StatusView {
    var view = self
    view.lastSync = nil
    view.lastSyncAgeSeconds = nil
    view.lastEvent = 0
    view.edits = Edits()
    view.brokerAnswer.seconds = nil
    view.brokerAnswer.sentence = nil
    if brokerAnswer.state == "missing" { view.connectionError = nil }
    return view
  }
}
