// A broken import, a confused program or an emptied folder must not empty a group on every device.
// So deletions that nobody asked for are counted before they are sent, and held when they are many.

import Records

/// Whether deletions that nobody asked for may be sent.
package enum DeletionGuard {
  /// Fewer than this are never held.
  package static let freeDeletions = 20

  /// Whether `deletions` unasked ones, of a zone that showed `records` before them, are held: more
  /// than 20, and more than half of the zone.
  package static func holds(deletions: Int, ofRecords records: Int) -> Bool {
    deletions > freeDeletions && deletions * 2 > records
  }
}
