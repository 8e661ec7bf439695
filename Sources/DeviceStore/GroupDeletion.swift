// Deletes a zone on this device: immediately if a person confirmed it or few records are lost, otherwise the
// deletion is held. Neither a zone whose deletion is held nor its records appear here. The broker and the
// account's other devices keep them until a person answers.

import GRDB
import Records
import SQLiteFile
import SyncCore

enum GroupDeletion {
  /// Deletes a group with everything in it, here at once and then on the broker.
  static func apply(_ zone: ZoneRow, _ transaction: DeviceTransaction) throws {
    let db = transaction.db
    var row = zone
    let unsent = try OutboxEntry.load(db, where: "zone = ? AND number IS NULL", [row.key])
    for entry in unsent {
      transaction.ledger.undone += entry.edits
      try entry.remove(transaction)
    }
    try DeletionCounter.reset(row.key, db)
    transaction.ledger.made += 1
    let underWay = try db.number("SELECT count(*) FROM outbox WHERE zone = ?", [row.key])
    if row.state == .creating, underWay == 0 {
      transaction.ledger.undone += 1
      return try row.remove(in: transaction)
    }
    try row.removeRecords(in: transaction)
    row.state = .deleting
    try row.store(db)
    var entry = OutboxEntry(zone: row.key, kind: .deleteZone, title: nil)
    try entry.store(transaction)
  }
}

extension EditApplication {
  mutating func delete(_ zone: ZoneID) throws {
    let row = try owned(zone)
    try log.noteDeletion(of: row)
    try announce(.deleted, row)
    if try isHeld(deletionOf: row) { return try hide(row) }
    try traceContent(of: row)
    try GroupDeletion.apply(row, transaction)
    // A zone that was never sent is gone at once, and can be created again.
    if try ZoneRow.load(db, zone) != nil { deletedZones.append(zone) }
  }

  private mutating func isHeld(deletionOf zone: ZoneRow) throws -> Bool {
    guard !isAsked else { return false }
    try counter.begin(zone.key)
    return try counter.holdsGroup(zone.key, kept: Set(traces.made.keys))
  }

  /// Hides the zone and its records; their deletion waits for an answer.
  private mutating func hide(_ zone: ZoneRow) throws {
    let rows = try RecordRow.load(
      db, sql: "SELECT * FROM record WHERE zone = ? AND shown IS NOT NULL ORDER BY id", [zone.key])
    for var row in rows
    where row.layers.type != FirstRecords.markerType && row.layers.type != Conflict.recordType {
      try show(nil, in: &row, zone, isLogged: true)
    }
    var entry = OutboxEntry(zone: zone.key, kind: .deleteZone, title: nil)
    entry.isAsked = false
    entry.isDeletion = true
    entry.isHeld = true
    transaction.ledger.made += 1
    try entry.store(transaction)
  }

  /// Cancels the held deletion of a zone. Its records come back by edits of their own.
  mutating func keep(_ zone: ZoneID) throws {
    guard let row = try ZoneRow.load(db, zone), try DeletionHold.hides(row.key, db) else {
      throw RecordsError.noZone
    }
    for entry in try OutboxEntry.load(
      db, where: "zone = ? AND held = 1 AND kind = ?",
      [row.key, OutboxEntry.Kind.deleteZone.rawValue])
    {
      transaction.ledger.undone += entry.edits
      try entry.remove(transaction)
    }
    try log.note(row.zone, title: nil, after: row.title)
    try announce(.created, row)
  }

  /// What the action put elsewhere under the same name was moved there.
  private mutating func traceContent(of zone: ZoneRow) throws {
    guard !traces.made.isEmpty else { return }
    for row in try db.rows(
      "SELECT name FROM record WHERE zone = ? AND shown IS NOT NULL", [zone.key])
    {
      let name = RecordName(stored: row["name"])
      traces.deleted.append((name, zone.key))
      // Before the zone's rows go, and its former ids with them.
      guard let target = traces.made[name] else { continue }
      try PublicIDTable.addAlias(from: (zone.key, name), to: (target, name), db)
    }
  }
}
