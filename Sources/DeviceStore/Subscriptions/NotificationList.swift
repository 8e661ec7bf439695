// Reads the stored notifications, and marks them as seen.

import GRDB
import Records
import SQLiteFile

/// A page of notifications.
package struct NotificationList: Hashable, Sendable {
  /// The notifications, by rising sequence numbers.
  package let notifications: [NotificationView]
  /// The number of the oldest stored notification; 0 if there is none.
  package let oldest: Int64
  /// The number of the newest notification.
  package let last: Int64
  /// The number of unseen notifications that raise the badge.
  package let badge: Int
}

extension DeviceReader {
  /// Returns the notifications after number `sequence`, at most `limit`.
  package func notifications(after sequence: Int64, limit: Int) throws -> NotificationList {
    try database.read { db in
      let state = try NotificationState.load(db)
      let device = try Self.ownDevice(db)
      let rows = try db.rows(
        """
        SELECT * FROM notification WHERE sequence > ? AND sequence <= ? ORDER BY sequence LIMIT ?
        """, [sequence, state.released, limit])
      return NotificationList(
        notifications: try rows.map { try NotificationTable.view($0, device: device) },
        oldest: Int64(try db.number("SELECT coalesce(min(sequence), 0) FROM notification")),
        last: state.released, badge: try Self.badge(db))
    }
  }

  /// The number of unseen notifications that raise the badge.
  static func badge(_ db: Database) throws -> Int {
    try db.number(
      """
      SELECT count(*) FROM notification WHERE badge = 1 AND seen = 0
        AND sequence <= (SELECT released FROM notification_state)
      """)
  }
}

extension Replica {
  /// Marks the notifications through this number as seen.
  /// - Throws: `StoreError`.
  package func saw(notificationsThrough sequence: Int64) throws {
    try database.write {
      try $0.run("UPDATE notification SET seen = 1 WHERE seen = 0 AND sequence <= ?", [sequence])
    }
  }
}
