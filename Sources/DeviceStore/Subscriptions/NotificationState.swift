// How far notifications have come on this device: what is stored of the broker's, how many were
// numbered here, and up to where they may be shown.

import GRDB
import Records
import SQLiteFile

struct NotificationState {
  /// The broker's number of the last that is stored.
  var position: NotificationNumber
  /// The last number given here.
  var last: Int64
  /// Those up to here may be shown.
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
