// The guard's rows: deletions nobody asked for that are too many wait here until a person accepts
// or refuses them. Everything else of the same zone goes on.

import GRDB
import Records
import SQLiteFile
import SyncCore

enum DeletionHold {
  private static let unasked = "zone = ? AND asked = 0 AND deletion = 1 AND number IS NULL"

  /// Holds the zone's unasked deletions if they have become too many.
  static func update(_ db: Database, zone: Int64) throws {
    let deletions = try db.number("SELECT count(*) FROM outbox WHERE \(unasked)", [zone])
    guard deletions > DeletionGuard.freeDeletions else { return }
    let shown = try db.number(
      "SELECT count(*) FROM record WHERE zone = ? AND shown IS NOT NULL", [zone])
    guard DeletionGuard.holds(deletions: deletions, ofRecords: shown + deletions) else { return }
    try db.run("UPDATE outbox SET held = 1 WHERE \(unasked)", [zone])
  }

  /// Lets all held deletions go.
  static func accept(_ db: Database) throws {
    try db.run("UPDATE outbox SET held = 0, asked = 1 WHERE held = 1")
  }

  /// Takes all held deletions back.
  static func refuse(_ transaction: DeviceTransaction) throws {
    let db = transaction.db
    for entry in try OutboxEntry.load(db, where: "held = 1 ORDER BY id") {
      guard let name = entry.name, let zone = try ZoneRow.load(db, key: entry.zone),
        var row = try RecordRow.load(db, zone: entry.zone, name: name)
      else { continue }
      row.layers.shown =
        row.layers.inFlight.map(\.fields) ?? row.layers.ancestor.fields ?? row.layers.bundled
      try row.store(in: transaction, zone: zone, by: transaction.ownAuthor)
      if entry.kind == .bundled { continue }
      transaction.ledger.undone += entry.edits
      try entry.remove(db)
    }
    try db.run("UPDATE outbox SET held = 0, deletion = 0 WHERE held = 1")
  }
}
