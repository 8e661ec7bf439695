// The devices that receive notifications: each that ever followed its notifications in a container, or saved
// a subscription there. From then on the broker retains a device's notifications until it acknowledges them,
// within limits.

import BrokerCore
import Records
import SQLConnections

/// The `receiver` table.
struct ReceiverTable {
  let db: any SQLConnection

  /// A device that receives notifications in one container.
  struct Receiver {
    let key: StoreKey
    let account: StoreKey
    /// No notification up to this number is retained for the device: it acknowledged them, may not read them,
    /// or was not registered yet.
    var position: NotificationNumber
    /// The highest number that the device acknowledged.
    var acknowledged: NotificationNumber
    /// The number of its rows in `waiting`.
    var waiting: Int
    /// Whether new notifications are collapsed, because the device is at its limit.
    var isCollapsing: Bool
    /// Whether the backlog was discarded, because the device was offline past the limit.
    var isBacklogDiscarded: Bool
  }

  /// The rows of a device in `receiver` and in `device`.
  struct Address {
    let receiver: StoreKey
    let device: StoreKey
  }

  private static let columns =
    "key, account, position, acknowledged, waiting, is_folding, is_lapsed"

  /// Returns the receiver with this row.
  func receiver(_ key: StoreKey) throws -> Receiver? {
    try db.first(
      "SELECT \(Self.columns) FROM receiver WHERE key = ?", [key], decode: Self.receiver)
  }

  /// Returns the receiver of a session's device; `nil` if it is not registered.
  func receiver(of identity: SessionIdentity) throws -> Receiver? {
    try db.first(
      "SELECT \(Self.columns) FROM receiver WHERE container = ? AND device = ?",
      [identity.container, identity.deviceKey], decode: Self.receiver)
  }

  private static func receiver(of row: SQLRow) -> Receiver {
    Receiver(
      key: row[0], account: row[1], position: NotificationNumber(row[2]),
      acknowledged: NotificationNumber(row[3]), waiting: row[4],
      isCollapsing: row[5], isBacklogDiscarded: row[6])
  }

  /// Registers a device, which receives the notifications after `position`.
  func insert(
    _ identity: SessionIdentity, at position: NotificationNumber, now: Timestamp
  ) throws -> Receiver {
    let key = try db.insert(
      """
      INSERT INTO receiver (container, account, device, position, acknowledged_at)
      VALUES (?, ?, ?, ?, ?)
      """,
      [
        identity.container, identity.accountKey, identity.deviceKey, position.value,
        now.microseconds,
      ])
    return Receiver(
      key: key, account: identity.accountKey, position: position,
      acknowledged: .none, waiting: 0, isCollapsing: false, isBacklogDiscarded: false)
  }

  /// Writes a receiver. Pass the time as `now` if the device has acknowledged something, else `nil`.
  func update(_ receiver: Receiver, now: Timestamp?) throws {
    try db.run(
      """
      UPDATE receiver SET position = ?, acknowledged = ?, waiting = ?, is_folding = ?, is_lapsed = ?,
        acknowledged_at = coalesce(?, acknowledged_at) WHERE key = ?
      """,
      [
        receiver.position.value, receiver.acknowledged.value, receiver.waiting,
        receiver.isCollapsing, receiver.isBacklogDiscarded, now?.microseconds, receiver.key,
      ])
  }

  /// Returns all receivers of an account.
  func all(of owner: SubscriptionBook.Owner) throws -> [StoreKey] {
    try
      (db.column(
        "SELECT key FROM receiver WHERE container = ? AND account = ?",
        [owner.container, owner.account]) as [StoreKey])
  }

  /// Returns the receivers of an account that have rows in `waiting`.
  func waiting(of owner: SubscriptionBook.Owner) throws -> [StoreKey] {
    try
      (db.column(
        "SELECT key FROM receiver WHERE container = ? AND account = ? AND waiting > 0",
        [owner.container, owner.account]) as [StoreKey])
  }

  /// Returns the devices of an account to notify. Excludes revoked devices, those of disabled accounts and,
  /// until they connect again, devices whose backlog was discarded.
  func addresses(of owner: SubscriptionBook.Owner) throws -> [Address] {
    try db.rows(
      """
      SELECT receiver.key, receiver.device FROM receiver
        JOIN device ON device.key = receiver.device
        JOIN account ON account.key = receiver.account
      WHERE receiver.container = ? AND receiver.account = ? AND is_lapsed = 0
        AND is_revoked = 0 AND is_disabled = 0
      ORDER BY receiver.key
      """, [owner.container, owner.account]
    ).map { Address(receiver: $0[0], device: $0[1]) }
  }
}
