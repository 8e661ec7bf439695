// The guard's rows: unconfirmed deletions that are too many wait here until a person accepts or
// refuses them. All other edits of the same group go on.

import GRDB
import Records
import SQLiteFile
import SyncCore

enum DeletionHold {
  /// Whether a deletion in the group, or that of the group itself, is held.
  static func isHolding(_ zone: Int64, _ db: Database) throws -> Bool {
    try db.number("SELECT EXISTS (SELECT 1 FROM outbox WHERE zone = ? AND held = 1)", [zone]) > 0
  }

  /// Whether the deletion of the group itself is held.
  static func holdsGroup(_ zone: Int64, _ db: Database) throws -> Bool {
    try !OutboxEntry.load(db, where: "held = 1 AND \(GroupDeletion.isOfZone("?"))", [zone]).isEmpty
  }

  /// Holds the group's unconfirmed deletions that were not sent yet.
  static func hold(_ zone: Int64, _ db: Database) throws {
    try db.run(
      """
      UPDATE outbox SET held = 1
      WHERE zone = ? AND asked = 0 AND deletion = 1 AND number IS NULL
      """, [zone])
  }

  // MARK: Accepting

  /// Releases all held deletions and ends the counts that led to them.
  /// - Returns: the groups that are deleted now, for the machine to stop following.
  static func accept(_ transaction: DeviceTransaction) throws -> [ZoneID] {
    let db = transaction.db
    var deleted: [ZoneID] = []
    for key in try heldZones(db) {
      if let zone = try ZoneRow.load(db, key: key), try holdsGroup(key, db) {
        try GroupDeletion.apply(zone, transaction)
        deleted.append(zone.zone)
      }
      try DeletionCounter.reset(key, db)
    }
    try db.run("UPDATE outbox SET held = 0, asked = 1 WHERE held = 1")
    return deleted
  }

  private static func heldZones(_ db: Database) throws -> [Int64] {
    try db.rows("SELECT DISTINCT zone FROM outbox WHERE held = 1 ORDER BY zone").map { $0["zone"] }
  }

  // MARK: Refusing

  /// Takes all held deletions back, and with them those of the same counts that were sent before.
  static func refuse(_ transaction: DeviceTransaction) throws {
    let db = transaction.db
    let zones = try heldZones(db)
    var edits: [LocalEdit] = []
    for zone in try zones.compactMap({ try ZoneRow.load(db, key: $0) }) {
      if try holdsGroup(zone.key, db) { edits.append(.keepZone(zone.zone)) }
      // Where this account lost the right to write, the broker's state shows again, below.
      if zone.isWritable { edits += try discarded(in: zone, transaction).map { .save($0) } }
    }
    // NB: as unconfirmed edits, which are not tied together: one that the broker refuses must not
    // take a thousand others with it.
    var restoration = try EditApplication(
      transaction, isAsked: false, action: UserAction(.restore))
    try restoration.apply(edits)
    for entry in try OutboxEntry.load(db, where: "held = 1 ORDER BY id") {
      try takeBack(entry, transaction)
    }
    for zone in zones { try DeletionCounter.reset(zone, db) }
  }

  /// The zone's counted and held deletions that the trash has. Records that another device has since moved to
  /// another zone exist there, and are not created a second time.
  private static func discarded(
    in zone: ZoneRow, _ transaction: DeviceTransaction
  ) throws -> [LocalEdit.RecordSave] {
    let rows = try transaction.db.rows(
      """
      SELECT name, type, fields FROM trash WHERE zone = ?1
        AND (counted = 1
          OR EXISTS (SELECT 1 FROM outbox WHERE zone = ?1 AND name = trash.name AND held = 1))
        AND NOT EXISTS (
          SELECT 1 FROM record WHERE zone = ?1 AND name = trash.name AND shown IS NOT NULL)
      ORDER BY id
      """, [zone.key])
    return try rows.compactMap { row in
      let name = RecordName(stored: row["name"])
      guard try !MovedAway.isElsewhere(name, besides: zone, transaction) else { return nil }
      return try Fields.read(row["fields"]).map { fields in
        LocalEdit.RecordSave(
          id: RecordID(zone: zone.zone, name: name), type: RecordType(stored: row["type"]),
          changes: FieldChanges(set: fields),
          expectation: .absent)
      }
    }
  }

  /// Shows the broker's state of a record again whose content is no longer in the trash.
  private static func takeBack(_ held: OutboxEntry, _ transaction: DeviceTransaction) throws {
    let db = transaction.db
    var entry = held
    entry.isHeld = false
    entry.isDeletion = false
    try entry.store(transaction)
    guard let name = entry.name, let zone = try ZoneRow.load(db, key: entry.zone),
      var row = try RecordRow.load(db, zone: entry.zone, name: name), row.layers.shown == nil
    else { return }
    if row.layers.ancestor.tag == .zero,
      try MovedAway.isElsewhere(name, besides: zone, transaction)
    {
      // The account may not have it here: what the broker says next is shown.
      row.layers.ancestor.fields = nil
    }
    row.layers.shown =
      row.layers.inFlight.map(\.fields) ?? row.layers.ancestor.fields ?? row.layers.bundled
    try FirstRun.bringBack(&row, in: zone, transaction)
    try row.store(in: transaction, zone: zone, by: transaction.ownAuthor)
    guard entry.kind == .record, !row.layers.hasPending else { return }
    transaction.ledger.undone += entry.edits
    try entry.remove(transaction)
  }
}
