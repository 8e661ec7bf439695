// The commands that this device runs for the notifications of a subscription. They stay on this device. A command
// belongs to the form of the subscription for which the user set it, so a subscription that another device saves under
// the same id never runs it.

import Foundation
import GRDB
import Records
import RecordsWire
import SQLiteFile

/// A command to run now.
package struct HookRun: Hashable, Sendable {
  /// The subscription.
  package let subscription: SubscriptionID
  /// The shell command.
  package let command: String
  /// The notification, or the number of notifications that were deleted before the command ran for them.
  package let notification: NotificationView
  /// The number of deleted notifications that the run stands for; 0 if it is for a stored one.
  let missed: Int64
}

/// The `hook` table.
enum HookTable {
  /// How long the command of a deleted subscription is retained.
  private static let orphanMicroseconds: Int64 = 86_400_000_000

  /// Sets the command of a subscription, or removes it with `nil`. It runs for notifications from now on.
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

  /// Applies a subscription of the directory. Removes the command if another device changed the subscription.
  static func apply(
    _ form: SubscriptionForm?, to id: SubscriptionID, _ transaction: DeviceTransaction
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

  /// Removes the command of a subscription that this version cannot read, because another device must have changed it.
  static func removeChanged(_ id: SubscriptionID, _ transaction: DeviceTransaction) throws {
    guard try command(of: id, transaction.db) != nil else { return }
    transaction.reports.append(
      "The subscription was changed on another device, so its command no longer runs.")
    try remove(id, transaction.db)
  }

  /// Deletes commands whose subscriptions were deleted long ago and that have run for all their notifications.
  static func reap(now: Timestamp, _ db: Database) throws {
    try db.run(
      """
      DELETE FROM hook WHERE orphaned < ? AND missed = 0 AND NOT EXISTS (
        SELECT 1 FROM notification WHERE notification.subscription = hook.subscription
          AND sequence > position)
      """, [now.microseconds - orphanMicroseconds])
  }

  /// Counts the missed notifications of each command before the notifications through `last` are deleted. The command
  /// runs once for all of them.
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
  /// Returns the next run of each subscription with a command: first for the notifications that it missed, if any, then
  /// for the oldest notification for which it has not run.
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
  /// Records that a command ended, successfully or not. This is durable when the method returns, so after a crash only
  /// commands that had not ended run again.
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
