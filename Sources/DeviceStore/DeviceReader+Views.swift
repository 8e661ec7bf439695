// Converts rows to the views that the reader returns.

import Foundation
import GRDB
import Records
import SQLiteFile
import SyncCore

extension DeviceReader {
  /// Selects records with their zones and with the ids of this account and device.
  package static let recordSelection = """
    SELECT record.*, zone.owner AS zone_owner, zone.name AS zone_name,
      (SELECT account FROM identity) AS own_account, (SELECT device FROM identity) AS own_device
    FROM record JOIN zone ON zone.id = record.zone
    """

  /// The condition that a zone is not that of the public database, whose records may have any name.
  package static func isOfGroup(_ zone: String) -> String {
    "\(zone) NOT IN (SELECT id FROM zone WHERE owner = x'\(AccountID.public)')"
  }

  static func zone(owner: Data, name: Data) -> ZoneID? {
    guard let owner = AccountID(column: owner), let name = ZoneName(column: name) else {
      return nil
    }
    return ZoneID(owner: owner, name: name)
  }

  /// Reads a row of `recordSelection` whose record is shown.
  package static func record(_ row: Row) throws -> RecordView {
    guard let zone = zone(owner: row["zone_owner"], name: row["zone_name"]) else {
      throw StoreError(.damaged, "A zone's row is damaged.")
    }
    let isSynced = !(row["layered"] as Bool) && row["tag"] as Int64? != nil
    let created = try Stamp.read(row["created"])
    // A record with unsent edits was last modified here, regardless of the broker's dates.
    let modified = isSynced ? try Stamp.read(row["modified"]) : nil
    let id = RecordID(zone: zone, name: RecordName(stored: row["name"]))
    return RecordView(
      id: id,
      type: RecordType(stored: row["type"]), fields: try Fields.read(row["shown"]) ?? Fields(),
      version: row["version"], isSynced: isSynced,
      created: created?.time ?? Timestamp(microseconds: row["local_created"]),
      createdAccount: created?.origin.account ?? AccountID(column: row["own_account"]),
      modified: modified?.time ?? Timestamp(microseconds: row["local_modified"]),
      modifiedAccount: modified?.origin.account ?? AccountID(column: row["own_account"]),
      modifiedDevice: modified?.origin.device ?? DeviceID(column: row["own_device"]),
      publicID: (row["public_id"] as String?).map { PublicID(stored: $0) } ?? id.publicID)
  }

  static func event(_ row: Row) throws -> LocalEvent? {
    guard let kind = LocalEvent.Kind(rawValue: row["kind"]),
      let zone = zone(owner: row["owner"], name: row["zone_name"])
    else { return nil }
    return LocalEvent(
      sequence: row["sequence"], kind: kind, type: RecordType(stored: row["type"]), zone: zone,
      id: row["id"], title: row["title"], account: AccountID(column: row["account"]),
      device: DeviceID(column: row["device"]), isLocal: row["local"],
      time: Timestamp(microseconds: row["time"]))
  }

  /// Returns a conflict with the title of its record; `nil` while this device does not have the record. The conflict
  /// is shown again when the record is restored, or is read in the zone that it was moved to.
  func conflict(
    _ conflict: ConflictRecord, _ view: RecordView, on device: DeviceID?, _ db: Database
  ) throws -> ConflictView? {
    let subject = RecordID(zone: view.id.zone, name: conflict.record)
    let row = try db.row(
      """
      \(Self.recordSelection) WHERE zone.owner = ? AND zone.name = ? AND record.name = ?
        AND shown IS NOT NULL
      """, [subject.zone.owner.column, subject.zone.name.column, subject.name.text])
    guard let record = try row.map(Self.record) else { return nil }
    return ConflictView(
      id: view.id, record: subject, recordType: conflict.type,
      title: rules.title(record.id.name, type: record.type, fields: record.fields),
      kind: conflict.kind, field: conflict.field, entry: conflict.entry,
      entryField: conflict.entryField, losing: conflict.losing, winning: conflict.winning,
      mine: conflict.value(ofDevice: device), loser: conflict.loser, winner: conflict.winner,
      found: ConflictRecord.found(view.fields) ?? view.created)
  }
}
