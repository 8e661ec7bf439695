// Subscriptions on SQLite. Each row is one wording; what comes of saving, deleting and firing is
// another row or another state, and the directory's revision says in which order an account's devices
// hear of it. A deletion stays as a row without words as long as somebody may have to be told.

import BrokerCore
import FoundationEssentials
import GRDB
import Records
import RecordsWire
import SQLiteFile

/// The `subscription` table.
struct SubscriptionTable {
  let db: Database

  /// How a wording stands.
  enum State: Int64 {
    case inForce = 0
    case replaced = 1
    case deleted = 2
    case toldOnce = 3
  }

  /// A wording in force.
  struct Wording {
    let form: SubscriptionForm
    let owner: SubscriptionBook.Owner
    let accountID: AccountID
    let device: StoreKey?
    let byteCount: Int
    let failure: String?
  }

  /// The wording with this row, if it is in force.
  func wording(_ key: StoreKey) throws -> Wording? {
    try db.first(
      """
      SELECT bytes, container, account, account.id, device, failure
      FROM subscription JOIN account ON account.key = account
      WHERE subscription.key = ? AND state = 0
      """, [key]
    ) { row in
      guard let account = AccountID(bytes: row[3] as Data) else {
        throw StoreError(.damaged, "An account's id has not 16 bytes.")
      }
      let bytes: Data = row[0]
      return Wording(
        form: try SubscriptionForm(encoded: [UInt8](bytes)),
        owner: SubscriptionBook.Owner(container: row[1], account: row[2]), accountID: account,
        device: row[4], byteCount: bytes.count, failure: row[5])
    }
  }

  /// The words behind a row, whether in force or not; `nil` once nobody is to hear them.
  func form(_ key: StoreKey) throws -> SubscriptionForm? {
    try db.first(
      "SELECT bytes FROM subscription WHERE key = ? AND state != 2 AND bytes IS NOT NULL", [key]
    ) { try SubscriptionForm(encoded: [UInt8]($0[0] as Data)) }
  }

  /// The row and the state of what is kept under an id.
  func existing(
    _ id: SubscriptionID, of owner: SubscriptionBook.Owner
  ) throws -> (key: StoreKey, state: SubscriptionState)? {
    try db.first(
      """
      SELECT key, id, bytes, failure, state FROM subscription
      WHERE container = ? AND account = ? AND id = ? AND state = 0
      """, [owner.container, owner.account, id.text]
    ) { (key: $0[0], state: try Self.state(of: $0, from: 1)) }
  }

  /// The row of the next wording; never used again, because what waits names it.
  func nextKey() throws -> StoreKey {
    let last = try db.first("SELECT seq FROM sqlite_sequence WHERE name = 'subscription'", []) {
      $0[0] as StoreKey
    }
    return (last ?? 0) + 1
  }

  /// Enters a wording, in force from now on.
  func insert(
    _ form: SubscriptionForm, key: StoreKey, bytes: [UInt8], device: StoreKey?, zone: StoreKey?,
    of owner: SubscriptionBook.Owner, revision: Revision
  ) throws {
    try db.run(
      """
      INSERT INTO subscription (key, container, account, id, device, zone, revision, bytes)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        key, owner.container, owner.account, form.id.text, device, zone, revision.value,
        Data(bytes),
      ])
  }

  /// What was kept under an id is no longer told by its rows: a new one tells.
  func supersede(_ id: SubscriptionID, of owner: SubscriptionBook.Owner) throws {
    let arguments: StatementArguments = [owner.container, owner.account, id.text]
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

  /// Takes a wording out of force. Its words stay while something told in them may wait, which is
  /// what has a number up to `number`; those of a deleted one do not.
  func retire(
    _ key: StoreKey, to state: State, at number: NotificationNumber, revision: Revision
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

  /// Switches a subscription off.
  func fail(_ key: StoreKey, because sentence: String) throws {
    try db.run("UPDATE subscription SET failure = ? WHERE key = ?", [sentence, key])
  }

  /// The directory tells a subscription at another revision.
  func touch(_ key: StoreKey, revision: Revision) throws {
    try db.run("UPDATE subscription SET revision = ? WHERE key = ?", [revision.value, key])
  }

  /// Forgets words that nobody needs any more: nothing with a number up to theirs waits.
  func forgetWords(below number: NotificationNumber, rowsMaximum: Int) throws -> Bool {
    let keys = try StoreKey.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT key FROM subscription
          WHERE state IN (1, 3) AND bytes IS NOT NULL AND retired < ? ORDER BY retired LIMIT ?
          """), arguments: [number.value, rowsMaximum])
    for key in keys {
      try db.run("UPDATE subscription SET bytes = NULL WHERE key = ?", [key])
      try db.run("DELETE FROM subscription WHERE key = ? AND revision = 0", [key])
    }
    return keys.count == rowsMaximum
  }

  /// Of an account's deletions only the latest go on being told. Returns the revision up to which
  /// some are no longer.
  func forgetDeletions(of owner: SubscriptionBook.Owner) throws -> Revision? {
    let oldest = try db.first(
      """
      SELECT revision FROM subscription
      WHERE container = ? AND account = ? AND revision > 0 AND state != 0
      ORDER BY revision DESC LIMIT 1 OFFSET \(BrokerLimits.deletedSubscriptionsTold)
      """, [owner.container, owner.account]
    ) { Revision($0[0]) }
    guard let oldest else { return nil }
    let arguments: StatementArguments = [owner.container, owner.account, oldest.value]
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

  /// A subscription in force.
  struct Place {
    let key: StoreKey
    let id: SubscriptionID
    let owner: SubscriptionBook.Owner

    init(key: StoreKey, id: SubscriptionID, owner: SubscriptionBook.Owner) {
      self.key = key
      self.id = id
      self.owner = owner
    }

    fileprivate init(_ row: Row) {
      self.init(
        key: row[0], id: SubscriptionID(stored: row[1]),
        owner: SubscriptionBook.Owner(container: row[2], account: row[3]))
    }
  }

  /// An account's.
  func inForce(of owner: SubscriptionBook.Owner) throws -> [Place] {
    try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT key, id, container, account FROM subscription
          WHERE container = ? AND account = ? AND state = 0
          """), arguments: [owner.container, owner.account]
    ).map(Place.init)
  }

  /// Some of an account's that name a zone.
  ///
  /// NB: looked for among the account's, which are a thousand at most: the zone may have a hundred
  /// times as many.
  func inForce(
    inZone zone: StoreKey, of owner: SubscriptionBook.Owner, rowsMaximum: Int
  ) throws -> [Place] {
    try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT key, id, container, account FROM subscription
          WHERE container = ? AND account = ? AND state = 0 AND +zone = ? LIMIT ?
          """), arguments: [owner.container, owner.account, zone, rowsMaximum]
    ).map(Place.init)
  }

  /// Some of those that belong to a device which was revoked.
  func ofRevokedDevices(rowsMaximum: Int) throws -> [Place] {
    try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT subscription.key, subscription.id, container, subscription.account
          FROM subscription JOIN device ON device.key = subscription.device
          WHERE state = 0 AND subscription.device IS NOT NULL AND is_revoked = 1 LIMIT ?
          """), arguments: [rowsMaximum]
    ).map(Place.init)
  }

  /// The ids of those that tell a receiver.
  func told(to receiver: StoreKey) throws -> [SubscriptionID] {
    try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT id FROM receiver JOIN subscription USING (container, account)
          WHERE receiver.key = ? AND state = 0
            AND (subscription.device IS NULL OR subscription.device = receiver.device)
          ORDER BY id
          """), arguments: [receiver]
    ).map { SubscriptionID(stored: $0[0]) }
  }

  // MARK: Telling

  /// The account's subscriptions that were saved, deleted or switched off after `revision`; from
  /// zero, those in force.
  func states(
    of owner: SubscriptionBook.Owner, after revision: Revision
  ) throws -> [SubscriptionState] {
    try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT id, bytes, failure, state FROM subscription
          WHERE container = ?1 AND account = ?2 AND revision > ?3 AND (?3 > 0 OR state = 0)
          ORDER BY revision
          """), arguments: [owner.container, owner.account, revision.value]
    ).map { try Self.state(of: $0, from: 0) }
  }

  /// The account's subscriptions behind an id, by id.
  func page(
    of owner: SubscriptionBook.Owner, after id: SubscriptionID?
  ) throws -> (states: [SubscriptionState], isWhole: Bool) {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT id, bytes, failure, state FROM subscription
        WHERE container = ? AND account = ? AND id > ? AND state = 0 ORDER BY id
        """, arguments: [owner.container, owner.account, id?.text ?? ""])
    var states: [SubscriptionState] = []
    var byteCount = 0
    while let row = try rows.next() {
      guard states.count < BrokerLimits.subscriptionsPerPage, byteCount < BrokerLimits.pageBytes
      else { return (states, false) }
      byteCount += (row[1] as Data).count
      states.append(try Self.state(of: row, from: 0))
    }
    return (states, true)
  }

  private static func state(of row: Row, from column: Int) throws -> SubscriptionState {
    let isInForce = row[column + 3] == State.inForce.rawValue
    let bytes: Data? = isInForce ? row[column + 1] : nil
    return SubscriptionState(
      id: SubscriptionID(stored: row[column]),
      form: try bytes.map { try SubscriptionForm(encoded: [UInt8]($0)) },
      failure: isInForce ? (row[column + 2] as String?).map(Self.failure) : nil)
  }

  /// What is told of a subscription that was switched off.
  static func failure(_ sentence: String) -> RecordsError {
    RecordsError(
      .limitExceeded, sentence, hint: "Save the subscription again with another predicate.",
      field: "predicate", reason: "switchedOff")
  }
}
