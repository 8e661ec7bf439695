// Deletes a zone on this device: immediately if a person confirmed it or few records are lost, otherwise the
// deletion is held. Neither a zone whose deletion is held nor its records appear here. The broker and the
// account's other devices keep them until a person answers. A zone whose records move elsewhere is hidden, and
// deleted once they have all left. Each deletion says what its author had read, so that it deletes nothing else.

import GRDB
import Records
import SQLiteFile
import SyncCore

enum GroupDeletion {
  /// Whether people no longer see the group, because its deletion is held or waits for its records to leave.
  static func hides(_ zone: Int64, _ db: Database) throws -> Bool {
    try db.number("SELECT \(hides("?1"))", [zone]) > 0
  }

  /// The same as SQL, for the row of a group.
  static func hides(_ zone: String) -> String {
    "EXISTS (SELECT 1 FROM outbox WHERE \(isOfZone(zone)))"
  }

  /// The condition in SQL for entries that delete a zone.
  static func isOfZone(_ zone: String) -> String {
    "zone = \(zone) AND name IS NULL AND kind = \(OutboxEntry.Kind.deleteZone.rawValue)"
  }

  /// Deletes a group with everything in it, here at once and then on the broker. Records that move elsewhere leave it
  /// first: the broker may reject the deletion, and would then have them twice.
  static func apply(_ zone: ZoneRow, _ transaction: DeviceTransaction) throws {
    let db = transaction.db
    var row = zone
    let unsent = try OutboxEntry.load(db, where: "zone = ? AND number IS NULL", [row.key])
    for entry in unsent {
      let edited = try entry.name.flatMap {
        try RecordRow.load(db, zone: row.key, name: $0)?.layers
      }
      if let edited, edited.isLeaving { continue }
      if let edited, edited.type != ConflictRecord.recordType {
        try RejectedEdits.keepUnseen(edited, in: row, transaction)
      }
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
    try leave(&row, transaction)
    var entry = OutboxEntry(zone: row.key, kind: .deleteZone, title: nil)
    try entry.store(transaction)
  }

  /// Removes what the device has of a zone whose deletion is about to be sent, except records that are leaving it.
  static func leave(_ zone: inout ZoneRow, _ transaction: DeviceTransaction) throws {
    try ZoneDeletionTable.note(zone, transaction.db)
    try zone.removeRecords(in: transaction, keepsLeaving: true)
    zone.state = .deleting
    try zone.store(transaction.db)
  }

  /// Deletes a zone again that the broker lists although its deletion was confirmed. It is not shown meanwhile.
  static func repeatDeletion(
    _ deletion: DeletedZoneRow, of zone: ZoneRow, _ transaction: DeviceTransaction
  ) throws {
    let db = transaction.db
    guard try !hides(zone.key, db) else { return }
    var row = zone
    row.state = .deleting
    try row.store(db)
    try ZoneDeletionTable.note(row, at: deletion.position, reading: deletion.versions, db)
    var entry = OutboxEntry(zone: row.key, kind: .deleteZone, title: nil)
    entry.isAsked = false
    entry.edits = 0
    try entry.store(transaction)
  }

  /// Cancels a deletion of a zone that was not sent.
  static func cancel(_ zone: ZoneRow, _ transaction: DeviceTransaction) throws {
    try ZoneDeletionTable.forget(zone, transaction.db)
    for entry in try OutboxEntry.load(transaction.db, where: isOfZone("?"), [zone.key]) {
      transaction.ledger.undone += entry.edits
      try entry.remove(transaction)
    }
  }

  /// Keeps a zone because a record found no place elsewhere and is shown in it again.
  static func keep(_ zone: ZoneRow, _ transaction: DeviceTransaction) throws {
    guard try hides(zone.key, transaction.db) else { return }
    try cancel(zone, transaction)
    try transaction.append(
      .created, type: LocalEvent.groupType, zone: zone.zone, id: zone.zone.name.description,
      title: zone.title, by: .unknown)
  }

  /// Forgets a zone that the broker no longer has and that was deleted here too.
  static func finish(_ zone: ZoneRow, _ transaction: DeviceTransaction) throws {
    let unsent = try OutboxEntry.load(
      transaction.db, where: "zone = ? AND number IS NULL", [zone.key])
    for entry in unsent {
      transaction.ledger.merged += entry.edits
      try entry.remove(transaction)
    }
    try zone.remove(in: transaction)
  }
}

extension EditApplication {
  mutating func delete(_ zone: ZoneID) throws {
    let row = try owned(zone)
    try log.noteDeletion(of: row)
    try announce(.deleted, row)
    if try isHeld(deletionOf: row) { return try hide(row) }
    if try isBeingEmptied(row) {
      try ZoneDeletionTable.note(row, db)
      return try enter(.deleteZone, row, title: nil)
    }
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

  /// Whether the action moved all records of the zone elsewhere and the broker has some of them.
  private func isBeingEmptied(_ zone: ZoneRow) throws -> Bool {
    guard traces.deleted.contains(where: { $0.zone == zone.key && traces.made[$0.name] != nil })
    else { return false }
    return try db.number(
      """
      SELECT EXISTS (SELECT 1 FROM outbox WHERE zone = ?1 AND name IS NOT NULL) AND NOT EXISTS (
        SELECT 1 FROM record WHERE zone = ?1 AND shown IS NOT NULL AND type NOT IN (?2, ?3))
      """, [zone.key, FirstRecords.markerType.text, ConflictRecord.recordType.text]) > 0
  }

  /// Hides the zone and its records; their deletion waits for an answer.
  private mutating func hide(_ zone: ZoneRow) throws {
    let rows = try RecordRow.load(
      db, sql: "SELECT * FROM record WHERE zone = ? AND shown IS NOT NULL ORDER BY id", [zone.key])
    for var row in rows
    where row.layers.type != FirstRecords.markerType && row.layers.type != ConflictRecord.recordType
    {
      try show(nil, in: &row, zone, isLogged: true)
    }
    var entry = OutboxEntry(zone: zone.key, kind: .deleteZone, title: nil)
    entry.isAsked = false
    entry.isDeletion = true
    entry.isHeld = true
    transaction.ledger.made += 1
    try ZoneDeletionTable.note(zone, db)
    try entry.store(transaction)
  }

  /// Cancels the deletion of a zone that is held or waits. Its records come back by edits of their own.
  mutating func keep(_ zone: ZoneID) throws {
    guard let row = try ZoneRow.load(db, zone), try GroupDeletion.hides(row.key, db) else {
      throw RecordsError.noZone
    }
    try GroupDeletion.cancel(row, transaction)
    try log.note(row.zone, title: nil, after: row.title)
    try announce(.created, row)
  }

  /// What the action put elsewhere under the same name was moved there.
  private mutating func traceContent(of zone: ZoneRow) throws {
    guard !traces.made.isEmpty else { return }
    for row in try db.rows(
      "SELECT name FROM record WHERE zone = ? AND shown IS NOT NULL", [zone.key])
    {
      traces.deleted.append((RecordName(stored: row["name"]), zone.key))
    }
    // Before the zone's rows go, and its former ids with them.
    for (name, source) in traces.deleted where source == zone.key {
      guard let target = traces.made[name] else { continue }
      try PublicIDTable.addAlias(from: (source, name), to: (target, name), db)
    }
  }
}
