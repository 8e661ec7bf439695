// State of the writing connection that outlives a transaction: compiled statements, cached rows, the
// subscriptions in force, and the limits of the current transaction. The caches are valid because no
// other connection writes, or tells what it wrote. They are invalidated when a transaction is rolled back, and when rows are
// changed by statements that bypass this type.

import BrokerCore
import Predicates
import Records
import SQLConnections

/// The writing connection's statements, caches and transaction limits.
///
/// NB: `@unchecked`, because it is used only on the database's serial queue, which the compiler cannot
/// see; it never leaves `SQLiteRecordStore.transact`.
package final class WriterMemory: @unchecked Sendable {
  /// A zone's id within a container.
  struct ZoneKey: Hashable {
    let container: StoreKey
    let id: ZoneID
  }

  /// A device's request numbers, and whether the device is revoked.
  struct Numbers {
    var last: RequestNumber
    var acknowledged: RequestNumber
    /// Outcomes up to this number have been deleted.
    var outcomesDeletedThrough: RequestNumber
    let isRevoked: Bool
  }

  /// How often each device's key was changed. No row stores it, so it is never dropped; a rollback
  /// restores the counts of the last commit.
  struct KeyGenerations {
    var current: [StoreKey: Int] = [:]
    var committed: [StoreKey: Int] = [:]
  }

  /// What of `book`, `indexes` and `cascadingZones` differs from the tables.
  enum Lost {
    case nothing
    /// They may have the changes of a transaction that was rolled back.
    case rolledBack
    case everything
  }

  /// What notifications need: the devices of an account, and the latest number.
  struct NotificationCache {
    var receivers: [SubscriptionBook.Owner: [ReceiverTable.Address]] = [:]
    var head: (last: NotificationNumber, isRaised: Bool)?
  }

  /// The most rows that a cache holds, about 1 MiB. A fuller cache is emptied.
  static let rowsMaximum = 8192

  var rows = RowCache()
  var transaction = OpenTransaction()
  private var statements: SaveStatements?
  var keyGenerations = KeyGenerations()
  /// The subscriptions in force.
  private(set) var book = SubscriptionBook()
  /// What must be read before the next transaction.
  var lost = Lost.nothing
  /// The indexes that every save updates.
  private(set) var indexes: [StoredIndex] = []
  /// Whether a zone has `deleteSelf` references, for the zones asked about.
  var referenceUse: [StoreKey: Bool] = [:]
  /// The zones that have hidden records whose deletion is pending.
  private(set) var cascadingZones: Set<StoreKey> = []
  /// The row of `past` after which the next expiry step starts; 0 for the first row. Rows before it are
  /// dated in the future.
  var historyScanStart: Int64 = 0
  /// How many records a cascade deletes in its transaction and in each later step.
  let cascades: CascadeBounds
  var notifications = NotificationCache()

  init(cascades: CascadeBounds) {
    self.cascades = cascades
  }

  /// The compiled statements of a save. The first call compiles them.
  func statements(in db: any SQLConnection) throws -> SaveStatements {
    if let statements { return statements }
    let compiled = try SaveStatements(in: db)
    statements = compiled
    return compiled
  }

  /// Releases the compiled statements, because SQLite cannot close a connection that has any.
  func releaseStatements() {
    statements = nil
  }

  /// Forgets everything that was read or compiled on a connection, because the next transaction runs on another one,
  /// and another broker may have written meanwhile.
  package func forgetConnection() {
    releaseStatements()
    invalidateRows()
    invalidateReceivers()
    notifications.head = nil
    referenceUse = [:]
    lost = .everything
  }

  /// Invalidates the numbers and the receivers of all devices, after their rows were changed directly.
  func invalidateDevices() {
    rows.numbers = [:]
    invalidateReceivers()
  }

  /// Invalidates all cached rows, after a direct change of rows.
  func invalidateRows() {
    rows = RowCache()
    transaction.isBroad = true
  }

  // MARK: Transactions

  /// Reads the state that must be in memory before the first change.
  func load(in db: any SQLConnection) throws {
    book = SubscriptionBook()
    try book.load(in: db)
    indexes = try IndexTable(db: db).declared()
    cascadingZones = try ReferenceTable(db: db).cascadingZones()
    lost = .nothing
  }

  /// Resets the transaction's limits. Must be called before each transaction.
  package func prepare(in db: any SQLConnection) throws {
    switch lost {
    case .nothing: break
    case .rolledBack: try undo(in: db)
    case .everything: try load(in: db)
    }
    try book.readStale(in: db)
    transaction = OpenTransaction(
      budget: TransactionBudget(
        cascadedRecordsLeft: cascades.perTransaction,
        storedBytesLeft: BrokerLimits.storedBytesPerTransaction,
        jobUnitsLeft: BrokerLimits.deferredJobsPerTransaction))
  }

  /// Makes the transaction's changes the state that a later rollback restores.
  package func transactionCommitted() {
    book.committed()
    keyGenerations.committed = keyGenerations.current
  }

  /// Forgets the changes of a transaction. The next one starts with the state of the last commit.
  package func transactionRolledBack() {
    rows = RowCache()
    notifications.receivers = [:]
    keyGenerations.current = keyGenerations.committed
    notifications.head = nil
    referenceUse = [:]
    transaction = OpenTransaction()
    if lost == .nothing { lost = .rolledBack }
  }

  private func undo(in db: any SQLConnection) throws {
    try book.undone(in: db)
    indexes = try IndexTable(db: db).declared()
    cascadingZones = try ReferenceTable(db: db).cascadingZones()
    lost = .nothing
  }

  /// Sets the indexes that every save updates.
  func setIndexes(_ declared: [StoredIndex]) {
    indexes = declared
    transaction.isBroad = true
  }

  // MARK: Limits

  /// The stored bytes that the current transaction may still read and write.
  var storedBytesLeft: Int { transaction.budget.storedBytesLeft }

  /// The records that the current transaction may still delete by cascades.
  var cascadedRecordsLeft: Int { transaction.budget.cascadedRecordsLeft }

  /// The units of follow-up work that the current transaction may still do; see `TransactionBudget`.
  var jobUnitsLeft: Int {
    get { transaction.budget.jobUnitsLeft }
    set { transaction.budget.jobUnitsLeft = newValue }
  }

  /// Charges `byteCount` stored bytes to the transaction.
  func spend(storedBytes byteCount: Int) {
    transaction.budget.storedBytesLeft -= byteCount
  }

  /// Charges `count` records that a cascade deleted to the transaction.
  func spend(cascadedRecords count: Int) {
    transaction.budget.cascadedRecordsLeft = max(0, transaction.budget.cascadedRecordsLeft - count)
  }

  // MARK: References

  /// Whether a zone has `deleteSelf` references; calls `read` the first time.
  func hasReferences(in zone: StoreKey, orRead read: () throws -> Bool) rethrows -> Bool {
    if let known = referenceUse[zone] { return known }
    let read = try read()
    if referenceUse.count >= Self.rowsMaximum { referenceUse = [:] }
    referenceUse[zone] = read
    return read
  }

  /// Records that a zone has a `deleteSelf` reference.
  func noteReference(in zone: StoreKey) {
    guard referenceUse[zone] != true else { return }
    referenceUse[zone] = true
    transaction.isBroad = true
  }

  /// Records whether a zone has hidden records whose deletion is pending.
  func setCascading(_ zone: StoreKey, _ isCascading: Bool) {
    if isCascading { cascadingZones.insert(zone) } else { cascadingZones.remove(zone) }
    transaction.isBroad = true
  }

  // MARK: Notifications

  /// The devices of an account that receive its notifications.
  func receivers(
    of owner: SubscriptionBook.Owner, in db: any SQLConnection
  ) throws -> [ReceiverTable.Address] {
    if let known = notifications.receivers[owner] { return known }
    let read = try ReceiverTable(db: db).addresses(of: owner)
    if notifications.receivers.count >= Self.rowsMaximum { notifications.receivers = [:] }
    notifications.receivers[owner] = read
    return read
  }

  /// Invalidates the receivers of all accounts, after a device was added or removed.
  func invalidateReceivers() {
    notifications.receivers = [:]
    transaction.isBroad = true
  }

  /// The number of the latest notification.
  func lastNotificationNumber(in db: any SQLConnection) throws -> NotificationNumber {
    if let head = notifications.head { return head.last }
    let read = try db.first("SELECT number FROM notification_head", []) {
      NotificationNumber($0[0])
    }
    guard let read else { throw StoreError(.damaged, "The table notification_head has no row.") }
    notifications.head = (read, false)
    return read
  }

  /// Returns the next unused notification number.
  func nextNotificationNumber(in db: any SQLConnection) throws -> NotificationNumber {
    let next = NotificationNumber(try lastNotificationNumber(in: db).value + 1)
    notifications.head = (next, true)
    return next
  }

  /// Marks the numbers up to `number` as used. A device may know them from a history that a restore of
  /// the broker has replaced.
  func raiseNotificationNumber(to number: NotificationNumber) {
    guard let head = notifications.head, head.last < number else { return }
    notifications.head = (number, true)
    transaction.isBroad = true
  }

  // MARK: Device keys

  /// Records that a device's key was changed. The commit ends the sessions that signed in with the old
  /// key; their requests that are already queued are refused.
  func raiseKeyGeneration(of device: StoreKey) { keyGenerations.current[device, default: 0] += 1 }

  /// How often the device's key was changed. A session with a lower number may not write.
  func keyGeneration(of device: StoreKey) -> Int { keyGenerations.current[device] ?? 0 }

  // MARK: Commit

  /// Writes the notification number and the zone heads that the transaction raised. Must be called
  /// before the commit.
  func finish(in db: any SQLConnection) throws {
    if let head = notifications.head, head.isRaised {
      try db.run("UPDATE notification_head SET number = ?", [head.last.value])
      notifications.head = (head.last, false)
    }
    try writeRaisedHeads(in: db)
  }
}
