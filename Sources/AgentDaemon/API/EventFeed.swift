// The position of one subscriber in the event log, and the format of events in the stream. The store retains
// the last 10,000 events. A subscriber with an older position receives a `reset` event with the position from
// which the stream continues.

import AgentAPI
import AgentStore
import DeviceDriver
import DeviceStore
import NIOCore
import Records

/// A position in the event log.
struct EventFeed: Sendable {
  private static let eventsPerPage = 500

  private let reader: DeviceReader
  /// The names of accounts and devices. Update them before events are written, because names become known
  /// over time.
  var who: Identity
  private(set) var position: StreamPosition

  /// Creates a feed that begins after `position`.
  init(reader: DeviceReader, who: Identity, position: StreamPosition) {
    self.reader = reader
    self.who = who
    self.position = position
  }

  /// Adds the position in another log of the stream to the ids.
  mutating func appendToIDs(_ text: String) { position.ids.after = text }

  /// Whether events are missing between the position and `batch`.
  func hasGap(before batch: [LocalEvent]) -> Bool {
    guard let first = batch.first else { return false }
    return first.sequence > position.last + 1
  }

  /// Reads the next stored events after the position; `nil` if there are none.
  mutating func missed() throws -> ByteBuffer? {
    let (events, oldest) = try reader.events(after: position.last, limit: Self.eventsPerPage)
    var buffer: ByteBuffer?
    if oldest > position.last + 1, let first = events.first {
      buffer = position.ids.reset(through: first.sequence - 1, reason: "dropped")
      position.last = first.sequence - 1
    }
    guard var text = try text(of: events) else { return buffer }
    guard buffer != nil else { return text }
    buffer?.writeBuffer(&text)
    return buffer
  }

  /// Returns the events of `batch` after the position, in the format of the stream; `nil` if there are none.
  mutating func text(of batch: [LocalEvent]) throws -> ByteBuffer? {
    var bytes: [UInt8] = []
    for event in batch where event.sequence > position.last {
      position.last = event.sequence
      bytes += "id: \(position.ids.text(event.sequence))\nevent: \(AgentEvent.change)\ndata: ".utf8
      bytes += try OrderedJSON.bytes(of: EventView(event, who: who), reservingBytes: 256)
      bytes += "\n\n".utf8
    }
    return bytes.isEmpty ? nil : ByteBuffer(bytes: bytes)
  }

  /// Returns the device's activity in the format of the stream. It has no id, because a subscriber need not
  /// catch up on it.
  static func text(of activity: SyncActivity) throws -> ByteBuffer {
    switch activity {
    case .started:
      try text(AgentEvent.syncStarted, SyncStartedView(scope: Self.scope))
    case .finished(let isDone, let error):
      try text(
        AgentEvent.syncFinished,
        SyncFinishedView(scope: Self.scope, done: isDone, reason: error?.forUsers.message))
    }
  }

  private static let scope = "timeline"

  /// Returns an event without an id in the format of the stream.
  static func text(_ name: String, _ content: some Encodable) throws -> ByteBuffer {
    var buffer = ByteBuffer(string: "event: \(name)\ndata: ")
    buffer.writeBytes(try OrderedJSON.bytes(of: content))
    buffer.writeString("\n\n")
    return buffer
  }
}

extension EventView {
  fileprivate init(_ event: LocalEvent, who: Identity) {
    self.init(
      seq: event.sequence, change: event.kind.rawValue, type: event.type.text,
      id: event.type == LocalEvent.groupType
        ? GroupID.text(event.zone)
        : RecordID(zone: event.zone, name: RecordName(stored: event.id)).publicID.text,
      name: event.title, by: AuthorView(account: event.account, device: event.device, who: who),
      group: GroupID.text(event.zone), local: event.isLocal, time: event.time)
  }
}
