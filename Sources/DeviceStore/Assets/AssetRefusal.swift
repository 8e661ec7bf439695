// The broker will not take a file, or it cannot be read here: the edits that name it cannot be sent,
// and are parked with the reason, as they would be if the broker had refused them itself.

import GRDB
import Records
import SyncCore

enum AssetRefusal {
  /// Refuses the unsent edits that name the file, and what was to happen together with them.
  static func refuse(
    _ digest: AssetDigest, because error: RecordsError, _ transaction: DeviceTransaction
  ) throws {
    let db = transaction.db
    for id in try AssetTable.records(naming: digest, db) {
      let rows = try RecordRow.load(db, sql: "SELECT * FROM record WHERE id = ?", [id])
      guard let row = rows.first, names(digest, row.layers),
        let entry = try OutboxEntry.unsent(db, zone: row.zone, name: row.layers.name)
      else { continue }
      let together =
        try entry.action.map {
          try OutboxEntry.load(db, where: "action = ? AND number IS NULL ORDER BY id", [$0])
        } ?? [entry]
      for member in together { try refuse(member, because: error, transaction) }
    }
  }

  private static func names(_ digest: AssetDigest, _ layers: RecordLayers) -> Bool {
    layers.shown?.assets.contains { $0.id == digest } == true
  }

  private static func refuse(
    _ entry: OutboxEntry, because error: RecordsError, _ transaction: DeviceTransaction
  ) throws {
    guard let zone = try ZoneRow.load(transaction.db, key: entry.zone) else { return }
    let row = try entry.name.flatMap {
      try RecordRow.load(transaction.db, zone: entry.zone, name: $0)
    }
    try EntryEnding(transaction, zone: zone).refuse(entry, row, because: error)
  }
}
