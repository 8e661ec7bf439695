// Removes entries from the outbox when their edits are applied, merged or rejected, and counts these edits, so that
// every edit is accounted for (I17).

import GRDB
import Records
import SQLiteFile
import SyncCore

/// Resolves the outbox entries of one zone.
struct EntryResolution {
  private let transaction: DeviceTransaction
  private let zone: ZoneRow

  init(_ transaction: DeviceTransaction, zone: ZoneRow) {
    self.transaction = transaction
    self.zone = zone
  }

  private var db: Database { transaction.db }

  /// Removes an entry that the broker applied.
  func apply(_ entry: OutboxEntry) throws {
    try Self.apply(entry, transaction)
  }

  /// Removes an entry that the broker applied. Its zone may have been removed.
  static func apply(_ entry: OutboxEntry, _ transaction: DeviceTransaction) throws {
    count(applied: entry, transaction)
    try entry.remove(transaction)
  }

  /// Counts the edits of an entry that the broker applied.
  static func count(applied entry: OutboxEntry, _ transaction: DeviceTransaction) {
    guard entry.edits > 0 else { return }
    transaction.ledger.applied += 1
    transaction.ledger.coalesced += entry.edits - 1
  }

  /// Moves a record's edits to the rejected edits, and shows the broker's state of the record again.
  func refuse(_ entry: OutboxEntry, _ row: RecordRow?, because error: RecordsError) throws {
    transaction.ledger.rejected += entry.edits
    try entry.remove(transaction)
    guard var row else { return }
    if let name = entry.name,
      let later = try OutboxEntry.unsent(transaction, zone: zone.key, name: name)
    {
      transaction.ledger.rejected += later.edits
      try later.remove(transaction)
    }
    // Conflicts are created by the device, not by the user.
    if row.layers.type != ConflictRecord.recordType {
      try RejectedEdits.store(row.layers, in: zone, because: error, transaction: transaction)
    }
    // Only a record that the broker does not have in this zone: another one may contain content that participants
    // of the source zone may not read.
    let homeless = row.layers.ancestor.fields == nil ? row.layers.shown : nil
    try Moves.takeBack(row.layers.name, movedTo: zone.key, as: homeless, transaction)
    let held = row.layers.held
    _ = row.layers.refused(because: error)
    let author = transaction.author(of: row.layers, held: held)
    try row.store(in: transaction, zone: zone, by: author)
  }

  /// Updates a record's unsent entry after its layers changed. The entry remains if there is something to send.
  /// Otherwise it is removed and its edits count as merged. Saves `conflicts` together with the entry.
  func settle(_ layers: RecordLayers, conflicts: [ConflictRecord]) throws {
    var entry = try OutboxEntry.unsent(transaction, zone: zone.key, name: layers.name)
    if layers.hasPending, entry == nil {
      entry = OutboxEntry(
        record: layers.name, zone: zone.key, isAsked: true, isDeletion: layers.shown == nil,
        edits: 0)
      try entry?.store(transaction)
    } else if !layers.hasPending, layers.bundled == nil, let merged = entry {
      transaction.ledger.merged += merged.edits
      try merged.remove(transaction)
      entry = nil
    } else if let entry, entry.kind == .record, entry.isDeletion != (layers.shown == nil) {
      var turned = entry
      turned.isDeletion = layers.shown == nil
      turned.awaited = nil
      try turned.store(transaction)
    } else if entry?.awaited != nil {
      // The broker's new state may contain the file.
      entry?.awaited = nil
      try entry?.store(transaction)
    }
    // One device resolves a conflict, and another one changes it: it stays. No client shows a conflict about a conflict.
    guard !conflicts.isEmpty, layers.type != ConflictRecord.recordType else { return }
    try save(conflicts, with: entry)
  }

  /// Saves conflicts in the same group as the merged edit, if part of that edit remains to be sent.
  private func save(_ conflicts: [ConflictRecord], with entry: OutboxEntry?) throws {
    var ids: [Int64] = []
    for conflict in conflicts {
      var row =
        try RecordRow.load(db, zone: zone.key, name: conflict.name)
        ?? RecordRow(
          newIn: zone.key, name: conflict.name, type: ConflictRecord.recordType,
          now: transaction.now)
      guard row.layers.shown == nil, row.layers.inFlight == nil else { continue }
      row.layers.shown = conflict.fields(found: transaction.now, finder: transaction.side)
      try row.store(in: transaction, zone: zone, by: transaction.ownAuthor)
      var own =
        try OutboxEntry.unsent(transaction, zone: zone.key, name: conflict.name)
        ?? OutboxEntry(
          record: conflict.name, zone: zone.key, isAsked: true, isDeletion: false, edits: 0)
      own.isDeletion = false
      try own.store(transaction)
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
  /// Returns the conflicts of a merge that are stored in a zone. The public database stores none, because every
  /// account could read them. There, a deletion also wins over a change, wherever each was made.
  mutating func left(of conflicts: [ConflictRecord], in zone: ZoneID) -> [ConflictRecord] {
    guard zone.isPublic else { return conflicts }
    if conflicts.contains(where: { $0.kind != .values }) { shown = nil }
    return []
  }
}
