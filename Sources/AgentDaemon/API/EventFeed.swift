// One watcher's place in the log of events, and how events look on the wire. The store keeps the
// last 10,000; a watcher that comes later is told with a `reset` event where it goes on.

import DeviceDriver
import DeviceStore
import NIOCore
import Records

/// A place in the log of events.
struct EventFeed: Sendable {
  private static let eventsPerPage = 500

  private let reader: DeviceReader
  /// Who people are; to be set anew before events are written, for names become known.
  var who: Identity
  private let ids: EventID
  private let reset: EventPosition.Reset?
  private var last: Int64

  /// A place behind the event at `position`, in the log of which `ids` writes the ids.
  init(reader: DeviceReader, who: Identity, position: EventPosition, ids: EventID) {
    self.reader = reader
    self.who = who
    self.ids = ids
    (last, reset) = (position.last, position.reset)
  }

  /// What goes out at once: the id where the stream begins, and whether the watcher has to read
  /// everything again.
  var beginning: ByteBuffer {
    guard let reset else { return ids.beginning(at: last) }
    return ids.reset(through: last, reason: reset.rawValue)
  }

  /// Whether events are missing between the place and `batch`.
  func hasGap(before batch: [LocalEvent]) -> Bool {
    guard let first = batch.first else { return false }
    return first.sequence > last + 1
  }

  /// The next events the store has behind the place; `nil` when there are none.
  mutating func missed() throws -> ByteBuffer? {
    let (events, oldest) = try reader.events(after: last, limit: Self.eventsPerPage)
    var buffer: ByteBuffer?
    if oldest > last + 1, let first = events.first {
      buffer = ids.reset(through: first.sequence - 1, reason: "dropped")
      last = first.sequence - 1
    }
    guard var text = text(of: events) else { return buffer }
    guard buffer != nil else { return text }
    buffer?.writeBuffer(&text)
    return buffer
  }

  /// The events of `batch` that are behind the place, as they are sent; `nil` when there are none.
  mutating func text(of batch: [LocalEvent]) -> ByteBuffer? {
    var bytes: [UInt8] = []
    for event in batch where event.sequence > last {
      last = event.sequence
      bytes += "id: \(ids.text(event.sequence))\nevent: change\ndata: ".utf8
      bytes += Self.json(event, who: who).bytes
      bytes += "\n\n".utf8
    }
    return bytes.isEmpty ? nil : ByteBuffer(bytes: bytes)
  }

  /// What the device is doing, as it is sent: without a number, because nobody misses it.
  static func text(of activity: SyncActivity) -> ByteBuffer {
    var json = JSONWriter()
    json.object { json in
      json.schema()
      json.key("scope")
      json.value("timeline")
      guard case .finished(let isDone, let error) = activity else { return }
      json.key("done")
      json.value(isDone)
      json.key("reason")
      json.value(error?.message)
    }
    let name = activity == .started ? "sync.started" : "sync.finished"
    return ByteBuffer(
      string: "event: \(name)\ndata: \(String(decoding: json.bytes, as: UTF8.self))\n\n")
  }

  private static func json(_ event: LocalEvent, who: Identity) -> JSONWriter {
    var json = JSONWriter(reservingBytes: 256)
    json.object { json in
      json.schema()
      json.key("seq")
      json.value(event.sequence)
      json.key("change")
      json.value(event.kind.rawValue)
      json.key("type")
      json.value(event.type.text)
      json.key("id")
      json.value(
        event.type == LocalEvent.groupType
          ? GroupID.text(event.zone)
          : RecordID(zone: event.zone, name: RecordName(stored: event.id)).publicID.text)
      json.key("name")
      json.value(event.title)
      json.key("by")
      json.author(account: event.account, device: event.device, who: who)
      json.key("group")
      json.value(GroupID.text(event.zone))
      json.key("local")
      json.value(event.isLocal)
      json.key("time")
      json.value(event.time)
    }
    return json
  }
}
