// What devices do when a record was moved while they edited it (decision 28). The mover's tombstone and
// the new record carry one id. A device that has something to say about the old record merges it into
// the new one; only where that record cannot be found, or changed, does the edit stay where it is.

import Foundation
import GRDB
import Records
import SQLiteFile
import SyncCore

/// Follows moves in one transaction.
struct Relocations {
  private let transaction: DeviceTransaction

  init(_ transaction: DeviceTransaction) {
    self.transaction = transaction
  }

  private var db: Database { transaction.db }

  // MARK: What the broker says of a record

  /// The broker's state of `row` changed from what `before` knew; called before the row is stored.
  func follow(_ row: inout RecordRow, from before: RecordLayers, in zone: ZoneRow) throws {
    guard !zone.zone.isPublic else { return }
    var known = row.layers.ancestor
    // A reading that did not find the record says nothing of a move; the tombstone does.
    let isNewlyGone =
      known.fields == nil
      && (known.tag != before.ancestor.tag || before.ancestor.fields != nil
        || known.move != before.ancestor.move)
    // Another device deleted it for good meanwhile. This device's copy stands elsewhere all the same, and
    // an edit of a third device that creates the record again belongs to it.
    if isNewlyGone, known.move == nil, let own = before.departure {
      known = BrokerState(tag: known.tag, fields: nil, move: own)
    }
    if isNewlyGone, let move = known.move {
      try MovedAway.note(row.layers.name, in: zone, known, transaction)
      if let own = before.departure, own != move, row.layers.shown == nil {
        try redirect(row.layers.name, from: zone, own, to: known, before)
      }
    } else if known.fields != nil, before.ancestor.fields == nil {
      try followRecreation(&row, before, in: zone)
    }
    guard let relocation = row.layers.relocation, relocation != before.relocation else { return }
    if relocation.mover == nil {
      // A copy that gave way left by the other device's move.
      let known = try MovedAway.departures(of: row.layers.name, db)
      let mover = known.first { $0.move == relocation.move }?.mover
      row.layers.relocation = Relocation(
        move: relocation.move, mover: mover, base: relocation.base)
    }
    try settle(&row, in: zone)
  }

  /// The feed brought the tombstone of a record of which nothing is kept here.
  func passed(_ name: RecordName, _ tombstone: BrokerState, in zone: ZoneRow) throws {
    guard let move = tombstone.move, !zone.zone.isPublic else { return }
    try MovedAway.note(name, in: zone, tombstone, transaction)
    try left(name, move, tombstone, from: zone)
  }

  /// A record appeared that is deleted here by a move. If its trail has the move it came back on
  /// purpose; if not, a device created it that knows nothing of moves, and it goes where the record went.
  private func followRecreation(
    _ row: inout RecordRow, _ before: RecordLayers, in zone: ZoneRow
  ) throws {
    let name = row.layers.name
    guard let fields = row.layers.ancestor.fields,
      let gone = try MovedAway.departure(of: name, from: zone.key, transaction)
    else { return }
    guard !MoveTrail(fields).ids.contains(gone.move) else {
      return try MovedAway.forget(name, in: zone.key, db)
    }
    guard before.shown == nil, before.inFlight == nil, row.layers.relocation == nil,
      row.layers.shown != nil, zone.isWritable
    else { return }
    row.layers.relocation = Relocation(
      move: gone.move, mover: gone.mover,
      base: try PastTable(transaction).likelyBase(of: fields, name, in: zone) ?? Fields())
  }

  /// Another device's move took the record first: this device's copy is merged into the other's.
  ///
  /// NB: a device of this account. What this account took out of a shared group must not follow another
  /// participant's move to where others read it.
  private func redirect(
    _ name: RecordName, from source: ZoneRow, _ own: MoveID, to tombstone: BrokerState,
    _ before: RecordLayers
  ) throws {
    guard let move = tombstone.move,
      tombstone.modified.map({ $0.origin.account == transaction.account }) ?? true,
      let copy = try target(of: name, own, movedBy: nil, except: nil)
    else { return }
    guard !copy.trail.contains(move), copy.row.layers.relocation == nil else { return }
    let relocation = Relocation(
      move: move, mover: tombstone.modified?.origin.account,
      base: before.ancestor.fields ?? before.bundled ?? Fields())
    try relocate(copy.row, in: copy.zone, relocation)
  }

  /// Merges a record into the target of a relocation, or lets it wait for that.
  func relocate(_ found: RecordRow, in zone: ZoneRow, _ relocation: Relocation) throws {
    var row = found
    row.layers.relocation = relocation
    try settle(&row, in: zone)
    try row.store(in: transaction, zone: zone, by: transaction.ownAuthor)
    try EntryResolution(transaction, zone: zone).settle(row.layers, conflicts: [])
  }

  // MARK: The target

  /// A record that carries a move, with its zone.
  private struct Target {
    var row: RecordRow
    let zone: ZoneRow
    var trail: [MoveID] { MoveTrail(row.layers.shown ?? Fields()).ids }
  }

  /// The record that `mover` created and whose trail has the move; `nil` where none is here, or the one
  /// that is may not be changed.
  private func target(
    of name: RecordName, _ move: MoveID, movedBy mover: AccountID?, except source: Int64?
  ) throws -> Target? {
    try carrier(of: name, move, movedBy: mover, except: source).flatMap {
      $0.zone.isWritable ? $0 : nil
    }
  }

  /// As `target`, also where it may only be read.
  private func carrier(
    of name: RecordName, _ move: MoveID, movedBy mover: AccountID?, except source: Int64?
  ) throws -> Target? {
    let rows = try RecordRow.load(
      db, sql: "SELECT * FROM record WHERE name = ? AND shown IS NOT NULL ORDER BY id",
      [name.text])
    var carriers: [Target] = []
    for row in rows where row.zone != source && row.layers.relocation?.move != move {
      guard MoveTrail(row.layers.shown ?? Fields()).ids.contains(move),
        let zone = try ZoneRow.load(db, key: row.zone), zone.state.isShown,
        !zone.zone.isPublic
      else { continue }
      carriers.append(Target(row: row, zone: zone))
    }
    return carriers.first { isMade($0.row, by: mover) }
      ?? carriers.first { isMovedHere($0.row, by: mover, in: $0.zone) }
  }

  /// Whether an account created the record; `nil` is this device's own.
  private func isMade(_ row: RecordRow, by account: AccountID?) -> Bool {
    let creator = row.layers.ancestor.created?.origin.account ?? transaction.account
    return creator == account ?? transaction.account
  }

  /// Whether an account moved the record here. A participant that sends a state again, because a restore has lost it, is
  /// noted as its author. So in this account's groups, two more kinds of records count: those that this account created,
  /// also if another sent the tombstone; and those that were saved again, if this account sent the tombstone.
  func isMovedHere(_ row: RecordRow, by mover: AccountID?, in zone: ZoneRow) -> Bool {
    guard !isMade(row, by: mover) else { return true }
    guard zone.zone.owner == .current else { return false }
    let isSavedAgain = !zone.lineage.isEmpty && row.layers.ancestor.former != nil
    return isMade(row, by: nil)
      || isSavedAgain && (mover ?? transaction.account) == transaction.account
  }

  /// Merges the row's content into its relocation's target, if that is here; otherwise the row waits.
  private func settle(_ row: inout RecordRow, in zone: ZoneRow) throws {
    guard let relocation = row.layers.relocation else { return }
    guard let content = row.layers.shown,
      let target = try target(
        of: row.layers.name, relocation.move, movedBy: relocation.mover, except: zone.key),
      try canTakeFiles(of: content, target)
    else {
      transaction.hasNewRelocations = true
      return
    }
    let loser: ConflictRecord.Side =
      content == row.layers.ancestor.fields ? ConflictRecord.Side(row.layers.ancestor) : .finder
    try merge(content, relocation, of: row.layers.name, from: zone, into: target, loser: loser)
    row.layers.shown = nil
    row.layers.relocation = nil
    row.layers.departure = relocation.move
  }

  /// Whether the target's group may have every file that the content names. One that is still on its way
  /// to this device cannot be sent there.
  private func canTakeFiles(of content: Fields, _ target: Target) throws -> Bool {
    try content.assets.allSatisfy { asset in
      try target.row.layers.shown?.assets.contains(asset) == true
        || ReplicaAssetTable.mayBeNamed(asset, in: target.zone.key, db)
    }
  }

  private func merge(
    _ content: Fields, _ relocation: Relocation, of name: RecordName, from source: ZoneRow,
    into target: Target, loser: ConflictRecord.Side
  ) throws {
    var target = target
    let merge = relocation.merge(content, into: target.row.layers.shown ?? Fields())
    let layers = target.row.layers
    let winner: ConflictRecord.Side =
      layers.inFlight == nil && !layers.hasPending ? ConflictRecord.Side(layers.ancestor) : .finder
    let conflicts = merge.losses.map {
      ConflictRecord(record: name, type: layers.type, loss: $0, loser: loser, winner: winner)
    }
    target.row.layers.shown = merge.fields
    try target.row.store(in: transaction, zone: target.zone, by: transaction.ownAuthor)
    try enter(target, withEditsOf: source)
    try EntryResolution(transaction, zone: target.zone).settle(
      target.row.layers, conflicts: conflicts)
    try Moves.note(name, from: source.key, to: target.zone.key, db)
    try PublicIDTable.addAlias(from: (source.key, name), to: (target.zone.key, name), db)
    try moveConflicts(about: name, from: source, to: target.zone)
  }

  /// Puts the target into the outbox, with the edits that waited at the source.
  private func enter(_ target: Target, withEditsOf source: ZoneRow) throws {
    let name = target.row.layers.name
    var waiting = try OutboxEntry.unsent(transaction, zone: source.key, name: name)
    let edits = waiting?.kind == .record ? waiting?.edits ?? 0 : 0
    guard target.row.layers.hasPending else { return }
    var entry =
      try OutboxEntry.unsent(transaction, zone: target.zone.key, name: name)
      ?? OutboxEntry(
        record: name, zone: target.zone.key, isAsked: true, isDeletion: false, edits: 0)
    entry.edits += edits
    entry.isDeletion = false
    try entry.store(transaction)
    guard edits > 0 else { return }
    waiting?.edits = 0
    try waiting?.store(transaction)
  }

  /// Lets the entry of a record that waited be looked at again.
  static func release(_ name: RecordName, in zone: Int64, _ db: Database) throws {
    try db.run(
      "UPDATE outbox SET moving = 0 WHERE zone = ? AND name = ? AND number IS NULL",
      [zone, name.text])
  }

  // MARK: What arrives

  /// A record was stored: one whose trail may be waited for, one that left by a move, or a conflict
  /// about one.
  func arrived(_ row: RecordRow, in zone: ZoneRow) throws {
    guard !zone.zone.isPublic else { return }
    guard let fields = row.layers.shown else {
      guard let move = row.layers.ancestor.move else { return }
      return try left(row.layers.name, move, row.layers.ancestor, from: zone)
    }
    if row.layers.type == ConflictRecord.recordType {
      guard let subject = ConflictRecord(fields)?.record else { return }
      return try bringConflicts(about: subject, from: zone)
    }
    let trail = MoveTrail(fields).ids
    guard !trail.isEmpty else { return }
    let name = row.layers.name
    for gone in try MovedAway.departures(of: name, db) where trail.contains(gone.move) {
      guard gone.zone != zone.key, isMovedHere(row, by: gone.mover, in: zone),
        let source = try ZoneRow.load(db, key: gone.zone)
      else { continue }
      try PublicIDTable.addAlias(from: (source.key, name), to: (zone.key, name), db)
      try bringConflicts(about: name, from: source)
    }
    try settleWaiting(for: name)
  }

  /// A record left a zone: lookups by its former id find it in its new zone.
  private func left(
    _ name: RecordName, _ move: MoveID, _ tombstone: BrokerState, from source: ZoneRow
  ) throws {
    let mover = tombstone.modified?.origin.account
    guard let carrier = try carrier(of: name, move, movedBy: mover, except: source.key) else {
      return
    }
    try PublicIDTable.addAlias(from: (source.key, name), to: (carrier.zone.key, name), db)
    try bringConflicts(about: name, from: source)
  }

  /// Settles the records of this name that wait for their target.
  private func settleWaiting(for name: RecordName) throws {
    let rows = try RecordRow.load(
      db,
      sql: """
        SELECT record.* FROM record JOIN layer ON layer.record = record.id
        WHERE record.name = ? AND layer.relocation_move IS NOT NULL ORDER BY record.id
        """, [name.text])
    for var row in rows {
      guard let zone = try ZoneRow.load(db, key: row.zone) else { continue }
      try settle(&row, in: zone)
      guard row.layers.relocation == nil else { continue }
      try row.store(in: transaction, zone: zone, by: transaction.ownAuthor)
      try EntryResolution(transaction, zone: zone).settle(row.layers, conflicts: [])
    }
  }

  // MARK: Conflicts

  /// Takes the conflicts about a record that left a zone to where it is now, if that is here.
  private func bringConflicts(about subject: RecordName, from source: ZoneRow) throws {
    guard source.isWritable,
      let gone = try MovedAway.departure(of: subject, from: source.key, transaction),
      try RecordRow.load(db, zone: source.key, name: subject)?.layers.shown == nil,
      let target = try target(of: subject, gone.move, movedBy: gone.mover, except: source.key)
    else { return }
    try moveConflicts(about: subject, from: source, to: target.zone)
  }

  private func moveConflicts(
    about subject: RecordName, from source: ZoneRow, to target: ZoneRow
  ) throws {
    for conflict in try ConflictRows.bySubject(in: source.zone, db)[subject] ?? [] {
      try show(conflict.fields, as: conflict.name, in: target)
      try show(nil, as: conflict.name, in: source)
      try Moves.note(conflict.name, from: source.key, to: target.key, db)
    }
  }

  /// Shows or deletes a conflict, and sends that; it counts as nobody's edit.
  private func show(_ fields: Fields?, as name: RecordName, in zone: ZoneRow) throws {
    var row =
      try RecordRow.load(db, zone: zone.key, name: name)
      ?? RecordRow(
        newIn: zone.key, name: name, type: ConflictRecord.recordType, now: transaction.now)
    guard row.layers.shown != fields, fields == nil || row.layers.shown == nil else { return }
    row.layers.shown = fields
    try row.store(in: transaction, zone: zone, by: transaction.ownAuthor)
    try EntryResolution(transaction, zone: zone).settle(row.layers, conflicts: [])
  }

  // MARK: Waiting

  /// Whether anything waits for its target.
  static func areWaiting(_ db: Database) throws -> Bool {
    try db.number("SELECT EXISTS (SELECT 1 FROM layer WHERE relocation_move IS NOT NULL)") > 0
  }

  /// Whether a record waits for its target, so that it is not sent.
  static func isWaiting(_ name: RecordName, in zone: Int64, _ db: Database) throws -> Bool {
    try db.number(
      """
      SELECT EXISTS (SELECT 1 FROM record JOIN layer ON layer.record = record.id
        WHERE record.zone = ? AND record.name = ? AND layer.relocation_move IS NOT NULL)
      """, [zone, name.text]) > 0
  }

  /// Everything was read that the broker had when this was asked: a target that is not here by now is
  /// in a zone that this account cannot read. What waits for one is sent from where it is.
  func giveUp() throws {
    // What began to wait in this very transaction waits for the next answer.
    guard !transaction.hasNewRelocations else { return }
    let rows = try RecordRow.load(
      db,
      sql: """
        SELECT record.* FROM record JOIN layer ON layer.record = record.id
        WHERE layer.relocation_move IS NOT NULL ORDER BY record.id
        """, [])
    for var row in rows {
      guard let zone = try ZoneRow.load(db, key: row.zone) else { continue }
      let conflicts = row.layers.gaveUpRelocation()
      try row.store(in: transaction, zone: zone, by: transaction.ownAuthor)
      try EntryResolution(transaction, zone: zone).settle(row.layers, conflicts: conflicts)
    }
  }
}
