// A broken import, a confused program or an emptied folder must not empty a group on every device.
// So deletions that nobody confirmed are counted, and held on the device when they become many.

import Records

/// Whether deletions that nobody confirmed may be sent.
package enum DeletionGuard {
  /// Up to this number deletions are never held.
  package static let freeDeletions = 20

  /// Whether `deletions` unconfirmed ones, of a group that showed `records` before them, are held:
  /// more than 20, and more than half of the group.
  package static func holds(deletions: Int, ofRecords records: Int) -> Bool {
    deletions > freeDeletions && deletions > records / 2
  }

  /// Whether the unconfirmed deletion of a whole group is held that would lose `records` after
  /// `deletions` counted ones: when more than 20 are lost together.
  package static func holdsGroup(losing records: Int, after deletions: Int) -> Bool {
    records > 0 && deletions + records > freeDeletions
  }
}
