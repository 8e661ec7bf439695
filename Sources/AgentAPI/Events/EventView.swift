import Records

/// A change, as an event.
package struct EventView: Codable, Hashable, Sendable {
  package var schema = 1
  /// The number of the event.
  package var seq: Int64
  /// `created`, `updated` or `deleted`.
  package var change: String
  /// The type of the record, or `Group`.
  package var type: String
  package var id: String
  package var name: String
  package var by: AuthorView
  /// The id of the group.
  package var group: String
  /// Whether the change was made on this device.
  package var local: Bool
  package var time: Timestamp

  package init(
    seq: Int64, change: String, type: String, id: String, name: String, by: AuthorView,
    group: String, local: Bool, time: Timestamp
  ) {
    self.seq = seq
    self.change = change
    self.type = type
    self.id = id
    self.name = name
    self.by = by
    self.group = group
    self.local = local
    self.time = time
  }
}

/// The names of events in the streams. Areas add their own.
package enum AgentEvent {
  /// A change; the content is an `EventView`.
  package static let change = "change"
  /// Events before the following ones are missing; the content is a `ResetView`.
  package static let reset = "reset"
  /// The broker has confirmed edits; the content is a `SyncedView`.
  package static let synced = "synced"
  /// The status of the device, at the beginning of a stream and when it has changed; the content is a `StatusView`.
  package static let status = "status"
  /// The device begins to read the public database; the content is a `SyncStartedView`.
  package static let syncStarted = "sync.started"
  /// The device has read the public database, or failed; the content is a `SyncFinishedView`.
  package static let syncFinished = "sync.finished"
}

extension AgentPath {
  /// The stream of changes.
  package static let events = AgentPath("events")
  /// The stream of everything that happens on the device.
  package static let allEvents = AgentPath("events", "all")
}

extension AgentQuery {
  /// The event after which a stream begins.
  package static let since = "since"
}
