// Erases what a device keeps of deleted records: earlier versions, content in the trash, edits that could be undone,
// notifications, former ids and files.

import Foundation
import GRDB
import Records
import SQLiteFile

/// What a transaction erased, and what remains to be done about it at the end of the transaction.
struct ErasedContent {
  /// The files that erased versions referred to.
  var assets: Set<AssetDigest> = []
  /// The records whose edits in the log of actions are not erased yet.
  var records: [ZoneID: [RecordName]] = [:]
}

extension PastTable {
  /// Erases the stored versions of a record that is not shown. `endErasing` handles its edits and files.
  func erase(
    _ name: RecordName, in zone: ZoneRow, through: Revision = Revision(.max)
  ) throws {
    transaction.erased.records[zone.zone, default: []].append(name)
    transaction.erased.assets.formUnion(try assets(of: name, in: zone))
    // If the broker rejects an unconfirmed deletion, the record returns, and its notifications still apply. Otherwise they
    // are erased when the broker reports that the trash was emptied.
    if try !isDeletionUnconfirmed(of: name, in: zone) {
      // NB: the query reads rows that are deleted below.
      try eraseNotifications(of: name, in: zone, through: through)
    }
    try db.run(
      "DELETE FROM past WHERE zone = ? AND name = ? AND tag <= ?",
      [zone.key, name.text, through.value])
    try db.run("DELETE FROM trash WHERE zone = ? AND name = ?", [zone.key, name.text])
    try PublicIDTable.forgetAliases(of: (zone.key, name), db)
  }

  /// Erases the edits of erased records, and ends the grace period of the files that erased versions referred to. It reads
  /// all edits; if files were erased, also all stored versions. So it is called once, at the end of the transaction.
  func endErasing() throws {
    let erased = transaction.erased
    transaction.erased = ErasedContent()
    for (zone, names) in erased.records { try eraseEdits(of: names, in: zone) }
    guard !erased.assets.isEmpty else { return }
    try ReplicaAssetTable.erase(erased.assets.subtracting(try named(among: erased.assets)), db)
  }

  /// Erases the edits that could be undone. Reads the edits of all actions: they have no index by record, because it
  /// would cost each import more than all erasures of a device.
  private func eraseEdits(of names: [RecordName], in zone: ZoneID) throws {
    let list = String(decoding: try JSONEncoder().encode(names.map(\.text)), as: UTF8.self)
    try db.run(
      """
      DELETE FROM action_edit WHERE owner = ? AND zone_name = ?
        AND name IN (SELECT value FROM json_each(?))
      """, [zone.owner.column, zone.name.column, list])
  }

  /// Whether the record was deleted on this device, and the broker has not confirmed the deletion.
  private func isDeletionUnconfirmed(of name: RecordName, in zone: ZoneRow) throws -> Bool {
    try db.number(
      "SELECT count(*) FROM record WHERE zone = ? AND name = ? AND shown IS NULL AND layered = 1",
      [zone.key, name.text]) > 0
  }

  /// Erases the notifications of stored versions, through `through`. Notifications of a new record of the same name
  /// remain; they may arrive before the record. If no version of the zone's present history is stored, notifications
  /// are erased through what the device has read of the zone.
  private func eraseNotifications(
    of name: RecordName, in zone: ZoneRow, through: Revision
  ) throws {
    let read = max(zone.token?.revision ?? .zero, zone.erasedThrough)
    try db.run(
      """
      DELETE FROM notification WHERE name = ?1 AND owner = ?2 AND zone_name = ?3
        AND tag <= coalesce(min(?5, (SELECT max(tag) FROM (
          SELECT tag FROM past WHERE zone = ?4 AND name = ?1
          UNION ALL SELECT tag FROM trash WHERE zone = ?4 AND name = ?1) WHERE tag > 0)), ?6)
      """,
      [
        name.text, zone.zone.owner.column, zone.zone.name.column, zone.key, through.value,
        read == .zero ? Int64.max : read.value,
      ])
  }

  /// The files that the stored versions of a record refer to.
  private func assets(of name: RecordName, in zone: ZoneRow) throws -> Set<AssetDigest> {
    let rows = try db.rows(
      """
      SELECT fields FROM past WHERE zone = ?1 AND name = ?2 AND fields IS NOT NULL
      UNION ALL SELECT fields FROM trash WHERE zone = ?1 AND name = ?2 AND fields IS NOT NULL
      """, [zone.key, name.text])
    var digests: Set<AssetDigest> = []
    for row in rows {
      let record = EncodedRecord(stored: [UInt8](row[0] as Data))
      digests.formUnion(record.assets.map(\.id))
    }
    return digests
  }

  /// Returns those of `digests` that an earlier version, a deleted record or an action still refers to, so that they
  /// can be shown again.
  func named(among digests: Set<AssetDigest>) throws -> Set<AssetDigest> {
    guard !digests.isEmpty else { return [] }
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT fields FROM past WHERE fields IS NOT NULL
        UNION ALL SELECT fields FROM trash
        UNION ALL SELECT before FROM action_edit WHERE before IS NOT NULL
        UNION ALL SELECT after FROM action_edit WHERE after IS NOT NULL
        """)
    var found: Set<AssetDigest> = []
    while found.count < digests.count, let row = try rows.next() {
      let record = EncodedRecord(stored: [UInt8](row[0] as Data))
      for asset in record.assets where digests.contains(asset.id) { found.insert(asset.id) }
    }
    return found
  }

  /// Erases the stored versions of all records that are not shown; with `through`, only of those deleted through that
  /// revision. Returns the number of records that were in the trash.
  @discardableResult
  func eraseDeleted(in zone: ZoneRow, through: Revision? = nil) throws -> Int {
    let bound = through?.value ?? .max
    let gone = """
      SELECT name FROM past AS tombstone WHERE zone = ?1 AND fields IS NULL AND tag <= ?2
        AND NOT EXISTS (SELECT 1 FROM past WHERE zone = ?1 AND name = tombstone.name
          AND tag > tombstone.tag)
      UNION SELECT name FROM trash WHERE zone = ?1 AND (tag <= ?2 OR ?3)
      """
    let names = try db.rows(
      """
      SELECT name FROM (\(gone)) AS gone WHERE NOT EXISTS (
        SELECT 1 FROM record WHERE zone = ?1 AND name = gone.name AND shown IS NOT NULL)
      """, [zone.key, bound, through == nil]
    ).map { RecordName(stored: $0["name"]) }
    var count = 0
    for name in names {
      count += try db.number(
        "SELECT count(*) FROM trash WHERE zone = ? AND name = ? AND \(PastSchema.isDiscarded)",
        [zone.key, name.text])
    }
    for name in names { try erase(name, in: zone, through: Revision(bound)) }
    return count
  }
}
