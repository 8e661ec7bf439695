// What a replica requires of its driver. The replica owns no socket, clock or task. A driver that performs
// all actions of a returned list, in order, is a complete device.

import SyncCore

/// An action of the driver. Actions are returned once their cause is durable, and performed in their order.
package enum SyncAction: Hashable, Sendable {
  /// An action for the conversation with the broker.
  case conversation(DriverAction)
  /// These events are in the log: deliver them to all who watch it.
  case appended([LocalEvent])
  /// The dates or authors of such records changed, and no event says so: notify programs that show them.
  case confirmed(Set<ConfirmedRecords>)
  /// The directory changed devices or zones: names may be different.
  case directoryChanged
  /// This number of notifications was added. Watchers can read them: their records are stored, or will not be.
  case notified(count: Int)
  /// A zone of another account is gone: call `erase` until it is done, and collect files.
  case erase

  /// Writes a line to the log, without personal data.
  package static func report(_ text: String) -> SyncAction { .conversation(.report(text)) }
}
