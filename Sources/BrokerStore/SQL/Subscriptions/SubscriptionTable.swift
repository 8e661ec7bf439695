// Subscriptions in SQLite. Each row is one version of a subscription, with one state. Saving, deleting and
// firing insert a row or change a row's state. The directory revision of a row determines the order in which
// an account's devices receive these changes. The row of a deleted subscription remains, without its content,
// while a device may have to learn of the deletion.

import BrokerCore
import Records
import RecordsWire
import SQLConnections

/// The `subscription` table.
struct SubscriptionTable {
  let db: any SQLConnection

  /// The state of a version. Only active versions notify.
  enum State: Int64 {
    case active = 0
    case replaced = 1
    case deleted = 2
    /// The subscription fires once, and did.
    case fired = 3
  }

  /// An active version of a subscription.
  struct Version {
    let key: StoreKey
    let form: SubscriptionForm
    let owner: SubscriptionBook.Owner
    let accountID: AccountID
    /// The only device to notify; `nil` for all of the account's.
    let device: StoreKey?
    /// The size of the encoded form.
    let byteCount: Int
    /// The reason for which the broker switched the subscription off; `nil` if it did not.
    var failure: String?
  }

  // MARK: Reading one

  private static let versionSelection = """
    SELECT subscription.key, bytes, container, subscription.account, account.id, device, failure
    FROM subscription JOIN account ON account.key = subscription.account WHERE state = 0
    """

  /// Returns the version with this row, if it is active.
  func activeVersion(_ key: StoreKey) throws -> Version? {
    try db.first(
      "\(Self.versionSelection) AND subscription.key = ?", [key], decode: Self.version)
  }

  /// Calls `visit` with each active version that was not switched off.
  func visitVersionsInForce(_ visit: (Version) throws -> Void) throws {
    try db.statement("\(Self.versionSelection) AND failure IS NULL").scan([]) { row in
      try visit(Self.version(SQLRow(of: row)))
      return true
    }
  }

  private static func version(_ row: SQLRow) throws -> Version {
    guard let account = AccountID(bytes: row[4] as [UInt8]) else {
      throw StoreError(.damaged, "An account ID does not have 16 bytes.")
    }
    let bytes: [UInt8] = row[1]
    return Version(
      key: row[0], form: try SubscriptionForm(encoded: bytes),
      owner: SubscriptionBook.Owner(container: row[2], account: row[3]), accountID: account,
      device: row[5], byteCount: bytes.count, failure: row[6])
  }

  /// Returns the content of a version in any state; `nil` if the subscription was deleted, or the content
  /// was, because no pending notification refers to it.
  func form(_ key: StoreKey) throws -> SubscriptionForm? {
    try db.first(
      "SELECT bytes FROM subscription WHERE key = ? AND state != 2 AND bytes IS NOT NULL", [key]
    ) { try SubscriptionForm(encoded: $0[0]) }
  }

  /// Returns the row and the state of the active subscription with this ID.
  func active(
    _ id: SubscriptionID, of owner: SubscriptionBook.Owner
  ) throws -> (key: StoreKey, state: SubscriptionState)? {
    try db.first(
      """
      SELECT key, id, bytes, failure, state FROM subscription
      WHERE container = ? AND account = ? AND id = ? AND state = 0
      """, [owner.container, owner.account, id.text]
    ) { (key: $0[0], state: try Self.state(of: $0, from: 1)) }
  }

  // MARK: Writing

  /// Returns the row for the next version. Rows are not used again, because pending notifications refer to
  /// them.
  func nextKey() throws -> StoreKey {
    try db.nextKey(of: "subscription")
  }

  /// Inserts an active version, of which `bytes` is the encoded form.
  func insert(
    _ version: Version, bytes: [UInt8], zone: StoreKey?, revision: Revision
  ) throws {
    try db.run(
      """
      INSERT INTO subscription (key, container, account, id, device, zone, revision, bytes)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        version.key, version.owner.container, version.owner.account, version.form.id.text,
        version.device, zone, revision.value, bytes,
      ])
  }

  /// Removes all rows of an ID from the directory, because the row that is inserted next represents it.
  /// Rows without content are deleted.
  func supersede(_ id: SubscriptionID, of owner: SubscriptionBook.Owner) throws {
    let arguments: SQLArguments = [owner.container, owner.account, id.text]
    try db.run(
      """
      DELETE FROM subscription
      WHERE container = ? AND account = ? AND id = ? AND state != 0 AND bytes IS NULL
      """, arguments)
    try db.run(
      """
      UPDATE subscription SET revision = 0 WHERE container = ? AND account = ? AND id = ?
      """, arguments)
  }

  /// Changes the state of an active version. A replaced or fired version retains its content while a
  /// notification up to `number` may be pending. If `state` is `deleted`, the content of all versions with
  /// the same ID is deleted at once.
  func deactivate(
    _ key: StoreKey, as state: State, at number: NotificationNumber, revision: Revision
  ) throws {
    try db.run(
      "UPDATE subscription SET state = ?, retired = ?, revision = ?, failure = NULL WHERE key = ?",
      [state.rawValue, number.value, revision.value, key])
    guard state == .deleted else { return }
    try db.run(
      """
      UPDATE subscription SET state = 2, bytes = NULL
      WHERE state != 0 AND (container, account, id) =
        (SELECT container, account, id FROM subscription WHERE key = ?)
      """, [key])
    try db.run(
      """
      DELETE FROM subscription WHERE state = 2 AND revision = 0 AND (container, account, id) =
        (SELECT container, account, id FROM subscription WHERE key = ?)
      """, [key])
  }

  /// Switches a subscription off. It remains visible to its account, with `reason`.
  func setFailure(_ reason: String, of key: StoreKey) throws {
    try db.run("UPDATE subscription SET failure = ? WHERE key = ?", [reason, key])
  }

  /// Moves a subscription to another revision of the directory.
  func setRevision(_ revision: Revision, of key: StoreKey) throws {
    try db.run("UPDATE subscription SET revision = ? WHERE key = ?", [revision.value, key])
  }

  /// Deletes the content of replaced and fired versions once all notifications that may refer to it are
  /// gone: those below `number`. Returns whether there may be more rows.
  func deleteUnusedForms(below number: NotificationNumber, rowsMaximum: Int) throws -> Bool {
    let keys =
      try
      (db.column(
        """
        SELECT key FROM subscription
        WHERE state IN (1, 3) AND bytes IS NOT NULL AND retired < ? ORDER BY retired LIMIT ?
        """, [number.value, rowsMaximum]) as [StoreKey])
    for key in keys {
      try db.run("UPDATE subscription SET bytes = NULL WHERE key = ?", [key])
      try db.run("DELETE FROM subscription WHERE key = ? AND revision = 0", [key])
    }
    return keys.count == rowsMaximum
  }

  /// Retains the latest `deletedSubscriptionsPerDirectory` deactivated subscriptions in an account's
  /// directory and removes older ones. Returns the revision up to which the directory is incomplete since;
  /// `nil` if nothing was removed.
  func removeOldDeletions(of owner: SubscriptionBook.Owner) throws -> Revision? {
    let oldest = try db.first(
      """
      SELECT revision FROM subscription
      WHERE container = ? AND account = ? AND revision > 0 AND state != 0
      ORDER BY revision DESC LIMIT 1 OFFSET \(BrokerLimits.deletedSubscriptionsPerDirectory)
      """, [owner.container, owner.account]
    ) { Revision($0[0]) }
    guard let oldest else { return nil }
    let arguments: SQLArguments = [owner.container, owner.account, oldest.value]
    try db.run(
      """
      DELETE FROM subscription WHERE container = ? AND account = ? AND revision BETWEEN 1 AND ?
        AND state != 0 AND bytes IS NULL
      """, arguments)
    try db.run(
      """
      UPDATE subscription SET revision = 0 WHERE container = ? AND account = ?
        AND revision BETWEEN 1 AND ? AND state != 0
      """, arguments)
    return oldest
  }

  // MARK: Finding

  /// Identifies an active subscription.
  struct ActiveRow {
    let key: StoreKey
    let id: SubscriptionID
    let owner: SubscriptionBook.Owner

    init(key: StoreKey, id: SubscriptionID, owner: SubscriptionBook.Owner) {
      self.key = key
      self.id = id
      self.owner = owner
    }

    fileprivate init(_ row: SQLRow) {
      self.init(
        key: row[0], id: SubscriptionID(stored: row[1]),
        owner: SubscriptionBook.Owner(container: row[2], account: row[3]))
    }
  }

  func activeRows(of owner: SubscriptionBook.Owner) throws -> [ActiveRow] {
    try db.rows(
      """
      SELECT key, id, container, account FROM subscription
      WHERE container = ? AND account = ? AND state = 0
      """, [owner.container, owner.account]
    ).map(ActiveRow.init)
  }

  /// Returns up to `rowsMaximum` subscriptions of an account whose scope is a zone.
  ///
  /// NB: `+zone` makes SQLite search the account's subscriptions, at most 1,000, instead of the zone's,
  /// which may be a hundred times as many.
  func activeRows(
    inZone zone: StoreKey, of owner: SubscriptionBook.Owner, rowsMaximum: Int
  ) throws -> [ActiveRow] {
    try db.rows(
      """
      SELECT key, id, container, account FROM subscription
      WHERE container = ? AND account = ? AND state = 0 AND +zone = ? LIMIT ?
      """, [owner.container, owner.account, zone, rowsMaximum]
    ).map(ActiveRow.init)
  }

  /// Returns up to `rowsMaximum` subscriptions that notify a single device, which was revoked.
  func activeRowsOfRevokedDevices(rowsMaximum: Int) throws -> [ActiveRow] {
    try db.rows(
      """
      SELECT subscription.key, subscription.id, container, subscription.account
      FROM subscription JOIN device ON device.key = subscription.device
      WHERE state = 0 AND subscription.device IS NOT NULL AND is_revoked = 1 LIMIT ?
      """, [rowsMaximum]
    ).map(ActiveRow.init)
  }

  /// Returns the IDs of the active subscriptions that notify a device, in their order.
  func ids(notifying receiver: StoreKey) throws -> [SubscriptionID] {
    try db.rows(
      """
      SELECT id FROM receiver JOIN subscription USING (container, account)
      WHERE receiver.key = ? AND state = 0
        AND (subscription.device IS NULL OR subscription.device = receiver.device)
      ORDER BY id
      """, [receiver]
    ).map { SubscriptionID(stored: $0[0]) }
  }
}
