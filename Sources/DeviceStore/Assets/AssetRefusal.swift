// The broker will not take a file, or it cannot be read here. Edits that set it cannot be sent, and are
// rejected with the reason, as they would be if the broker had refused them itself. A file that never
// was here was not set here: it came with a record that was deleted elsewhere while something else of
// it was edited here. Nobody has it any more, so the record goes on without it.

import GRDB
import Records
import SyncCore

enum AssetRefusal {
  /// Refuses the unsent edits that set the file, and what was to happen together with them.
  static func refuse(
    _ digest: AssetDigest, because error: RecordsError, _ transaction: DeviceTransaction
  ) throws {
    let db = transaction.db
    let wasHere = try ReplicaAssetTable.wasHere(digest, db)
    for id in try ReplicaAssetTable.records(naming: digest, db) {
      let rows = try RecordRow.load(db, sql: "SELECT * FROM record WHERE id = ?", [id])
      guard let row = rows.first, waits(for: digest, row.layers),
        let entry = try OutboxEntry.unsent(transaction, zone: row.zone, name: row.layers.name)
      else { continue }
      guard wasHere else {
        try leaveOut(digest, of: row, transaction)
        continue
      }
      let together =
        try entry.action.map {
          try OutboxEntry.load(db, where: "action = ? AND number IS NULL ORDER BY id", [$0])
        } ?? [entry]
      for member in together { try refuse(member, because: error, transaction) }
    }
    try OutboxEntry.endWait(for: digest, db)
  }

  private static func waits(for digest: AssetDigest, _ layers: RecordLayers) -> Bool {
    func names(_ fields: Fields?) -> Bool {
      fields?.assets.contains { $0.id == digest } == true
    }
    return names(layers.shown) && !names(layers.ancestor.fields)
  }

  private static func leaveOut(
    _ digest: AssetDigest, of row: RecordRow, _ transaction: DeviceTransaction
  ) throws {
    guard let zone = try ZoneRow.load(transaction.db, key: row.zone) else { return }
    var row = row
    row.layers.shown = row.layers.shown?.without(digest)
    try row.store(in: transaction, zone: zone, by: transaction.ownAuthor)
    try EntryResolution(transaction, zone: zone).settle(row.layers, conflicts: [])
    transaction.reports.append("A file that is no longer available was removed from a record.")
  }

  private static func refuse(
    _ entry: OutboxEntry, because error: RecordsError, _ transaction: DeviceTransaction
  ) throws {
    guard let zone = try ZoneRow.load(transaction.db, key: entry.zone) else { return }
    let row = try entry.name.flatMap {
      try RecordRow.load(transaction.db, zone: entry.zone, name: $0)
    }
    try EntryResolution(transaction, zone: zone).refuse(entry, row, because: error)
  }
}

extension Fields {
  /// The fields without those that are the file, and without it in lists and in entries.
  fileprivate func without(_ digest: AssetDigest) -> Fields {
    Fields(
      sorted: all.compactMap { field in
        field.value.without(digest).map { Field(key: field.key, value: $0) }
      })
  }
}

extension Value {
  fileprivate func without(_ digest: AssetDigest) -> Value? {
    switch self {
    case .asset(let asset): asset.id == digest ? nil : self
    case .list(let values): .list(values.compactMap { $0.without(digest) })
    case .entries(let entries):
      .entries(
        entries.map { entry in
          Entry(id: entry.id, position: entry.position, fields: entry.fields.without(digest))
        })
    case .string, .int64, .double, .boolean, .date, .bytes, .location, .reference, .unknown: self
    }
  }
}
