// Where refused edits wait for their author: what was typed and why it was not taken. They are not
// sent again by themselves, and they stand in nobody's way.

import Foundation
import GRDB
import Records
import SQLiteFile
import SyncCore

enum Parking {
  /// Parks what a record's edits would have done to the state the broker had.
  static func park(
    _ layers: RecordLayers, in zone: ZoneID, because error: RecordsError,
    transaction: DeviceTransaction
  ) throws {
    let base = layers.ancestor.fields ?? Fields()
    let isDeletion = layers.shown == nil
    let changes =
      isDeletion
      ? FieldChanges() : FieldChanges.difference(from: base, to: layers.shown ?? Fields())
    let title = ContactIndex.title(
      layers.name, type: layers.type, fields: layers.shown ?? base)
    try park(
      zone: zone, name: layers.name, title: title, changes: changes, isDeletion: isDeletion,
      because: error, transaction: transaction)
  }

  /// Parks what a person typed into a record of a zone that is gone, and nothing else of it.
  static func parkTyped(
    _ layers: RecordLayers, in zone: ZoneRow, because error: RecordsError,
    transaction: DeviceTransaction
  ) throws {
    let base = layers.ancestor.fields
    let isDeletion = layers.shown == nil
    let changes =
      isDeletion
      ? FieldChanges()
      : FieldChanges.difference(from: base ?? Fields(), to: layers.shown ?? Fields())
        .typed(beside: base ?? Fields())
    // What the contact is called may be somebody else's word.
    let title = ContactIndex.title(layers.name, type: layers.type, fields: changes.set)
    try park(
      zone: zone.zone, name: layers.name,
      title: title.isEmpty ? "a contact of “\(zone.title)”" : title, changes: changes,
      isDeletion: isDeletion, because: error, transaction: transaction)
  }

  /// Parks what was to be done to a group.
  static func park(
    _ zone: ZoneID, title: String, isDeletion: Bool, because error: RecordsError,
    transaction: DeviceTransaction
  ) throws {
    try park(
      zone: zone, name: nil, title: title, changes: FieldChanges(), isDeletion: isDeletion,
      because: error, transaction: transaction)
  }

  private static func park(
    zone: ZoneID, name: RecordName?, title: String, changes: FieldChanges, isDeletion: Bool,
    because error: RecordsError, transaction: DeviceTransaction
  ) throws {
    let db = transaction.db
    try db.run(
      """
      INSERT INTO parked (owner, zone_name, name, title, code, message, set_fields, removed,
        deletion, time) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        zone.owner.column, zone.name.column, name?.text, title, error.code.rawValue,
        error.message, changes.set.column, changes.removed.map(\.text).joined(separator: " "),
        isDeletion, transaction.now.microseconds,
      ])
    let id = db.lastInsertedRowID
    let named = Set(changes.set.assets)
    if !named.isEmpty { try AssetTable.setUses(named, of: .parked, id, db) }
    try db.run("DELETE FROM parked WHERE id <= ?", [id - Int64(DeviceLimits.parked)])
  }

  /// Reads a row.
  static func view(_ row: Row) throws -> ParkedView {
    guard let owner = AccountID(column: row["owner"]),
      let zoneName = ZoneName(column: row["zone_name"])
    else { throw StoreError(.damaged, "A parked edit's row is damaged.") }
    let removed = (row["removed"] as String).split(separator: " ")
    return ParkedView(
      id: row["id"], zone: ZoneID(owner: owner, name: zoneName),
      name: (row["name"] as String?).map { RecordName(stored: $0) }, title: row["title"],
      code: ErrorCode(rawValue: row["code"]) ?? .internalError, message: row["message"],
      changes: FieldChanges(
        set: try Fields.read(row["set_fields"]) ?? Fields(),
        removed: removed.map { FieldKey(stored: String($0)) }),
      isDeletion: row["deletion"], time: Timestamp(microseconds: row["time"]))
  }
}
