// The devices that are told: each that ever followed its notifications, or saved a subscription, in an
// application. From then on what concerns it is kept until it says that it has it, within bounds.

import BrokerCore
import GRDB
import Records
import SQLiteFile

/// The `receiver` table.
struct ReceiverTable {
  let db: Database

  /// A device that is told.
  struct Receiver {
    let key: StoreKey
    /// Whose device it is.
    let account: StoreKey
    /// Nothing up to here is kept for it: it has it, or it did not listen then.
    var position: NotificationNumber
    /// The highest number that it said to have.
    var acknowledged: NotificationNumber
    /// The rows it has in `waiting`.
    var waiting: Int
    /// Whether what is told now is folded, because too much waits.
    var isFolding: Bool
    /// Whether it was away for so long that nothing is kept for it.
    var isLapsed: Bool
  }

  /// The row of a device and the row of what is kept for it.
  struct Address {
    let receiver: StoreKey
    let device: StoreKey
  }

  private static let columns =
    "key, account, position, acknowledged, waiting, is_folding, is_lapsed"

  /// The receiver with this row.
  func receiver(_ key: StoreKey) throws -> Receiver? {
    try db.first(
      "SELECT \(Self.columns) FROM receiver WHERE key = ?", [key], decode: Self.receiver)
  }

  /// What is kept for a session's device.
  func receiver(of identity: SessionIdentity) throws -> Receiver? {
    try db.first(
      "SELECT \(Self.columns) FROM receiver WHERE container = ? AND device = ?",
      [identity.container, identity.deviceKey], decode: Self.receiver)
  }

  private static func receiver(of row: Row) -> Receiver {
    Receiver(
      key: row[0], account: row[1], position: NotificationNumber(row[2]),
      acknowledged: NotificationNumber(row[3]), waiting: row[4], isFolding: row[5],
      isLapsed: row[6])
  }

  /// Enters a device, which is told what comes behind `position`.
  func insert(
    _ identity: SessionIdentity, at position: NotificationNumber, now: Timestamp
  ) throws -> Receiver {
    try db.run(
      """
      INSERT INTO receiver (container, account, device, position, acknowledged_at)
      VALUES (?, ?, ?, ?, ?)
      """,
      [
        identity.container, identity.accountKey, identity.deviceKey, position.value,
        now.microseconds,
      ])
    return Receiver(
      key: db.lastInsertedRowID, account: identity.accountKey, position: position,
      acknowledged: .none, waiting: 0, isFolding: false, isLapsed: false)
  }

  /// Writes a receiver down; with `now`, that it was heard of.
  func update(_ receiver: Receiver, now: Timestamp?) throws {
    try db.run(
      """
      UPDATE receiver SET position = ?, acknowledged = ?, waiting = ?, is_folding = ?, is_lapsed = ?,
        acknowledged_at = coalesce(?, acknowledged_at) WHERE key = ?
      """,
      [
        receiver.position.value, receiver.acknowledged.value, receiver.waiting,
        receiver.isFolding, receiver.isLapsed, now?.microseconds, receiver.key,
      ])
  }

  /// The devices of an account.
  func all(of owner: SubscriptionBook.Owner) throws -> [StoreKey] {
    try StoreKey.fetchAll(
      db.cachedStatement(sql: "SELECT key FROM receiver WHERE container = ? AND account = ?"),
      arguments: [owner.container, owner.account])
  }

  /// The devices of an account for which something waits.
  func waiting(of owner: SubscriptionBook.Owner) throws -> [StoreKey] {
    try StoreKey.fetchAll(
      db.cachedStatement(
        sql: "SELECT key FROM receiver WHERE container = ? AND account = ? AND waiting > 0"),
      arguments: [owner.container, owner.account])
  }

  /// The devices of an account that are told.
  func addresses(of owner: SubscriptionBook.Owner) throws -> [Address] {
    try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT receiver.key, receiver.device FROM receiver
            JOIN device ON device.key = receiver.device
            JOIN account ON account.key = receiver.account
          WHERE receiver.container = ? AND receiver.account = ? AND is_lapsed = 0
            AND is_revoked = 0 AND is_disabled = 0
          ORDER BY receiver.key
          """), arguments: [owner.container, owner.account]
    ).map { Address(receiver: $0[0], device: $0[1]) }
  }
}
