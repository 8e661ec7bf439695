// Applies the feed to the store. The changes of a frame and the token after them are stored in one transaction, so
// they agree after any crash (I8).

import GRDB
import Records
import SQLiteFile
import SyncCore

/// Applies the feed of one zone.
struct FeedApplication {
  private let transaction: DeviceTransaction
  private var zone: ZoneRow
  private let isLevel: Bool
  /// The number of records that could not be read, for the log.
  private(set) var unreadable = 0
  /// The number of records that the broker had lost and that are sent again.
  private(set) var requeued = 0

  /// - Parameter isLevel: whether the device is live, so that a frame is not a page of stored changes.
  /// - Returns: `nil` if this device does not have the zone (any more).
  init?(_ transaction: DeviceTransaction, zone: ZoneID, isLevel: Bool) throws {
    guard let row = try ZoneRow.load(transaction.db, zone), row.state.isShown else {
      return nil
    }
    self.transaction = transaction
    self.isLevel = isLevel
    self.zone = row
  }

  private var db: Database { transaction.db }

  /// Applies the changes of a frame.
  mutating func apply(_ frame: ZoneChanges, token: ChangeToken) throws {
    let previous = zone.token
    zone.token = token
    if let lineage = frame.lineage { try begin(lineage, after: previous) }
    announcePrepared()
    do {
      try transaction.attemptTogether { try take(all: frame.changes, oneByOne: false) }
    } catch let error where error.isOfOneRecord {
      // NB: one change violates a constraint. Only then are the changes applied one by one, which is slower.
      try take(all: frame.changes, oneByOne: true)
    }
    for change in frame.changes
    where change.type == ConflictRecord.recordType && change.kind == .saved {
      guard let row = try RecordRow.load(db, zone: zone.key, name: change.name) else { continue }
      try Relocations(transaction).arrived(row, in: zone)
    }
    try keepToken(changedFrom: previous)
    // NB: after a page that is not the last, changed records of the import have not arrived yet. They would be removed
    // with their history, and return.
    if isLevel, frame.changes.contains(where: { $0.type == FirstRecords.markerType }) {
      try FirstRun.endWaiting(transaction, zone: zone)
    }
  }

  private func announcePrepared() {
    guard let derived = transaction.prepared?.derived else { return }
    for (projection, derived) in zip(transaction.application.projections, derived) {
      if let derived { projection.expect(derived) }
    }
  }

  private mutating func take(all changes: [Change], oneByOne: Bool) throws {
    var passed = 0
    for change in changes {
      do {
        if oneByOne { try transaction.attempt { try apply(change) } } else { try apply(change) }
      } catch let error where oneByOne ? error.isOfOneRecord : error is RecordsError {
        // A record that this version cannot store must not block the others.
        passed += 1
      }
    }
    unreadable += passed
  }

  /// Applies a state that was not read from the feed.
  /// - Throws: `RecordsError` if this version cannot read it.
  func take(_ change: Change) throws { try apply(change) }

  /// Completes the reading of the zone.
  /// - Parameter former: the history that the present one continues after a restore.
  mutating func level(token: ChangeToken, sweep: Sweep, former: FormerHistory?) throws {
    let previous = zone.token
    zone.token = token
    try begin(former?.lineage ?? Lineage(), after: previous)
    if let former { try keep(what: former, through: token.scanStart, sweep) }
    if sweep != .none { try endReading(sweep) }
    zone.sweep = .none
    zone.readBefore = nil
    zone.lineageBefore = Lineage()
    zone.isRewound = false
    try keepToken(changedFrom: previous)
    try FirstRun.endWaiting(transaction, zone: zone)
  }

  /// Notes which histories the present one continues, as the first frame of a reading says it.
  private mutating func begin(_ lineage: Lineage, after previous: ChangeToken?) throws {
    zone.lineage = lineage
    if zone.isRewound { try DeletedRecordTable(db: db).forgetLost(in: zone) }
    guard previous == nil, zone.sweep == .restored, !zone.isContinued else { return }
    try PastTable(transaction).forgetDeletions(in: zone)
  }

  /// Handles the records that the broker lost or withholds because of damage. Lost records are sent again. Withheld
  /// records stay as they are until the broker sends them or names them as lost: another device may have a newer
  /// state, which this device's copy would replace.
  private mutating func keep(
    what former: FormerHistory, through scanned: Revision, _ sweep: Sweep
  ) throws {
    // NB: an outcome may contain the state from before the damage, and count as seen. The broker would have sent the
    // record by now if it still had it.
    try resend(former.lostNames, through: scanned, sweep, alsoSeen: true)
    for name in former.withheldNames.sorted() {
      guard var row = try RecordRow.load(db, zone: zone.key, name: name), !row.isSeen else {
        continue
      }
      if sweep == .restored {
        row.layers.missedInNewHistory(
          containing: zone.versions(before: row.layers.ancestor), through: scanned)
      }
      row.isSeen = true
      try row.store(in: transaction, zone: zone, by: .unknown)
    }
  }

  /// Sends records again that the broker lost to damage, even if the broker confirmed them before the damage.
  /// - Parameter alsoSeen: whether records that count as seen, with a tag, are sent again too.
  private mutating func resend(
    _ names: Set<RecordName>, through scanned: Revision, _ sweep: Sweep, alsoSeen: Bool = false
  ) throws {
    let resolution = EntryResolution(transaction, zone: zone)
    for name in names.sorted() {
      guard var row = try RecordRow.load(db, zone: zone.key, name: name),
        row.layers.shown != nil,
        sweep == .none || !row.isSeen || alsoSeen && row.layers.ancestor.tag != nil,
        // An outcome may be ahead of the reading. The tags of another history say nothing about that.
        zone.isUnreadInNewHistory(row) || row.layers.ancestor.tag.map({ $0 <= scanned }) ?? true
      else { continue }
      row.layers.inFlight = nil
      row.layers.held = nil
      let conflicts = lose(&row)
      row.isSeen = true
      try row.store(in: transaction, zone: zone, by: .unknown)
      try resolution.settle(row.layers, conflicts: conflicts)
    }
  }

  /// Prepares a resync of the zone.
  mutating func reread(sweep: Sweep) throws {
    zone.incarnation = zone.token?.incarnation ?? zone.incarnation
    if zone.sweep != .restored {
      zone.readBefore = zone.incarnation
      zone.lineageBefore = zone.lineage
    } else if zone.token != nil {
      try stampRead()
    }
    zone.token = nil
    zone.sweep = sweep
    try zone.store(db)
    try db.run("UPDATE record SET seen = 0 WHERE zone = ?", [zone.key])
  }

  /// After an incomplete resync the local records belong to two histories. Those that were read in the later one get what
  /// they contain of it.
  private func stampRead() throws {
    guard let history = zone.history else { return }
    let rows = try RecordRow.load(
      db, sql: "SELECT * FROM record WHERE zone = ? AND seen = 1 AND tag > 0", [zone.key])
    for var row in rows where row.layers.ancestor.tag != nil {
      row.layers.ancestor.former = FormerVersion(
        history.versions(of: row.layers.ancestor), isExact: true)
      try row.store(in: transaction, zone: zone, by: .unknown)
    }
  }

  private mutating func keepToken(changedFrom previous: ChangeToken?) throws {
    if zone.state == .creating { zone.state = .present }
    zone.incarnation = zone.token?.incarnation
    try zone.store(db)
    // Rows of deleted records served to recognize older changes. The feed has passed all of them.
    try db.run(
      "DELETE FROM record WHERE zone = ? AND shown IS NULL AND layered = 0 AND tag <= ?",
      [zone.key, zone.token?.revision.value])
  }

  private func apply(_ change: Change) throws {
    if try RecordConfirmation(transaction, zone: zone).confirm(change) { return }
    let found = try RecordRow.load(db, zone: zone.key, name: change.name)
    if change.kind == .evicted { return try evict(found) }
    if found == nil, change.kind == .deleted {
      try Relocations(transaction).passed(change.name, BrokerState(change), in: zone)
      return try PastTable(transaction).passed(change, in: zone)
    }
    let prepared = transaction.prepared?.encoding(of: change)
    let state =
      try prepared.map { BrokerState(change, fields: $0.fields) } ?? BrokerState(change)
    var row =
      found
      ?? RecordRow(newIn: zone.key, name: change.name, type: change.type, now: transaction.now)
    row.encoding = prepared
    // The broker may not know the type of a record that was moved or damaged.
    if change.kind == .saved, row.layers.shown == nil || !row.layers.hasPending {
      row.layers.type = change.type
    }
    let isOwn = change.modified.origin.device == transaction.device
    var conflicts: [ConflictRecord] = []
    if zone.isUnreadInNewHistory(row) {
      conflicts = row.beginHistory(containing: zone.versions(before: row.layers.ancestor))
    }
    row.isSeen = true
    if found == nil { try repeatDeletion(of: &row, beside: state) }
    try compareLost(in: &row, with: state)
    let before = row.layers
    let effect = row.layers.fed(state, own: isOwn ? change.modified.origin.request : nil)
    if case .merged(let found) = effect { conflicts += found }
    conflicts = row.layers.left(of: conflicts, in: zone.zone)
    try Relocations(transaction).follow(&row, from: before, in: zone)
    try row.store(in: transaction, zone: zone, by: transaction.author(of: change.modified))
    let resolution = EntryResolution(transaction, zone: zone)
    switch effect {
    case .known, .held, .outcome: break
    case .replaced, .merged: try resolution.settle(row.layers, conflicts: conflicts)
    }
    // Conflicts are handled after the whole frame, because the same commit may restore their records.
    if row.layers.type != ConflictRecord.recordType {
      try Relocations(transaction).arrived(row, in: zone)
    }
    if change.type == FirstRecords.markerType, effect != .outcome, effect != .held {
      try FirstRun.dropUnsent(transaction, zone: zone, isLevel: isLevel)
    }
  }

  /// Deletes a record again that the broker sends although this device has seen its deletion, because the broker lost it.
  private func repeatDeletion(
    of row: inout RecordRow, beside state: BrokerState
  ) throws {
    let deleted = DeletedRecordTable(db: db)
    if zone.isRewound { return try deleted.forget(row.layers.name, in: zone) }
    guard !zone.lineage.isEmpty || state.former != nil, let history = zone.history else { return }
    row.layers.lost = try deleted.lost(
      row.layers.name, in: zone, beside: history.versions(of: state))
    row.layers.departure = row.layers.lost?.state.move
  }

  /// Prepares the comparison of a lost state with the broker's.
  private func compareLost(in row: inout RecordRow, with state: BrokerState) throws {
    row.layers.lostContext = try PastTable(transaction).context(
      of: row.layers, in: zone, beside: state)
  }

  private func evict(_ found: RecordRow?) throws {
    guard var row = found else { return }
    let error = RecordsError(.permissionFailure, "You no longer have access to this record.")
    for entry in try OutboxEntry.load(
      db, where: "zone = ? AND name = ?", [zone.key, row.layers.name.text])
    {
      transaction.ledger.rejected += entry.edits
      try entry.remove(transaction)
      try RejectedEdits.storeTyped(row.layers, in: zone, because: error, transaction: transaction)
    }
    row.layers = RecordLayers(
      name: row.layers.name, type: row.layers.type, ancestor: .unknown, shown: nil)
    try row.store(in: transaction, zone: zone, by: .unknown)
  }

  // MARK: Reading again

  /// Handles the records that a resync did not find.
  private mutating func endReading(_ sweep: Sweep) throws {
    let rows = try RecordRow.load(
      db, sql: "SELECT * FROM record WHERE zone = ? AND seen = 0 ORDER BY id", [zone.key])
    let resolution = EntryResolution(transaction, zone: zone)
    for row in rows {
      let before = requeued
      do {
        try transaction.attempt { try end(row, sweep, resolution) }
      } catch let error where error.isOfOneRecord {
        // Without this, the zone would be read from its start without end.
        requeued = before
        unreadable += 1
      }
    }
  }

  private mutating func end(
    _ found: RecordRow, _ sweep: Sweep, _ resolution: EntryResolution
  ) throws {
    var row = found
    var conflicts: [ConflictRecord] = []
    if sweep == .restored {
      conflicts = endInNewHistory(&row)
      row.isSeen = true
      try row.store(in: transaction, zone: zone, by: zone.isRewound ? .rewind : .unknown)
      return try resolution.settle(row.layers, conflicts: conflicts)
    }
    row.isSeen = true
    // A change that arrived while an edit was in flight may be outdated as well.
    let newest = sweep == .expired ? row.layers.held ?? row.layers.ancestor : row.layers.ancestor
    if isMissing(newest) { conflicts = row.layers.missed(through: zone.token?.revision) }
    try row.store(in: transaction, zone: zone, by: .unknown)
    try resolution.settle(row.layers, conflicts: conflicts)
  }

  /// Whether the broker would have sent the state if it still had it. An outcome may be ahead of the feed.
  private func isMissing(_ state: BrokerState) -> Bool {
    guard state.fields != nil else { return false }
    guard let tag = state.tag, let read = zone.token?.revision else { return true }
    return tag <= read
  }

  /// Handles a record that the present history does not have. If the history has everything that the last known state
  /// contains, the record was deleted; else it was lost.
  private mutating func endInNewHistory(_ row: inout RecordRow) -> [ConflictRecord] {
    let conflicts = row.beginHistory(containing: zone.versions(before: row.layers.ancestor))
    guard let lost = row.layers.lost else { return conflicts }
    guard lost.state.fields != nil else {
      row.layers.lost = nil
      return conflicts
    }
    guard zone.isDeletion(ofMissing: row) || hasRead(lost.versions) else {
      requeued += 1
      return conflicts
    }
    row.layers.foundDeleted()
    return conflicts + row.layers.missed(through: zone.token?.revision)
  }

  /// Whether the present history contains this, as far as it was read. An outcome of it may be ahead of the reading.
  private func hasRead(_ versions: VersionVector) -> Bool {
    var known = zone.lineage.versions
    if let token = zone.token { known.raise(token.incarnation, to: token.revision) }
    return known.includes(versions)
  }

  /// The broker lost the record, whatever history it was in.
  private mutating func lose(_ row: inout RecordRow) -> [ConflictRecord] {
    requeued += 1
    guard !zone.isUnreadInNewHistory(row) else {
      return row.beginHistory(containing: zone.versions(before: row.layers.ancestor))
    }
    guard row.layers.lost == nil, let history = zone.history else { return [] }
    return row.beginHistory(containing: history.versions(of: row.layers.ancestor))
  }
}

extension Error {
  /// Whether the error concerns one record, which is skipped, and not the database: the content of the record cannot be
  /// read or violates a constraint.
  var isOfOneRecord: Bool {
    self is RecordsError || (self as? DatabaseError)?.resultCode == .SQLITE_CONSTRAINT
  }
}
