// The positions of this device in its notifications: the last stored one, the last number assigned, and the last one
// that is shown.

import GRDB
import Records
import SQLiteFile

/// The row of the `notification_state` table.
struct NotificationState {
  /// The broker's number of the last stored notification.
  var position: NotificationNumber
  /// The last sequence number that this device assigned.
  var last: Int64
  /// The sequence number of the last notification that is shown.
  var released: Int64

  static func load(_ db: Database) throws -> NotificationState {
    guard let row = try db.row("SELECT * FROM notification_state WHERE id = 1") else {
      return NotificationState(position: .none, last: 0, released: 0)
    }
    return NotificationState(
      position: NotificationNumber(max(0, row["position"] as Int64)), last: row["last"],
      released: row["released"])
  }

  func store(_ db: Database) throws {
    try db.run(
      "UPDATE notification_state SET position = ?, last = ?, released = ?",
      [position.value, last, released])
  }
}
