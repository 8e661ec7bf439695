// What other brokers have committed, on its way to this broker's connections. The changes of a zone that a connection
// follows are read once for all of them, in the snapshot that shows the commits.

import BrokerCore
import BrokerStore
import Records
import SQLConnections
import Synchronization

/// The commits of other brokers that this broker has to publish.
final class ForeignChanges: Sendable {
  /// The revisions of all zones together whose changes are read at once, at most 4 MiB. Subscribers read the others page by
  /// page.
  private static let revisionsMaximum: Int64 = 512

  /// The zones that connections of this broker follow.
  private let watched = Mutex<Set<StoreKey>>([])
  private let pending = Mutex<CommitNotice?>(nil)

  /// Reads the changes of these zones (`true`), or no longer (`false`).
  func watch(_ zones: [StoreKey: Bool]) {
    watched.withLock { watched in
      for (zone, isWatched) in zones {
        if isWatched { watched.insert(zone) } else { watched.remove(zone) }
      }
    }
  }

  /// Returns what the entries tell, with the changes of watched zones, from the snapshot of `records`.
  func notice(of entries: [CommitLogEntry], _ records: RecordTable) throws -> CommitNotice? {
    guard !entries.isEmpty else { return nil }
    var notice = CommitNotice()
    for entry in entries { notice.add(entry.notice) }
    let watched = watched.withLock { $0 }
    var revisionsLeft = Self.revisionsMaximum
    let live = notice.zones.indices.filter { index in
      let zone = notice.zones[index]
      guard watched.contains(zone.row) else { return false }
      revisionsLeft -= zone.head.value - zone.from.value
      return revisionsLeft >= 0
    }
    let changes = try records.changes(
      of: live.map { RecordTable.Advance(zone: notice.zones[$0].row, from: notice.zones[$0].from) })
    for (index, changes) in zip(live, changes) { notice.zones[index].changes = changes }
    return notice
  }

  /// Keeps a notice until it is taken: its commits are durable.
  func add(_ notice: CommitNotice?) {
    guard let notice else { return }
    pending.withLock { pending in
      guard pending != nil else {
        pending = notice
        return
      }
      pending?.add(notice)
    }
  }

  /// Removes and returns what is to be published.
  func take() -> CommitNotice? {
    pending.withLock { pending in
      defer { pending = nil }
      return pending
    }
  }
}
