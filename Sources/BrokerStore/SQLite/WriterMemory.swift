// What the one writer need not ask the database again: the zones it writes to and the numbers of
// the devices it serves. True because nobody else writes; forgotten whenever a transaction is
// undone, or changes these rows by other means.

import BrokerCore
import GRDB
import Records
import SQLiteFile

/// The writing connection's statements and memory.
///
/// NB: `@unchecked`, because it is touched inside the database's own serial queue only, which the
/// compiler cannot see; it never leaves `SQLiteRecordStore.transact`.
final class WriterMemory: @unchecked Sendable {
  /// Which zone of which application.
  struct ZoneKey: Hashable {
    let container: StoreKey
    let id: ZoneID
  }

  /// A device's numbers, and whether it may still write.
  struct Numbers {
    var last: RequestNumber
    var acknowledged: RequestNumber
    /// Outcomes up to here are no longer in the database.
    var forgotten: RequestNumber
    let isRevoked: Bool
  }

  /// More rows than this are not remembered: about 1 MiB. Then everything is asked for anew.
  private static let rowsMaximum = 8192

  private var statements: SaveStatements?
  private var zones: [ZoneKey: StoredZone] = [:]
  private var numbers: [StoreKey: Numbers] = [:]
  /// How often the keys of devices were changed. No row says so: it is never forgotten, and an undone
  /// transaction leaves what the last commit did.
  private var keyGenerations: [StoreKey: Int] = [:]
  private var committedKeyGenerations: [StoreKey: Int] = [:]
  private var members: [StoreKey: [ParticipantTable.Member]] = [:]
  private var raised: [ZoneKey: (key: StoreKey, head: Revision, added: AccountUsage)] = [:]
  /// What accounts have, by application.
  private var usages: [StoreKey: [AccountID: KnownUsage]] = [:]
  /// The subscriptions in force.
  private(set) var book = SubscriptionBook()
  /// Whether the book may say something else than the table.
  private var isBookStale = false
  /// The indexes that every save writes.
  private(set) var indexes: [StoredIndex] = []
  /// Whether anything in a zone goes with anything.
  private var referring: [StoreKey: Bool] = [:]
  /// The zones in which something is hidden and has still to be deleted.
  private(set) var cascadingZones: Set<StoreKey> = []
  /// How many records deletions may still take along in this transaction.
  private(set) var cascadeRoom = 0
  /// The stored bytes that this transaction may still read and write.
  private(set) var storedBytesLeft = 0
  /// How much may still be done for others in this transaction.
  var errandRoom = 0
  /// Up to which row earlier states were passed over that are dated ahead; 0 at the end of them.
  var pastPassedOver: Int64 = 0
  /// How much of a cascade is done at a time.
  let cascades: CascadeBounds
  private var receivers: [SubscriptionBook.Owner: [ReceiverTable.Address]] = [:]
  private var notification: (last: NotificationNumber, isRaised: Bool)?

  init(cascades: CascadeBounds) {
    self.cascades = cascades
  }

  /// The statements, compiled at first use.
  func statements(in db: Database) throws -> SaveStatements {
    if let statements { return statements }
    let compiled = try SaveStatements(in: db)
    statements = compiled
    return compiled
  }

  /// The connection is about to be closed.
  func letGoOfStatements() {
    statements = nil
  }

  /// Forgets who may write and who is told: that was changed by other means.
  ///
  /// NB: not the zones. Their heads that the transaction at hand raised stand here and nowhere else.
  func forgetDevices() {
    numbers = [:]
    forgetReceivers()
  }

  /// Forgets all rows: a transaction was undone, or rows were changed by other means outside of one.
  func forget() {
    zones = [:]
    numbers = [:]
    raised = [:]
    members = [:]
    usages = [:]
  }

  // MARK: Transactions

  /// Reads what has to be in memory before the first change.
  func load(in db: Database) throws {
    book = SubscriptionBook()
    try book.load(in: db)
    indexes = try IndexTable(db: db).declared()
    cascadingZones = try ReferenceTable(db: db).cascadingZones()
    isBookStale = false
  }

  /// To be called before a transaction begins.
  func prepare(in db: Database) throws {
    if isBookStale { try load(in: db) }
    cascadeRoom = cascades.perTransaction
    storedBytesLeft = BrokerLimits.storedBytesPerTransaction
    errandRoom = BrokerLimits.errandsPerTransaction
  }

  /// A transaction is durable.
  func committed() {
    book.committed()
    committedKeyGenerations = keyGenerations
  }

  /// A transaction was undone.
  func undone(in db: Database) {
    forget()
    forgetReceivers()
    keyGenerations = committedKeyGenerations
    notification = nil
    referring = [:]
    do {
      try book.undone(in: db)
      indexes = try IndexTable(db: db).declared()
      cascadingZones = try ReferenceTable(db: db).cascadingZones()
    } catch {
      // The disk does not even read: whoever comes next begins with reading everything.
      isBookStale = true
    }
  }

  /// Other indexes were declared.
  func remember(_ declared: [StoredIndex]) {
    indexes = declared
  }

  // MARK: References

  /// Whether anything in a zone goes with anything.
  func isReferring(in zone: StoreKey, orRead read: () throws -> Bool) rethrows -> Bool {
    if let known = referring[zone] { return known }
    let read = try read()
    if referring.count >= Self.rowsMaximum { referring = [:] }
    referring[zone] = read
    return read
  }

  /// Something in a zone goes with something.
  func refers(in zone: StoreKey) {
    referring[zone] = true
  }

  /// Whether something in a zone is hidden and has still to be deleted.
  func setCascading(_ zone: StoreKey, _ isCascading: Bool) {
    if isCascading { cascadingZones.insert(zone) } else { cascadingZones.remove(zone) }
  }

  /// Deletions took so many records along.
  func cascaded(_ count: Int) {
    cascadeRoom = max(0, cascadeRoom - count)
  }

  /// Charges stored bytes to the transaction.
  func spend(storedBytes byteCount: Int) {
    storedBytesLeft -= byteCount
  }

  // MARK: Notifications

  /// The devices of an account that are told.
  func receivers(
    of owner: SubscriptionBook.Owner, in db: Database
  ) throws -> [ReceiverTable.Address] {
    if let known = receivers[owner] { return known }
    let read = try ReceiverTable(db: db).addresses(of: owner)
    if receivers.count >= Self.rowsMaximum { receivers = [:] }
    receivers[owner] = read
    return read
  }

  /// A device came or went.
  func forgetReceivers() {
    receivers = [:]
  }

  /// The number of the latest notification.
  func lastNotification(in db: Database) throws -> NotificationNumber {
    if let notification { return notification.last }
    let read = try db.first("SELECT number FROM notification_head", []) {
      NotificationNumber($0[0])
    }
    guard let read else { throw StoreError(.damaged, "Notifications have no number.") }
    notification = (read, false)
    return read
  }

  /// A number that was never given out.
  func nextNotification(in db: Database) throws -> NotificationNumber {
    let next = NotificationNumber(try lastNotification(in: db).value + 1)
    notification = (next, true)
    return next
  }

  /// Numbers up to this one were given out, by a broker whose history is lost.
  func raiseNotifications(to number: NotificationNumber) {
    guard let notification, notification.last < number else { return }
    self.notification = (number, true)
  }

  // MARK: Zones

  func zone(_ key: ZoneKey, orRead read: () throws -> StoredZone?) rethrows -> StoredZone? {
    if let zone = zones[key] { return zone }
    var zone = try read()
    // NB: a head that this transaction raised is not in the row yet.
    if let head = raised[key]?.head { zone?.head = head }
    zones[key] = zone
    return zone
  }

  /// The zone's row was changed by other means than its head.
  func forgetZone(_ key: ZoneKey) {
    zones[key] = nil
    usages[key.container]?[key.id.owner] = nil
  }

  /// Raises a zone's head and adds to its usage; both are written once, at the end of the transaction.
  func raise(_ key: ZoneKey, row: StoreKey, to head: Revision, adding more: AccountUsage) {
    zones[key]?.head = head
    var total = raised[key]?.added ?? AccountUsage()
    total.add(more)
    raised[key] = (row, head, total)
    added(more, to: key.id.owner, container: key.container)
  }

  // MARK: What accounts have

  /// What an account has, and how often it was added to since it was read.
  private struct KnownUsage {
    var usage: AccountUsage
    var additions = 0

    mutating func add(_ more: AccountUsage) {
      usage.add(more)
      additions += 1
    }
  }

  /// Rows that leave are subtracted from the tables only, so what is remembered grows too large, and is
  /// read again after so many additions.
  private static let additionsMaximum = 1000

  /// What an account has; the rows are read at the first time.
  func usage(
    of account: AccountID, container: StoreKey,
    orRead read: () throws -> (
      zones: [(key: StoreKey, usage: AccountUsage)], inPublic: AccountUsage
    )
  ) rethrows -> AccountUsage {
    if let known = usages[container]?[account], known.additions < Self.additionsMaximum {
      return known.usage
    }
    let stored = try read()
    var total = stored.inPublic
    for zone in stored.zones {
      total.add(zone.usage)
      // NB: what this transaction added is not in the rows yet.
      total.add(added(to: zone.key))
    }
    if usages[container, default: [:]].count >= Self.rowsMaximum { usages = [:] }
    usages[container, default: [:]][account] = KnownUsage(usage: total)
    return total
  }

  /// Adds to an account's usage, if it is in memory.
  func added(_ more: AccountUsage, to account: AccountID, container: StoreKey) {
    usages[container]?[account]?.add(more)
  }

  /// How many more records a zone has than its row says.
  func recordsAdded(to zone: StoreKey) -> Int { added(to: zone).records }

  private func added(to zone: StoreKey) -> AccountUsage {
    raised.values.first { $0.key == zone }?.added ?? AccountUsage()
  }

  // MARK: Sharing

  /// Everybody but the owner who is in a zone.
  func members(
    of zone: StoreKey, orRead read: () throws -> [ParticipantTable.Member]
  ) rethrows -> [ParticipantTable.Member] {
    if let known = members[zone] { return known }
    let read = try read()
    if members.count >= Self.rowsMaximum { members = [:] }
    members[zone] = read
    return read
  }

  /// Somebody came into a zone, went, or may do something else there.
  func forgetMembers(of zone: StoreKey) {
    members[zone] = nil
  }

  // MARK: Numbers

  func numbers(of device: StoreKey, orRead read: () throws -> Numbers) rethrows -> Numbers {
    if let known = numbers[device] { return known }
    let read = try read()
    numbers[device] = read
    return read
  }

  func set(_ new: Numbers, of device: StoreKey) {
    numbers[device] = new
  }

  /// The device's key was changed. A session that signed in with the former one ends with the commit;
  /// what it had sent before may still be queued, and is refused.
  func changedKey(of device: StoreKey) { keyGenerations[device, default: 0] += 1 }

  /// How often the device's key was changed; a session whose own number is lower writes no more.
  func keyGeneration(of device: StoreKey) -> Int { keyGenerations[device] ?? 0 }

  // MARK: Ending

  /// Writes the heads that the transaction raised. To be called before it is committed.
  func finish(in db: Database) throws {
    if let notification, notification.isRaised {
      try db.run("UPDATE notification_head SET number = ?", [notification.last.value])
      self.notification = (notification.last, false)
    }
    guard !raised.isEmpty else { return }
    let statement = try statements(in: db).head
    for (row, head, added) in raised.values {
      try statement.run {
        $0.bind(1, head.value)
        $0.bind(2, row)
        $0.bind(3, Int64(added.records))
        $0.bind(4, Int64(added.bytes))
      }
    }
    raised = [:]
    if zones.count + numbers.count > Self.rowsMaximum { forget() }
  }
}
