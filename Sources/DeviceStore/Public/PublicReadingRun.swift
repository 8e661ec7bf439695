// What a run over the public database does to the store. States are taken as the feed's are, by their
// tags, so one that comes twice is known the second time; a record goes only when the broker was
// asked for it by name and has none. A state older than what was known when the run began proves that
// the broker lost history: then the older one counts. A public database with another history than the
// last run's was put back from a backup: what this account made and the broker lacks is sent again.

import Foundation
import GRDB
import Records
import SQLiteFile
import SyncCore

/// The application of what is read of the public database.
struct PublicReadingRun {
  private let transaction: DeviceTransaction
  /// Records that could not be read, for the log.
  private(set) var unreadable = 0
  /// Records of this account that the broker had lost and that are sent again.
  private(set) var requeued = 0

  init(_ transaction: DeviceTransaction) {
    self.transaction = transaction
  }

  private var db: Database { transaction.db }

  /// Whether nothing is left that can be sent now: what waits for a file that met an obstacle, or
  /// for one that follows it, is not waited for; while files are stuck, nothing that waits for one.
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

  /// A run begins to read: nothing is found yet.
  func mark() throws {
    guard let zone = try ZoneRow.load(db, .public) else { return }
    try db.run("UPDATE record SET seen = 0 WHERE zone = ? AND shown IS NOT NULL", [zone.key])
    try db.run(
      """
      UPDATE public_state SET
        head = (SELECT coalesce(max(tag), 0) FROM record WHERE zone = ?)
      """, [zone.key])
  }

  /// The run reads this history. Where it is another than the last run's, the broker has lost what came
  /// behind a backup, and until a run has read everything, what it lacks may be lost.
  func note(_ history: Incarnation) throws {
    guard var zone = try ZoneRow.load(db, .public), zone.incarnation != history else { return }
    if zone.incarnation != nil { zone.sweep = .restored }
    zone.incarnation = history
    try zone.store(db)
  }

  /// Records were found.
  mutating func keep(_ changes: [Change]) throws {
    guard let zone = try ZoneRow.load(db, .public) else { return }
    for change in changes { unreadable += try keep(change, zone) }
  }

  /// What the broker has of records that were asked for.
  mutating func keep(_ states: [NamedState]) throws {
    guard let zone = try ZoneRow.load(db, .public) else { return }
    for state in states {
      if let change = state.change, change.kind == .saved {
        unreadable += try keep(change, zone)
      } else {
        var isLost = false
        unreadable += try alone(state.name, zone) {
          isLost = try miss(state.name, at: state.change?.tag, zone)
        }
        requeued += isLost ? 1 : 0
      }
    }
  }

  /// What the broker has of these cannot be had: they stay as they are here, and count as found.
  func pass(_ names: [RecordName]) throws {
    guard let zone = try ZoneRow.load(db, .public) else { return }
    for name in names { try pass(name, zone) }
  }

  private func pass(_ name: RecordName, _ zone: ZoneRow) throws {
    guard !name.text.hasControlCharacters else { return }
    try db.run("UPDATE record SET seen = 1 WHERE zone = ? AND name = ?", [zone.key, name.text])
  }

  private func keep(_ change: Change, _ zone: ZoneRow) throws -> Int {
    try alone(change.name, zone) {
      try change.name.check()
      try noticeLoss(change, zone)
      try FeedApplication(transaction, zone: .public, isLevel: true)?.take(change)
    }
  }

  /// One record that this version cannot keep must not stop the others; it counts as found, or it
  /// would be asked for again and again.
  /// - Returns: how many that was: 0 or 1.
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

  /// NB: what was known before the run began cannot be newer than what the run finds.
  private func noticeLoss(_ change: Change, _ zone: ZoneRow) throws {
    guard var row = try RecordRow.load(db, zone: zone.key, name: change.name),
      let known = row.layers.ancestor.tag, change.tag < known, row.layers.inFlight == nil,
      known.value <= (try db.number("SELECT head FROM public_state"))
    else { return }
    row.layers.ancestor.tag = nil
    row.layers.held = nil
    try row.store(in: transaction, zone: zone, by: .unknown)
  }

  /// The broker has no such record.
  /// - Returns: whether it lost it, so that it is sent again.
  private func miss(
    _ name: RecordName, at tag: Revision?, _ zone: ZoneRow
  ) throws -> Bool {
    guard var row = try RecordRow.load(db, zone: zone.key, name: name) else { return false }
    row.isSeen = true
    // What was never there is not missing; what is under way has its own answer.
    guard row.layers.ancestor.fields != nil, row.layers.inFlight == nil else {
      try row.store(in: transaction, zone: zone, by: .unknown)
      return false
    }
    if zone.sweep == .restored, try isOwn(row) {
      // The broker does not say how far its backup reached, so what it lacks counts as lost. What
      // others made only they can send.
      row.layers.ancestor = .unknown
      row.layers.held = nil
      try row.store(in: transaction, zone: zone, by: .unknown)
      try EntryEnding(transaction, zone: zone).settle(row.layers, conflicts: [])
      return true
    }
    let known = row.layers.ancestor.tag ?? .zero
    let gone = BrokerState(tag: max(tag ?? known.next, known.next), fields: nil)
    let isPending = row.layers.hasPending
    _ = row.layers.fed(gone, own: nil)
    // A deletion wins here: a public record is not changed once it is saved.
    row.layers.shown = nil
    try row.store(in: transaction, zone: zone, by: .unknown)
    if isPending { try EntryEnding(transaction, zone: zone).settle(row.layers, conflicts: []) }
    return false
  }

  /// Whether this account made the record; one whose maker nobody told yet was made here.
  private func isOwn(_ row: RecordRow) throws -> Bool {
    guard let made = row.layers.ancestor.created?.origin.account else { return true }
    return made == AccountID(column: try db.row("SELECT account FROM identity")?["account"])
  }

  /// Records of the types that are read which the run has not found, the first of them.
  func missing() throws -> [RecordName] {
    guard let zone = try ZoneRow.load(db, .public) else { return [] }
    let types = transaction.rules.publicTypes
    return try db.rows(
      """
      SELECT name FROM record WHERE zone = ? AND seen = 0 AND tag IS NOT NULL
        AND shown IS NOT NULL AND type IN (\(ReplicaAssetTable.places(types.count)))
      ORDER BY id LIMIT \(SyncMachine.missingPerLook)
      """, [zone.key] + StatementArguments(types.map(\.text))
    ).map { RecordName(stored: $0[0]) }
  }

  /// Everything was read: what was deleted was kept so that older news of it could be told, and there
  /// is none left.
  func end() throws {
    guard var zone = try ZoneRow.load(db, .public) else { return }
    if zone.sweep != .none {
      zone.sweep = .none
      try zone.store(db)
    }
    try db.run("UPDATE record SET seen = 1 WHERE zone = ? AND seen = 0", [zone.key])
    try db.run(
      "DELETE FROM record WHERE zone = ? AND shown IS NULL AND layered = 0", [zone.key])
    try db.run(
      "UPDATE public_state SET last_sync = ?, error_code = NULL, error_message = NULL",
      [transaction.now.microseconds])
  }
}
