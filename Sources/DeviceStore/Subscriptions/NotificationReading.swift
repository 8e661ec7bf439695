// What the device tells of notifications, and the one thing that is done to them here: to be seen.

import GRDB
import Records
import SQLiteFile

/// A stretch of what subscriptions told.
package struct NotificationList: Hashable, Sendable {
  /// In order.
  package let notifications: [NotificationView]
  /// The number of the oldest that is kept; 0 when there is none.
  package let oldest: Int64
  /// The number of the newest.
  package let last: Int64
  /// How many raise the badge and were not seen.
  package let badge: Int
}

extension DeviceReader {
  /// At most `limit` notifications behind number `sequence`.
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

  /// How many notifications raise the badge and were not seen.
  static func badge(_ db: Database) throws -> Int {
    try db.number(
      """
      SELECT count(*) FROM notification WHERE badge = 1 AND seen = 0
        AND sequence <= (SELECT released FROM notification_state)
      """)
  }
}

extension Replica {
  /// A person has looked at the notifications up to this number.
  /// - Throws: `StoreError`.
  package func saw(notificationsThrough sequence: Int64) throws {
    try database.write {
      try $0.run("UPDATE notification SET seen = 1 WHERE seen = 0 AND sequence <= ?", [sequence])
    }
  }
}
