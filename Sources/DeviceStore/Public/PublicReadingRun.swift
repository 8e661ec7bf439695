// Applies a run over the public database to the store. States are compared by their tags, as in the feed, so a state
// that arrives twice is recognized. A record is deleted only if the broker was asked for it by name and does not have
// it. A state older than the one known when the run began proves that the broker lost history; then the older state is
// accepted. If the public database has another history than in the last run, it was restored from a backup; then the
// records of this account that the broker lacks are sent again.

import Foundation
import GRDB
import Records
import SQLiteFile
import SyncCore

/// Applies the records that were read from the public database.
struct PublicReadingRun {
  private let transaction: DeviceTransaction
  /// The number of records that could not be read, for the log.
  private(set) var unreadable = 0
  /// The number of records of this account that the broker had lost and that are sent again.
  private(set) var requeued = 0

  init(_ transaction: DeviceTransaction) {
    self.transaction = transaction
  }

  private var db: Database { transaction.db }

  /// Whether no more edits can be sent now. Edits that wait for a deferred file do not count. While transfers are
  /// stuck, no edit that waits for a file counts.
  func isSent(except deferred: Set<AssetDigest>, isStuck: Bool) throws -> Bool {
    guard let zone = try ZoneRow.load(db, .public) else { return true }
    return try db.number(
      """
      SELECT EXISTS (
        SELECT 1 FROM outbox WHERE zone = ? AND held = 0
          AND (awaited IS NULL
            OR ? = 0 AND awaited NOT IN (\(ReplicaAssetTable.places(deferred.count)))))
      """, [zone.key, isStuck] + StatementArguments(deferred.map { Data($0.bytes) })) == 0
  }

  /// Marks all records as not found, at the beginning of a run.
  func mark() throws {
    guard let zone = try ZoneRow.load(db, .public) else { return }
    try db.run("UPDATE record SET seen = 0 WHERE zone = ? AND shown IS NOT NULL", [zone.key])
    try db.run(
      """
      UPDATE public_state SET
        head = (SELECT coalesce(max(tag), 0) FROM record WHERE zone = ?)
      """, [zone.key])
  }

  /// Stores the incarnation of the history that the run reads. If it differs from the last run's, the broker lost the
  /// changes after a backup, and records that it lacks may be lost until a run has read everything.
  func note(_ history: Incarnation) throws {
    guard var zone = try ZoneRow.load(db, .public), zone.incarnation != history else { return }
    if zone.incarnation != nil { zone.sweep = .restored }
    zone.incarnation = history
    try zone.store(db)
  }

  /// Stores records that the run found.
  mutating func keep(_ changes: [Change]) throws {
    guard let zone = try ZoneRow.load(db, .public) else { return }
    for change in changes { unreadable += try keep(change, zone, isOfRun: true) }
  }

  /// Stores the states of records that were fetched by name.
  /// - Parameter isOfRun: whether the run fetched them. Otherwise a notification did, maybe before the run began.
  mutating func keep(_ states: [NamedState], isOfRun: Bool) throws {
    guard let zone = try ZoneRow.load(db, .public) else { return }
    for state in states {
      if let change = state.change, change.kind == .saved {
        unreadable += try keep(change, zone, isOfRun: isOfRun)
      } else {
        var isLost = false
        unreadable += try alone(state.name, zone) {
          isLost = try miss(state.name, at: state.change?.tag, zone)
        }
        requeued += isLost ? 1 : 0
      }
    }
  }

  /// Marks records that cannot be fetched as found, so that they stay as they are.
  func pass(_ names: [RecordName]) throws {
    guard let zone = try ZoneRow.load(db, .public) else { return }
    for name in names { try pass(name, zone) }
  }

  private func pass(_ name: RecordName, _ zone: ZoneRow) throws {
    try db.run("UPDATE record SET seen = 1 WHERE zone = ? AND name = ?", [zone.key, name.text])
  }

  private func keep(_ change: Change, _ zone: ZoneRow, isOfRun: Bool) throws -> Int {
    try alone(change.name, zone) {
      if isOfRun { try noticeLoss(change, zone) }
      try FeedApplication(transaction, zone: .public, isLevel: true)?.take(change)
    }
  }

  /// Runs `body` for one record. A record that this version cannot store does not block the others. It counts as found,
  /// so that it is not fetched again without end.
  /// - Returns: the number of records that failed: 0 or 1.
  private func alone(
    _ name: RecordName, _ zone: ZoneRow, _ body: () throws -> Void
  ) throws -> Int {
    do {
      try transaction.attempt(body)
      return 0
    } catch let error where error.isOfOneRecord {
      try pass(name, zone)
      return 1
    }
  }

  /// Resets the known state of a record if the run finds an older one, which proves that the broker lost history.
  ///
  /// NB: a state that was known before the run began cannot be newer than the one that the run finds. It can be newer
  /// than one that a notification fetched, because the broker may have read that one before the run began.
  private func noticeLoss(_ change: Change, _ zone: ZoneRow) throws {
    guard var row = try RecordRow.load(db, zone: zone.key, name: change.name),
      let known = row.layers.ancestor.tag, change.tag < known, row.layers.inFlight == nil,
      known.value <= (try db.number("SELECT head FROM public_state"))
    else { return }
    row.layers.ancestor.tag = nil
    row.layers.held = nil
    try row.store(in: transaction, zone: zone, by: .unknown)
  }

  /// Handles a record that the broker does not have.
  /// - Returns: whether the broker lost the record, so that it is sent again.
  private func miss(
    _ name: RecordName, at tag: Revision?, _ zone: ZoneRow
  ) throws -> Bool {
    guard var row = try RecordRow.load(db, zone: zone.key, name: name) else { return false }
    row.isSeen = true
    // A record that the broker never had is not missing, and an edit in flight will have an outcome.
    guard row.layers.ancestor.fields != nil, row.layers.inFlight == nil else {
      try row.store(in: transaction, zone: zone, by: .unknown)
      return false
    }
    if zone.sweep == .restored, try isOwn(row) {
      // The broker does not report the revision of its backup, so records that it lacks count as lost. Records of
      // other accounts must be sent by their own devices.
      row.layers.ancestor = .unknown
      row.layers.held = nil
      try row.store(in: transaction, zone: zone, by: .unknown)
      try EntryResolution(transaction, zone: zone).settle(row.layers, conflicts: [])
      return true
    }
    let known = row.layers.ancestor.tag ?? .zero
    let gone = BrokerState(tag: max(tag ?? known.next, known.next), fields: nil)
    let isPending = row.layers.hasPending
    _ = row.layers.fed(gone, own: nil)
    // In the public database a deletion wins over a change.
    row.layers.shown = nil
    try row.store(in: transaction, zone: zone, by: .unknown)
    if isPending { try EntryResolution(transaction, zone: zone).settle(row.layers, conflicts: []) }
    return false
  }

  /// Whether this account created the record. A record without a known author was created here.
  private func isOwn(_ row: RecordRow) throws -> Bool {
    guard let made = row.layers.ancestor.created?.origin.account else { return true }
    return made == AccountID(column: try db.row("SELECT account FROM identity")?["account"])
  }

  /// The first records of the read types that the run has not found.
  func missing() throws -> [RecordName] {
    guard let zone = try ZoneRow.load(db, .public) else { return [] }
    let types = transaction.rules.publicTypes
    return try db.rows(
      """
      SELECT name FROM record WHERE zone = ? AND seen = 0 AND tag IS NOT NULL
        AND shown IS NOT NULL AND type IN (\(ReplicaAssetTable.places(types.count)))
      ORDER BY id LIMIT \(SyncMachine.missingPerFetch)
      """, [zone.key] + StatementArguments(types.map(\.text))
    ).map { RecordName(stored: $0[0]) }
  }

  /// Completes a run that has read all records. Rows of deleted records served to recognize their older states. They
  /// are removed if no older states follow.
  /// - Parameter keepsDeletions: whether older states may follow, because records that a notification named are still
  ///   being fetched. A later run removes the rows.
  func end(keepsDeletions: Bool) throws {
    guard var zone = try ZoneRow.load(db, .public) else { return }
    if zone.sweep != .none {
      zone.sweep = .none
      try zone.store(db)
    }
    try db.run("UPDATE record SET seen = 1 WHERE zone = ? AND seen = 0", [zone.key])
    if !keepsDeletions {
      try db.run(
        "DELETE FROM record WHERE zone = ? AND shown IS NULL AND layered = 0", [zone.key])
    }
    try db.run(
      "UPDATE public_state SET last_sync = ?, error_code = NULL, error_message = NULL",
      [transaction.now.microseconds])
  }
}
