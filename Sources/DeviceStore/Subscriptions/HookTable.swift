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
  /// What was told: one notification, or how many there were of those that are no longer kept.
  package let notification: NotificationView
  /// How many that are no longer kept it stands for; 0 for one that is.
  let missed: Int64
}

enum HookTable {
  /// How long a subscription may be gone before its command is forgotten.
  private static let orphanMicroseconds: Int64 = 86_400_000_000

  /// Sets or, with `nil`, removes the command of a subscription. It runs for what comes from now on.
  static func set(_ command: String?, of form: SubscriptionForm, _ db: Database) throws {
    guard let command else { return try remove(form.id, db) }
    let last = try NotificationState.load(db).last
    try db.run(
      """
      INSERT INTO hook (subscription, command, form, position) VALUES (?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET command = excluded.command, form = excluded.form, orphaned = NULL
      """,
      [form.id.text, command, Data(form.belonging(to: nil).encoded), last])
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
        "The subscription was changed on another device, so its command no longer runs.")
      return try remove(id, db)
    }
    try db.run("UPDATE hook SET orphaned = NULL WHERE subscription = ?", [id.text])
  }

  /// The broker's words under this id are none of this version's: they are not those saved here.
  static func replaced(_ id: SubscriptionID, _ transaction: DeviceTransaction) throws {
    guard try command(of: id, transaction.db) != nil else { return }
    transaction.reports.append(
      "The subscription was changed on another device, so its command no longer runs.")
    try remove(id, transaction.db)
  }

  /// Forgets commands whose subscriptions went long ago and that have run for all they told.
  static func reap(now: Timestamp, _ db: Database) throws {
    try db.run(
      """
      DELETE FROM hook WHERE orphaned < ? AND missed = 0 AND NOT EXISTS (
        SELECT 1 FROM notification WHERE notification.subscription = hook.subscription
          AND sequence > position)
      """, [now.microseconds - orphanMicroseconds])
  }

  /// Notifications up to this number go: commands that have not come to them run once for all.
  static func note(loss last: Int64, _ db: Database) throws {
    let behind = try db.rows("SELECT subscription, position FROM hook WHERE position < ?", [last])
    for hook in behind {
      let id: String = hook["subscription"]
      let count = try db.number(
        """
        SELECT coalesce(sum(max(1, coalesce(folded, 1))), 0) FROM notification
        WHERE subscription = ? AND sequence > ? AND sequence <= ?
        """, [id, hook["position"] as Int64, last])
      guard count > 0 else { continue }
      try db.run(
        "UPDATE hook SET missed = missed + ?, position = ? WHERE subscription = ?",
        [count, last, id])
    }
  }

  static func command(of id: SubscriptionID, _ db: Database) throws -> String? {
    try db.row(
      "SELECT command FROM hook WHERE subscription = ? AND orphaned IS NULL", [id.text])?["command"]
  }
}

extension DeviceReader {
  /// What is to be run next: of each subscription with a command first how many it missed, if any,
  /// then the oldest notification for which it has not run.
  package func hookRuns() throws -> [HookRun] {
    try database.read { db in
      let state = try NotificationState.load(db)
      let device = try Self.ownDevice(db)
      return try db.rows("SELECT * FROM hook ORDER BY subscription").compactMap { hook in
        if hook["missed"] as Int64 > 0 { return try Self.missed(hook, db) }
        let row = try db.row(
          """
          SELECT * FROM notification WHERE subscription = ? AND sequence > ? AND sequence <= ?
          ORDER BY sequence LIMIT 1
          """, [hook["subscription"] as String, hook["position"] as Int64, state.released])
        return try row.map {
          HookRun(
            subscription: SubscriptionID(stored: hook["subscription"]), command: hook["command"],
            notification: try NotificationTable.view($0, device: device), missed: 0)
        }
      }
    }
  }

  private static func missed(_ hook: Row, _ db: Database) throws -> HookRun {
    let subscription = SubscriptionID(stored: hook["subscription"])
    let missed: Int64 = hook["missed"]
    let oldest = try db.row("SELECT time FROM notification ORDER BY sequence LIMIT 1")
    return HookRun(
      subscription: subscription, command: hook["command"],
      notification: NotificationView(
        sequence: hook["position"], subscription: subscription, subject: .fold(count: missed),
        content: NotificationForm(),
        time: Timestamp(microseconds: oldest?["time"] as Int64? ?? 0), isSeen: false),
      missed: missed)
  }
}

extension Replica {
  /// A command ran for this notification, well or not; durable on return, so that after a crash only
  /// what had not come to its end runs again.
  /// - Throws: `StoreError`.
  package func hookRan(_ run: HookRun) throws {
    try database.write { db in
      guard run.missed == 0 else {
        return try db.run(
          "UPDATE hook SET missed = max(0, missed - ?) WHERE subscription = ?",
          [run.missed, run.subscription.text])
      }
      try db.run(
        "UPDATE hook SET position = ? WHERE subscription = ? AND position < ?",
        [run.notification.sequence, run.subscription.text, run.notification.sequence])
    }
  }
}
