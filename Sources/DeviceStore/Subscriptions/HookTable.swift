// Commands that a person of this device wants run when a subscription tells something. They stay on
// this device, and are bound to the words of the subscription they were made with: what another
// device saves under the same id never runs anything here.

import Foundation
import GRDB
import Records
import RecordsWire
import SQLiteFile

/// A command that is to be run now.
package struct HookRun: Hashable, Sendable {
  /// The subscription.
  package let subscription: SubscriptionID
  /// The command, for a shell.
  package let command: String
  /// What was told.
  package let notification: NotificationView
}

enum HookTable {
  /// How long a subscription may be gone before its command is forgotten.
  private static let orphanMicroseconds: Int64 = 86_400_000_000

  /// Sets or, with `nil`, removes the command of a subscription. It runs for what comes from now on.
  static func set(_ command: String?, of form: SubscriptionForm, _ db: Database) throws {
    guard let command else { return try remove(form.id, db) }
    let last = try NotificationState.load(db).last
    let kept = try db.row("SELECT position FROM hook WHERE subscription = ?", [form.id.text])
    try db.run(
      "INSERT OR REPLACE INTO hook VALUES (?, ?, ?, ?, NULL)",
      [
        form.id.text, command, Data(form.belonging(to: nil).encoded),
        kept?["position"] as Int64? ?? last,
      ])
  }

  static func remove(_ id: SubscriptionID, _ db: Database) throws {
    try db.run("DELETE FROM hook WHERE subscription = ?", [id.text])
  }

  /// The directory says what the subscription is now.
  static func told(
    _ form: SubscriptionForm?, of id: SubscriptionID, _ transaction: DeviceTransaction
  ) throws {
    let db = transaction.db
    guard let row = try db.row("SELECT form FROM hook WHERE subscription = ?", [id.text]) else {
      return
    }
    guard let form else {
      return try db.run(
        "UPDATE hook SET orphaned = ? WHERE subscription = ? AND orphaned IS NULL",
        [transaction.now.microseconds, id.text])
    }
    let made = try SubscriptionForm(encoded: [UInt8](row["form"] as Data))
    guard made == form.belonging(to: nil) else {
      transaction.reports.append(
        "A subscription is no longer what was saved here; its command does not run any more.")
      return try remove(id, db)
    }
    try db.run("UPDATE hook SET orphaned = NULL WHERE subscription = ?", [id.text])
  }

  /// Forgets commands whose subscriptions went long ago.
  static func reap(now: Timestamp, _ db: Database) throws {
    try db.run(
      "DELETE FROM hook WHERE orphaned < ?", [now.microseconds - orphanMicroseconds])
  }

  static func command(of id: SubscriptionID, _ db: Database) throws -> String? {
    try db.row(
      "SELECT command FROM hook WHERE subscription = ? AND orphaned IS NULL", [id.text])?["command"]
  }
}

extension DeviceReader {
  /// What is to be run next: of each subscription with a command the oldest notification for which
  /// it has not run.
  package func hookRuns() throws -> [HookRun] {
    try database.read { db in
      let state = try NotificationState.load(db)
      let device = try Self.ownDevice(db)
      return try db.rows("SELECT * FROM hook ORDER BY subscription").compactMap { hook in
        let row = try db.row(
          """
          SELECT * FROM notification WHERE subscription = ? AND sequence > ? AND sequence <= ?
          ORDER BY sequence LIMIT 1
          """, [hook["subscription"] as String, hook["position"] as Int64, state.released])
        return try row.map {
          HookRun(
            subscription: SubscriptionID(stored: hook["subscription"]), command: hook["command"],
            notification: try NotificationTable.view($0, device: device))
        }
      }
    }
  }
}

extension Replica {
  /// A command ran for this notification, well or not; durable on return, so that after a crash only
  /// what had not come to its end runs again.
  /// - Throws: `StoreError`.
  package func hookRan(_ run: HookRun) throws {
    try database.write { db in
      try db.run(
        "UPDATE hook SET position = ? WHERE subscription = ? AND position < ?",
        [run.notification.sequence, run.subscription.text, run.notification.sequence])
    }
  }
}
