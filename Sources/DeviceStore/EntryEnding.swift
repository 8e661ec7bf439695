// How an entry of the outbox ends, and what else that brings about. Every way out of the outbox
// goes through here, so that no edit is lost from the count (I17).

import GRDB
import Records
import SQLiteFile
import SyncCore

/// Ends entries of one zone.
struct EntryEnding {
  private let transaction: DeviceTransaction
  private let zone: ZoneRow

  init(_ transaction: DeviceTransaction, zone: ZoneRow) {
    self.transaction = transaction
    self.zone = zone
  }

  private var db: Database { transaction.db }

  /// The broker took the entry.
  func apply(_ entry: OutboxEntry) throws {
    try Self.apply(entry, transaction)
  }

  /// The broker took the entry; its zone may be gone meanwhile.
  static func apply(_ entry: OutboxEntry, _ transaction: DeviceTransaction) throws {
    if entry.edits > 0 {
      transaction.ledger.applied += 1
      transaction.ledger.coalesced += entry.edits - 1
    }
    try entry.remove(transaction.db)
  }

  /// The broker will not take the record's edits: they are parked and people see its state again.
  func refuse(_ entry: OutboxEntry, _ row: RecordRow?, because error: RecordsError) throws {
    transaction.ledger.rejected += entry.edits
    try entry.remove(db)
    guard var row else { return }
    if let name = entry.name, let later = try OutboxEntry.unsent(db, zone: zone.key, name: name) {
      transaction.ledger.rejected += later.edits
      try later.remove(db)
    }
    // A conflict that found no place is not an edit of anybody.
    if row.layers.type != Conflict.recordType {
      try Parking.park(row.layers, in: zone, because: error, transaction: transaction)
    }
    // Only what found no place here at all: a record that the broker has here may say more than people
    // of the other group may read.
    let homeless = row.layers.ancestor.fields == nil ? row.layers.shown : nil
    try Moves.takeBack(row.layers.name, movedTo: zone.key, as: homeless, transaction)
    let held = row.layers.held
    _ = row.layers.refused(because: error)
    let author = transaction.author(of: row.layers, held: held)
    try row.store(in: transaction, zone: zone, by: author)
  }

  /// The record's layers changed: its unsent entry stays if there is something to send, and goes,
  /// its edits being merged, if there is not. The conflicts found go out with it.
  func settle(_ layers: RecordLayers, conflicts: [Conflict]) throws {
    var entry = try OutboxEntry.unsent(db, zone: zone.key, name: layers.name)
    if layers.hasPending, entry == nil {
      entry = OutboxEntry(
        record: layers.name, zone: zone.key, isAsked: true, isDeletion: layers.shown == nil,
        edits: 0)
      try entry?.store(db)
    } else if !layers.hasPending, layers.bundled == nil, let merged = entry {
      transaction.ledger.merged += merged.edits
      try merged.remove(db)
      entry = nil
    } else if let entry, entry.kind == .record, entry.isDeletion != (layers.shown == nil) {
      var turned = entry
      turned.isDeletion = layers.shown == nil
      turned.awaited = nil
      try turned.store(db)
    } else if entry?.awaited != nil {
      // What the broker has now may have the file.
      entry?.awaited = nil
      try entry?.store(db)
    }
    guard !conflicts.isEmpty else { return }
    try save(conflicts, with: entry)
  }

  /// Saves conflicts in the same group as the merged edit, if there is one left.
  private func save(_ conflicts: [Conflict], with entry: OutboxEntry?) throws {
    var ids: [Int64] = []
    for conflict in conflicts {
      var row =
        try RecordRow.load(db, zone: zone.key, name: conflict.name)
        ?? RecordRow(
          newIn: zone.key, name: conflict.name, type: Conflict.recordType, now: transaction.now)
      guard row.layers.shown == nil, row.layers.inFlight == nil else { continue }
      row.layers.shown = conflict.fields(found: transaction.now, finder: transaction.side)
      try row.store(in: transaction, zone: zone, by: transaction.ownAuthor)
      var own =
        try OutboxEntry.unsent(db, zone: zone.key, name: conflict.name)
        ?? OutboxEntry(
          record: conflict.name, zone: zone.key, isAsked: true, isDeletion: false, edits: 0)
      own.isDeletion = false
      try own.store(db)
      if let id = own.id { ids.append(id) }
    }
    guard let entry, let id = entry.id, entry.kind == .record, !ids.isEmpty else { return }
    let action = entry.action ?? id
    for member in ids + [id] {
      try db.run("UPDATE outbox SET action = ? WHERE id = ?", [action, member])
    }
  }
}

extension RecordLayers {
  /// What remains of a merge's conflicts in a zone. In the public database there are none: a conflict's
  /// record would be everybody's to read, and what is deleted there stays so, whatever became of it
  /// meanwhile.
  mutating func left(of conflicts: [Conflict], in zone: ZoneID) -> [Conflict] {
    guard zone.isPublic else { return conflicts }
    if conflicts.contains(where: { $0.kind == .deletedHere }) { shown = nil }
    return []
  }
}
