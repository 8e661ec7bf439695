// One write transaction of a device: the connection, the moment, the device's own row, and the
// events that happened in it. Everything that changes the store goes through one of these, so the
// numbers of events and the count of edits are right at every commit.

import Foundation
import GRDB
import Records
import SQLiteFile
import SyncCore

/// What a write transaction works with.
package final class DeviceTransaction {
  /// The connection.
  package let db: Database
  /// The moment.
  package let now: Timestamp
  /// The request that the transaction carries out, where its client gave it a key.
  var answering: RequestKey?
  /// The application whose records are written.
  let application: Application
  /// The events of this transaction, in order.
  private(set) var events: [LocalEvent] = []
  /// Who this device is, as far as it knows.
  package private(set) var account: AccountID?
  private(set) var device: DeviceID?
  /// What the operator should read once in the log; nothing personal in it.
  var reports: [String] = []
  /// Whether files are wanted that were not before.
  var hasNewWants = false
  /// Whether bytes of what went must be wiped off the disk behind this transaction.
  var needsErasing = false
  /// What became of edits; written back by `finish`.
  var ledger = EditLedger()
  /// Draws the ids of new rows and moves.
  var generator: AnyRandomNumberGenerator
  /// Whether a record waits for where it was moved to that did not wait before.
  var hasNewRelocations = false
  /// Files that what was erased in this transaction named; looked at by `finish`.
  var erasedAssets: Set<AssetDigest> = []
  /// Whether something may lie in the trash; `nil` until somebody asked.
  var hasTrash: Bool?
  private var lastEvent: Int64
  /// Why a failed part of the transaction could not be rolled back: the whole of it must be then.
  private var rollbackFailure: (any Error)?
  private var storedLedger: EditLedger
  private let storedEvent: Int64

  /// Begins on a connection inside a transaction; the device's row exists.
  /// - Parameter generator: draws ids; the system's, where the caller draws none.
  init(
    _ db: Database, _ application: Application, now: Timestamp,
    generator: AnyRandomNumberGenerator = AnyRandomNumberGenerator(
      base: SystemRandomNumberGenerator())
  ) throws {
    self.generator = generator
    self.db = db
    self.application = application
    self.now = now
    for projection in application.projections { try projection.begin(db) }
    guard let row = try db.row("SELECT * FROM identity WHERE id = 1") else {
      throw StoreError(.damaged, "The database lacks the device's own row.")
    }
    account = AccountID(column: row["account"])
    device = DeviceID(column: row["device"])
    lastEvent = row["last_event"]
    storedEvent = lastEvent
    ledger = EditLedger(row: row)
    storedLedger = ledger
  }

  /// What is known of the application's records.
  package var rules: ApplicationRules { application.rules }

  /// Writes back what was counted. Called last.
  /// - Throws: also if a part of the transaction failed and could not be rolled back alone.
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

  /// Does `body`, or nothing of it: what one record runs into must not take others with it.
  /// - Throws: what `body` throws; the transaction stands as before then and goes on.
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
      for restore in restorations { restore() }
      throw error
    }
    try db.run("RELEASE attempt")
  }

  /// What is known besides the tables.
  private var standing: Standing {
    get {
      Standing(
        events: events, lastEvent: lastEvent, reports: reports, ledger: ledger,
        hasNewWants: hasNewWants, hasNewRelocations: hasNewRelocations,
        needsErasing: needsErasing, erasedAssets: erasedAssets,
        hasTrash: hasTrash)
    }
    set {
      events = newValue.events
      lastEvent = newValue.lastEvent
      reports = newValue.reports
      ledger = newValue.ledger
      hasNewWants = newValue.hasNewWants
      hasNewRelocations = newValue.hasNewRelocations
      needsErasing = newValue.needsErasing
      erasedAssets = newValue.erasedAssets
      hasTrash = newValue.hasTrash
    }
  }

  private struct Standing {
    var events: [LocalEvent]
    var lastEvent: Int64
    var reports: [String]
    var ledger: EditLedger
    var hasNewWants: Bool
    var hasNewRelocations: Bool
    var needsErasing: Bool
    var erasedAssets: Set<AssetDigest>
    var hasTrash: Bool?
  }

  /// Whether something may lie in the trash. Looked up once: a first reading asks for each record.
  func mayHaveTrash() throws -> Bool {
    if let hasTrash { return hasTrash }
    let found = try db.number("SELECT EXISTS (SELECT 1 FROM trash)") > 0
    hasTrash = found
    return found
  }

  /// Notes who this device is.
  func keep(account: AccountID, device: DeviceID) {
    self.account = account
    self.device = device
  }

  /// The author of what is done here.
  var ownAuthor: Author { Author(account: account, device: device, isLocal: true) }

  /// This device as a conflict names it.
  var side: Conflict.Side {
    guard let account, let device else { return .unknown }
    return .device(account, device)
  }

  /// The author that a stamp names.
  package func author(of stamp: Stamp?) -> Author {
    guard let stamp else { return ownAuthor }
    return Author(
      account: stamp.origin.account, device: stamp.origin.device,
      isLocal: stamp.origin.device == device)
  }

  /// The author of what a record became when the edit under way ended: nobody who is known, where
  /// a reading had found the record gone meanwhile.
  func author(of layers: RecordLayers, held: BrokerState?) -> Author {
    if let held, held.isAbsence, layers.ancestor == held { return .unknown }
    return author(of: layers.ancestor.modified)
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
    try db.run(
      "INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      [
        lastEvent, kind.rawValue, type.text, zone.owner.column, zone.name.column, id, title,
        author.account?.column, author.device?.column, author.isLocal, now.microseconds,
      ])
    return lastEvent
  }
}

/// Who did something, as far as it is known.
package struct Author: Hashable {
  let account: AccountID?
  let device: DeviceID?
  let isLocal: Bool

  /// Somebody the broker does not name: who renamed or deleted a group.
  static let unknown = Author(account: nil, device: nil, isLocal: false)
}

extension EditLedger {
  /// Reads the device's row; `pending` is counted in the outbox.
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
