// Stores the earlier versions and deleted records that the broker sent in answer to a question about the past.
// Versions that the device has stored itself are not replaced, because both have the same content.

import Foundation
import GRDB
import Records
import SQLiteFile
import SyncCore

/// Writes fetched pages to the `past` and `trash` tables.
enum FetchedHistory {
  /// Stores earlier versions of a record.
  static func store(
    _ page: HistoryPage, of record: RecordID, _ transaction: DeviceTransaction
  ) throws {
    guard let zone = try ZoneRow.load(transaction.db, record.zone) else { return }
    for state in page.states {
      try store(state.change, superseded: state.superseded, zone, transaction.db)
    }
  }

  /// Stores deleted records of a zone.
  static func store(_ page: TrashPage, of zone: ZoneID, _ transaction: DeviceTransaction) throws {
    let db = transaction.db
    guard let zone = try ZoneRow.load(db, zone) else { return }
    for item in page.items
    where isStored(item.last.type)
      && item.tombstone.former.revisionInHistory(tag: item.tombstone.tag)
        > zone.erasedThrough
    {
      guard !item.tombstone.name.text.hasControlCharacters else { continue }
      let known = try RecordRow.load(db, zone: zone.key, name: item.tombstone.name)
      // If the record is still shown here, the feed has yet to deliver its deletion.
      guard known?.layers.shown == nil else { continue }
      try discard(item, zone, transaction)
      try store(item.tombstone, superseded: item.tombstone.modified.time, zone, db)
      try store(item.last, superseded: item.tombstone.modified.time, zone, db)
    }
    transaction.hasTrash = nil
  }

  private static func isStored(_ type: RecordType) -> Bool {
    type != ConflictRecord.recordType && type != FirstRecords.markerType
  }

  private static func store(
    _ change: Change, superseded: Timestamp, _ zone: ZoneRow, _ db: Database
  ) throws {
    guard isStored(change.type), let state = try? BrokerState(change) else { return }
    try db.run(
      "INSERT OR IGNORE INTO past VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      [
        zone.key, change.name.text,
        change.former.revisionInHistory(tag: change.tag).value, change.type.text,
        state.fields?.column,
        state.modified?.column, state.isMaking, superseded.microseconds,
      ])
  }

  private static func discard(
    _ item: TrashPage.Item, _ zone: ZoneRow, _ transaction: DeviceTransaction
  ) throws {
    guard let fields = try? item.last.record.fields() else { return }
    let deletion = item.tombstone.modified
    try transaction.db.run(
      """
      INSERT INTO trash (zone, name, type, title, fields, tag, account, device, time, public_id,
        moved)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (zone, name) DO UPDATE SET tag = excluded.tag, time = excluded.time,
        account = excluded.account, device = excluded.device, moved = max(moved, excluded.moved)
      """,
      [
        zone.key, item.last.name.text, item.last.type.text,
        transaction.rules.title(item.last.name, type: item.last.type, fields: fields),
        fields.column,
        item.tombstone.former.revisionInHistory(tag: item.tombstone.tag).value,
        deletion.origin.account.column, deletion.origin.device.column,
        deletion.time.microseconds,
        PublicIDTable.column(of: RecordID(zone: zone.zone, name: item.last.name)),
        item.tombstone.move != nil,
      ])
  }
}
