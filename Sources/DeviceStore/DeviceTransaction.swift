// One write transaction of a device: the connection, the time, the device's own row, and the events of the
// transaction. All changes of the store go through such a transaction, so the numbers of events and the counts of
// edits are correct at every commit.

import Foundation
import GRDB
import Records
import SQLiteFile
import SyncCore

/// A write transaction with its state.
package final class DeviceTransaction {
  /// The connection.
  package let db: Database
  /// The time of the transaction.
  package let now: Timestamp
  /// Whether a constraint that one record violates must not roll back the whole transaction; see `attemptTogether`.
  var isCautious = false
  /// The key of the client's request that the transaction carries out, if it has one.
  var answering: RequestKey?
  /// The application whose records are written.
  let application: Application
  /// The events of this transaction, in order.
  private(set) var events: [LocalEvent] = []
  /// The records whose dates or authors changed without an event.
  private var confirmed: Set<ConfirmedRecords> = []
  /// The account and the device, as far as they are known.
  package private(set) var account: AccountID?
  private(set) var device: DeviceID?
  /// Messages for the operator's log, without personal data.
  var reports: [String] = []
  /// Whether the transaction marked new files as wanted.
  var hasNewWants = false
  /// Whether deleted content must be wiped from the disk after this transaction.
  var needsErasing = false
  /// The counts of edits; written back by `finish`.
  var ledger = EditLedger()
  /// The random number generator for ids of new rows and moves.
  var generator: AnyRandomNumberGenerator
  /// The zones that this device was asked to join, and that the directory does not list yet.
  var expectedZones: Set<ZoneID> = []
  /// Participants whose removal a restored broker has lost.
  var removedAgain: [(zone: ZoneID, account: AccountID)] = []
  /// Whether a record began to wait for the target of its move.
  var hasNewRelocations = false
  /// What `PastTable` erased. `finish` completes it.
  var erased = ErasedContent()
  /// Records as the edits of this transaction stored them, for the request that it builds.
  var editedRecords = EditedRecords()
  /// What was prepared for the changes of the message that is handled; `nil` for nothing.
  var prepared: PreparedChanges?
  /// Whether the trash may have records; `nil` before the first lookup.
  var hasTrash: Bool?
  private var statements: HotStatements
  private var lastEvent: Int64
  /// The error that prevented the rollback of a part of the transaction. The whole transaction must be rolled back.
  private var rollbackFailure: (any Error)?
  private var storedLedger: EditLedger
  private let storedEvent: Int64

  /// Begins on a connection inside a transaction. The device's row exists.
  /// - Parameter generator: the random number generator for ids. The default is for callers that create none.
  init(
    _ db: Database, _ application: Application, now: Timestamp,
    generator: AnyRandomNumberGenerator = AnyRandomNumberGenerator(
      base: SystemRandomNumberGenerator())
  ) throws {
    self.generator = generator
    self.db = db
    statements = HotStatements(db)
    self.application = application
    self.now = now
    for projection in application.projections { try projection.begin(db) }
    let row = try HotStatement(borrowing: Self.ownRow, from: db).first { _ in
    } read: { row in
      (
        account: row.isNull(0) ? nil : AccountID(bytes: row.bytes(0)),
        device: row.isNull(1) ? nil : DeviceID(bytes: row.bytes(1)),
        lastEvent: row.number(2), ledger: EditLedger(row, from: 3)
      )
    }
    guard let row else {
      throw StoreError(.damaged, "The database lacks the device's own row.")
    }
    (account, device, lastEvent, ledger) = row
    storedEvent = lastEvent
    storedLedger = ledger
  }

  private static let ownRow = """
    SELECT account, device, last_event, made, applied, merged, coalesced, undone, rejected
    FROM identity WHERE id = 1
    """

  /// Returns a compiled statement of the connection.
  func statement(_ sql: HotSQL) throws -> HotStatement { try statements.statement(sql) }

  /// Whether a statement with the parameters zone and name returns a row. Costs a third of `row`, for look-ups that mostly
  /// find nothing.
  func finds(_ sql: HotSQL, zone: Int64, name: RecordName) throws -> Bool {
    try statement(sql).first { statement in
      statement.bind(1, zone)
      statement.bind(2, name.text)
    } read: { _ in
      true
    } ?? false
  }

  /// The rules of the application's records.
  package var rules: ApplicationRules { application.rules }

  /// Writes back the counts and completes the transaction. Called last.
  /// - Throws: also if a part of the transaction failed and could not be rolled back.
  func finish() throws {
    if let rollbackFailure { throw rollbackFailure }
    for projection in application.projections { try projection.finish(db) }
    try PastTable(self).endErasing()
    if lastEvent != storedEvent {
      try db.run("UPDATE identity SET last_event = ?", [lastEvent])
      try db.run("DELETE FROM event WHERE sequence <= ?", [lastEvent - DeviceLimits.events])
    }
    guard ledger != storedLedger else { return }
    storedLedger = ledger
    try db.run(
      """
      UPDATE identity SET made = ?, applied = ?, merged = ?, coalesced = ?, undone = ?,
        rejected = ?
      """,
      [
        ledger.made, ledger.applied, ledger.merged, ledger.coalesced, ledger.undone,
        ledger.rejected,
      ])
  }

  /// Runs `body`, which changes many records, and rolls back its changes if one of them fails. The caller can then change
  /// them one by one.
  ///
  /// NB: SQLite copies each page that is changed after a savepoint to a temporary file, which was more than half of all
  /// that an import wrote. So the first transaction has no savepoint, and is repeated with one if a record fails.
  /// - Throws: the error of `body`; `CautionRequired` to repeat the transaction.
  func attemptTogether(_ body: () throws -> Void) throws {
    guard !isCautious else { return try attempt(body) }
    do {
      try body()
    } catch let error where error.isOfOneRecord {
      throw CautionRequired()
    }
  }

  /// Runs `body` and rolls back its changes if it fails, so that an error in one record does not affect others.
  /// - Throws: the error of `body`. The transaction continues without its changes.
  func attempt(_ body: () throws -> Void) throws {
    let before = standing
    let restorations = application.projections.map { $0.savepoint() }
    try db.run("SAVEPOINT attempt")
    do {
      try body()
    } catch {
      do {
        try db.run("ROLLBACK TO attempt")
        try db.run("RELEASE attempt")
      } catch {
        // After some errors, such as a full disk, SQLite has rolled back everything and knows no savepoint.
        rollbackFailure = error
      }
      standing = before
      editedRecords = EditedRecords()
      for restore in restorations { restore() }
      throw error
    }
    try db.run("RELEASE attempt")
  }

  /// The state of the transaction besides the tables.
  private var standing: Standing {
    get {
      Standing(
        events: events, confirmed: confirmed, lastEvent: lastEvent, reports: reports,
        ledger: ledger,
        hasNewWants: hasNewWants, hasNewRelocations: hasNewRelocations,
        needsErasing: needsErasing, erased: erased,
        hasTrash: hasTrash)
    }
    set {
      events = newValue.events
      confirmed = newValue.confirmed
      lastEvent = newValue.lastEvent
      reports = newValue.reports
      ledger = newValue.ledger
      hasNewWants = newValue.hasNewWants
      hasNewRelocations = newValue.hasNewRelocations
      needsErasing = newValue.needsErasing
      erased = newValue.erased
      hasTrash = newValue.hasTrash
    }
  }

  private struct Standing {
    var events: [LocalEvent]
    var confirmed: Set<ConfirmedRecords>
    var lastEvent: Int64
    var reports: [String]
    var ledger: EditLedger
    var hasNewWants: Bool
    var hasNewRelocations: Bool
    var needsErasing: Bool
    var erased: ErasedContent
    var hasTrash: Bool?
  }

  /// Whether the trash may have records. Looked up once, because a first reading asks for each record.
  func mayHaveTrash() throws -> Bool {
    if let hasTrash { return hasTrash }
    let found = try db.number("SELECT EXISTS (SELECT 1 FROM trash)") > 0
    hasTrash = found
    return found
  }

  /// Sets the account and the device.
  func keep(account: AccountID, device: DeviceID) {
    self.account = account
    self.device = device
  }

  /// The author of changes on this device.
  var ownAuthor: Author { Author(account: account, device: device, isLocal: true) }

  /// This device as a side of a conflict.
  var side: ConflictRecord.Side {
    guard let account, let device else { return .unknown }
    return .device(account, device)
  }

  /// Returns the author in a stamp.
  package func author(of stamp: Stamp?) -> Author {
    guard let stamp else { return ownAuthor }
    return Author(
      account: stamp.origin.account, device: stamp.origin.device,
      isLocal: stamp.origin.device == device)
  }

  /// Returns the author of a record's state after its edit in flight ended. The author is unknown if a resync found
  /// that the record was missing.
  func author(of layers: RecordLayers, held: BrokerState?) -> Author {
    if let held, held.isAbsence, layers.ancestor == held { return .unknown }
    return author(of: layers.ancestor.modified)
  }

  /// The actions that report what the transaction changed. For a committed transaction.
  var news: [SyncAction] {
    var actions: [SyncAction] = events.isEmpty ? [] : [.appended(events)]
    if !confirmed.isEmpty { actions.append(.confirmed(confirmed)) }
    return actions
  }

  /// Notes that the dates or the author of a record changed without an event.
  func confirm(_ type: RecordType, in zone: ZoneID) {
    confirmed.insert(ConfirmedRecords(zone: zone, type: type))
  }

  /// Adds an event; returns its number.
  @discardableResult
  package func append(
    _ kind: LocalEvent.Kind, type: RecordType, zone: ZoneID, id: String, title: String,
    by author: Author
  ) throws -> Int64 {
    lastEvent += 1
    let event = LocalEvent(
      sequence: lastEvent, kind: kind, type: type, zone: zone, id: id, title: title,
      account: author.account, device: author.device, isLocal: author.isLocal, time: now)
    events.append(event)
    try store(event)
    return lastEvent
  }

  private static let eventInsertion = HotSQL(
    "INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")

  private func store(_ event: LocalEvent) throws {
    try statement(Self.eventInsertion).run { statement in
      statement.bind(1, event.sequence)
      statement.bind(2, event.kind.rawValue)
      statement.bind(3, event.type.text)
      statement.bind(4, event.zone.owner.bytes)
      statement.bind(5, event.zone.name.bytes)
      statement.bind(6, event.id)
      statement.bind(7, event.title)
      statement.bind(8, optional: event.account?.bytes)
      statement.bind(9, optional: event.device?.bytes)
      statement.bind(10, event.isLocal ? 1 : 0)
      statement.bind(11, event.time.microseconds)
    }
  }
}

/// A record failed among many, so the transaction has to be repeated with `DeviceTransaction.isCautious`.
struct CautionRequired: Error {}

/// The author of a change, as far as it is known.
package struct Author: Hashable {
  let account: AccountID?
  let device: DeviceID?
  let isLocal: Bool

  /// An author that the broker does not report, for example the one who deleted a group.
  static let unknown = Author(account: nil, device: nil, isLocal: false)
}

extension EditLedger {
  /// Reads the counts from the columns that start at `first`, in the order of `DeviceTransaction.ownRow`.
  fileprivate init(_ row: HotStatement, from first: Int32) {
    self.init()
    made = Int(row.number(first))
    applied = Int(row.number(first + 1))
    merged = Int(row.number(first + 2))
    coalesced = Int(row.number(first + 3))
    undone = Int(row.number(first + 4))
    rejected = Int(row.number(first + 5))
  }

  /// Reads the device's row. `pending` is counted in the outbox.
  init(row: Row) {
    self.init()
    made = row["made"]
    applied = row["applied"]
    merged = row["merged"]
    coalesced = row["coalesced"]
    undone = row["undone"]
    rejected = row["rejected"]
  }
}
