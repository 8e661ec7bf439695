// Keeps what the broker told of the past beside what this device saw itself. What is kept here
// already stays as it is: both say the same.

import Foundation
import GRDB
import Records
import SQLiteFile
import SyncCore

enum PastKeeping {
  /// Keeps earlier states of a record.
  static func keep(
    _ page: HistoryPage, of record: RecordID, _ transaction: DeviceTransaction
  ) throws {
    guard let zone = try ZoneRow.load(transaction.db, record.zone) else { return }
    for state in page.states {
      try keep(state.change, superseded: state.superseded, zone, transaction.db)
    }
  }

  /// Keeps deleted records of a zone.
  static func keep(_ page: TrashPage, of zone: ZoneID, _ transaction: DeviceTransaction) throws {
    let db = transaction.db
    guard let zone = try ZoneRow.load(db, zone) else { return }
    for item in page.items where isKept(item.last.type) && item.tombstone.tag > zone.erasedThrough {
      guard !item.tombstone.name.text.hasControlCharacters else { continue }
      let known = try RecordRow.load(db, zone: zone.key, name: item.tombstone.name)
      // Deleted there and not here yet: the feed will tell. Deleted in both places: it is here.
      guard known?.layers.shown == nil else { continue }
      try discard(item, zone, transaction)
      try keep(item.tombstone, superseded: item.tombstone.modified.time, zone, db)
      try keep(item.last, superseded: item.tombstone.modified.time, zone, db)
    }
    transaction.hasTrash = nil
  }

  private static func isKept(_ type: RecordType) -> Bool {
    type != Conflict.recordType && type != FirstRecords.markerType
  }

  private static func keep(
    _ change: Change, superseded: Timestamp, _ zone: ZoneRow, _ db: Database
  ) throws {
    guard isKept(change.type), let state = try? BrokerState(change) else { return }
    try db.run(
      "INSERT OR IGNORE INTO past VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      [
        zone.key, change.name.text, change.tag.value, change.type.text, state.fields?.column,
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
      INSERT INTO trash (zone, name, type, title, fields, tag, account, device, time, public_id)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (zone, name) DO UPDATE SET tag = excluded.tag, time = excluded.time,
        account = excluded.account, device = excluded.device
      """,
      [
        zone.key, item.last.name.text, item.last.type.text,
        transaction.rules.title(item.last.name, type: item.last.type, fields: fields),
        fields.column,
        item.tombstone.tag.value, deletion.origin.account.column, deletion.origin.device.column,
        deletion.time.microseconds,
        PublicIDTable.column(of: RecordID(zone: zone.zone, name: item.last.name)),
      ])
  }
}
