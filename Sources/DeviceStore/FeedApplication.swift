// What the feed does to the store. The changes of a frame and the token behind them are one
// transaction, so that at every kill they agree (I8).

import GRDB
import Records
import SQLiteFile
import SyncCore

/// The application of what the feed tells about one zone.
struct FeedApplication {
  private let transaction: DeviceTransaction
  private var zone: ZoneRow
  private let isLevel: Bool
  /// Records that could not be read, for the log.
  private(set) var unreadable = 0
  /// Records that the broker had lost and that are sent again.
  private(set) var requeued = 0

  /// - Parameter isLevel: whether what comes is all there is, and no page of it.
  /// - Returns: `nil` when the zone is not kept here (any more).
  init?(_ transaction: DeviceTransaction, zone: ZoneID, isLevel: Bool) throws {
    guard let row = try ZoneRow.load(transaction.db, zone), row.state != .deleting else {
      return nil
    }
    self.transaction = transaction
    self.isLevel = isLevel
    self.zone = row
  }

  private var db: Database { transaction.db }

  /// Takes a frame's changes.
  mutating func apply(_ frame: ZoneChanges, token: ChangeToken) throws {
    let previous = zone.token
    zone.token = token
    do {
      try transaction.attempt { try take(all: frame.changes, oneByOne: false) }
    } catch let error where error.isOfOneRecord {
      // NB: the tables refused one of them; only then is the price paid for finding out which.
      try take(all: frame.changes, oneByOne: true)
    }
    for change in frame.changes where change.type == Conflict.recordType && change.kind == .saved {
      guard let row = try RecordRow.load(db, zone: zone.key, name: change.name) else { continue }
      try Relocations(transaction).arrived(row, in: zone)
    }
    try keepToken(changedFrom: previous)
    // NB: behind a page that is not the last, what of the import was changed since has still to come:
    // it would go, with its past, and come back.
    if isLevel, frame.changes.contains(where: { $0.type == FirstRecords.markerType }) {
      try FirstRun.endWaiting(transaction, zone: zone)
    }
  }

  private mutating func take(all changes: [Change], oneByOne: Bool) throws {
    var passed = 0
    for change in changes {
      do {
        if oneByOne { try transaction.attempt { try apply(change) } } else { try apply(change) }
      } catch let error where oneByOne ? error.isOfOneRecord : error is RecordsError {
        // One record that this version cannot keep must not stop the others.
        passed += 1
      }
    }
    unreadable += passed
  }

  /// Takes one state that was read by itself, without a place in the feed.
  /// - Throws: `RecordsError` when this version cannot read it.
  func take(_ change: Change) throws { try apply(change) }

  /// Everything there is has been read; it goes on from the `former` history.
  mutating func level(token: ChangeToken, sweep: Sweep, former: FormerHistory?) throws {
    let previous = zone.token
    zone.token = token
    zone.sweep = .none
    let known = former.flatMap { $0.incarnation == zone.readBefore ? $0 : nil }
    zone.readBefore = nil
    if let former { try keep(what: former, through: token.scanStart, sweep) }
    if sweep != .none { try endReading(sweep, former: known) }
    try keepToken(changedFrom: previous)
    try FirstRun.endWaiting(transaction, zone: zone)
  }

  /// Keeps what the broker names as damaged. In a new history it is sent, and meets what others send; in one
  /// that goes on, others may have a newer state of it, so it stays as it is until the broker has it again.
  private mutating func keep(
    what former: FormerHistory, through scanned: Revision, _ sweep: Sweep
  ) throws {
    try resend(former.lostNames, through: scanned, sweep)
    if sweep == .restored { return try resend(former.withheldNames, through: scanned, sweep) }
    for name in former.withheldNames.sorted() {
      try db.run(
        "UPDATE record SET seen = 1 WHERE zone = ? AND name = ?", [zone.key, name.text])
    }
  }

  /// Sends what the broker lost to damage and this device holds, also where the broker has told, or will
  /// tell, that it saved it: that was before.
  private mutating func resend(
    _ names: Set<RecordName>, through scanned: Revision, _ sweep: Sweep
  ) throws {
    let ending = EntryEnding(transaction, zone: zone)
    for name in names.sorted() {
      guard var row = try RecordRow.load(db, zone: zone.key, name: name),
        row.layers.shown != nil, sweep == .none || !row.isSeen,
        row.layers.ancestor.tag.map({ $0 <= scanned }) ?? true
      else { continue }
      row.layers.inFlight = nil
      row.layers.held = nil
      row.isSeen = true
      let conflicts = lose(&row.layers)
      try row.store(in: transaction, zone: zone, by: .unknown)
      try ending.settle(row.layers, conflicts: conflicts)
    }
  }

  /// The zone will be read from the start again.
  mutating func reread(sweep: Sweep) throws {
    zone.incarnation = zone.token?.incarnation ?? zone.incarnation
    if zone.sweep != .restored {
      zone.readBefore = zone.incarnation
    } else if zone.token != nil {
      // What is here after half a reading is of two histories.
      zone.readBefore = nil
    }
    zone.token = nil
    zone.sweep = sweep
    try zone.store(db)
    try db.run("UPDATE record SET seen = 0 WHERE zone = ?", [zone.key])
    if sweep == .restored { try PastTable(transaction).beginHistory(in: zone) }
  }

  private mutating func keepToken(changedFrom previous: ChangeToken?) throws {
    if zone.state == .creating { zone.state = .present }
    zone.incarnation = zone.token?.incarnation
    try zone.store(db)
    // What was deleted here was kept so that older news of it could be told; there is none left.
    try db.run(
      "DELETE FROM record WHERE zone = ? AND shown IS NULL AND layered = 0 AND tag <= ?",
      [zone.key, zone.token?.revision.value])
  }

  private func apply(_ change: Change) throws {
    try change.name.check()
    let found = try RecordRow.load(db, zone: zone.key, name: change.name)
    if change.kind == .evicted { return try evict(found) }
    if found == nil, change.kind == .deleted {
      try Relocations(transaction).passed(change.name, BrokerState(change), in: zone)
      return try PastTable(transaction).passed(change, in: zone)
    }
    let state = try BrokerState(change)
    var row =
      found
      ?? RecordRow(newIn: zone.key, name: change.name, type: change.type, now: transaction.now)
    if row.layers.shown == nil || !row.layers.hasPending { row.layers.type = change.type }
    let isOwn = change.modified.origin.device == transaction.device
    if zone.isReadAnew(row) { row.layers.forgetHistory(beside: state) }
    row.isSeen = true
    let before = row.layers
    let effect = row.layers.fed(state, own: isOwn ? change.modified.origin.request : nil)
    var conflicts: [Conflict] = []
    if case .merged(let found) = effect { conflicts = row.layers.left(of: found, in: zone.zone) }
    try Relocations(transaction).follow(&row, from: before, in: zone)
    try row.store(in: transaction, zone: zone, by: transaction.author(of: change.modified))
    let ending = EntryEnding(transaction, zone: zone)
    switch effect {
    case .known, .held, .outcome: break
    case .replaced: try ending.settle(row.layers, conflicts: [])
    case .merged: try ending.settle(row.layers, conflicts: conflicts)
    }
    // A conflict is looked at behind all of its frame: its record may come back in the same commit.
    if row.layers.type != Conflict.recordType {
      try Relocations(transaction).arrived(row, in: zone)
    }
    if change.type == FirstRecords.markerType, effect != .outcome, effect != .held {
      try FirstRun.dropUnsent(transaction, zone: zone, isLevel: isLevel)
    }
  }

  private func evict(_ found: RecordRow?) throws {
    guard var row = found else { return }
    let error = RecordsError(.permissionFailure, "You no longer have access to this record.")
    for entry in try OutboxEntry.load(
      db, where: "zone = ? AND name = ?", [zone.key, row.layers.name.text])
    {
      transaction.ledger.rejected += entry.edits
      try entry.remove(db)
      try Parking.parkTyped(row.layers, in: zone, because: error, transaction: transaction)
    }
    row.layers = RecordLayers(
      name: row.layers.name, type: row.layers.type, ancestor: .unknown, shown: nil)
    try row.store(in: transaction, zone: zone, by: .unknown)
  }

  // MARK: Reading again

  /// What the repeated reading did not find. `former` is the history that was read before, if the present
  /// one goes on from it.
  private mutating func endReading(_ sweep: Sweep, former: FormerHistory?) throws {
    let rows = try RecordRow.load(
      db, sql: "SELECT * FROM record WHERE zone = ? AND seen = 0 ORDER BY id", [zone.key])
    let ending = EntryEnding(transaction, zone: zone)
    for row in rows {
      let before = requeued
      do {
        try transaction.attempt { try end(row, sweep, former: former, ending) }
      } catch let error where error.isOfOneRecord {
        // The zone would be read from its start again and again.
        requeued = before
        unreadable += 1
      }
    }
  }

  private mutating func end(
    _ found: RecordRow, _ sweep: Sweep, former: FormerHistory?, _ ending: EntryEnding
  ) throws {
    var row = found
    row.isSeen = true
    var conflicts: [Conflict] = []
    // What the feed told while an edit was under way may be gone as well.
    let newest = sweep == .expired ? row.layers.held ?? row.layers.ancestor : row.layers.ancestor
    if isMissing(newest, sweep) {
      let isLost =
        sweep == .restored && former?.hasLost(row.layers.name, tag: newest.tag) ?? true
      conflicts = isLost ? lose(&row.layers) : miss(&row.layers)
    }
    try row.store(in: transaction, zone: zone, by: .unknown)
    try ending.settle(row.layers, conflicts: conflicts)
  }

  /// Whether the broker would have told the state if it still had it. An outcome may be ahead of
  /// the feed.
  private func isMissing(_ state: BrokerState, _ sweep: Sweep) -> Bool {
    guard state.fields != nil else { return false }
    guard sweep == .expired, let tag = state.tag, let read = zone.token?.revision else {
      return true
    }
    return tag <= read
  }

  private mutating func lose(_ layers: inout RecordLayers) -> [Conflict] {
    layers.ancestor = .unknown
    requeued += 1
    return []
  }

  private func miss(_ layers: inout RecordLayers) -> [Conflict] {
    let gone = BrokerState(tag: zone.token?.revision, fields: nil)
    guard case .merged(let conflicts) = layers.fed(gone, own: nil) else { return [] }
    return conflicts
  }
}

extension Error {
  /// Whether it says something of one record, which is passed over, and nothing of the database: its
  /// content cannot be read, or goes against a rule of the tables.
  var isOfOneRecord: Bool {
    self is RecordsError || (self as? DatabaseError)?.resultCode == .SQLITE_CONSTRAINT
  }
}
