// Where refused edits wait for their author: what was typed and why it was not taken. They are not
// sent again by themselves, and they stand in nobody's way. What stood in the record beside what was
// typed helps its author, as long as the group is theirs to see; when that is over it goes.

import Foundation
import GRDB
import Records
import SQLiteFile
import SyncCore

enum Parking {
  /// Parks what a record's edits would have done to the state the broker had.
  static func park(
    _ layers: RecordLayers, in zone: ZoneRow, because error: RecordsError,
    transaction: DeviceTransaction
  ) throws {
    let base = layers.ancestor.fields ?? layers.relocation?.base ?? Fields()
    let changes = changes(of: layers)
    let typed = changes.typed(beside: base)
    let rules = transaction.rules
    let title = rules.title(layers.name, type: layers.type, fields: layers.shown ?? base)
    let parked = Parked(
      name: layers.name, title: title, changes: changes, isDeletion: layers.shown == nil,
      typed: typed.set, typedTitle: self.title(layers, typed, zone, rules))
    try enter(parked, in: zone.zone, because: error, transaction: transaction)
  }

  /// Parks what a person typed into a record of a zone that is gone, and nothing else of it.
  static func parkTyped(
    _ layers: RecordLayers, in zone: ZoneRow, because error: RecordsError,
    transaction: DeviceTransaction
  ) throws {
    let base = layers.ancestor.fields ?? layers.relocation?.base ?? Fields()
    let typed = changes(of: layers).typed(beside: base)
    let title = title(layers, typed, zone, transaction.rules)
    let parked = Parked(
      name: layers.name, title: title, changes: typed, isDeletion: layers.shown == nil,
      typed: typed.set, typedTitle: title)
    try enter(parked, in: zone.zone, because: error, transaction: transaction)
  }

  /// Parks what was to be done to a group.
  static func park(
    _ zone: ZoneID, title: String, isDeletion: Bool, because error: RecordsError,
    transaction: DeviceTransaction
  ) throws {
    let parked = Parked(name: nil, title: title, changes: FieldChanges(), isDeletion: isDeletion)
    try enter(parked, in: zone, because: error, transaction: transaction)
  }

  /// The zone is gone: of what was parked in it before stays what was typed.
  /// - Returns: the files that it named besides.
  static func keepTyped(
    in zone: ZoneRow, _ transaction: DeviceTransaction
  ) throws -> Set<AssetDigest> {
    let db = transaction.db
    var dropped: Set<AssetDigest> = []
    let rows = try db.rows(
      "SELECT * FROM parked WHERE owner = ? AND zone_name = ? AND name IS NOT NULL",
      [zone.zone.owner.column, zone.zone.name.column])
    for row in rows {
      let (typed, title) = try typed(row, in: zone, transaction.rules, db)
      let id: Int64 = row["id"]
      try db.run(
        """
        UPDATE parked SET set_fields = ?1, title = ?2, typed = ?1, typed_title = ?2 WHERE id = ?3
        """, [typed.column, title, id])
      let named = Set(typed.assets)
      let before = Set(try Fields.read(row["set_fields"])?.assets ?? [])
      try ReplicaAssetTable.setUses(named, of: .parked, id, db)
      dropped.formUnion(before.subtracting(named).map(\.id))
    }
    return dropped
  }

  /// What was typed of a parked edit, and its title. It was not kept in the first versions; then
  /// what the record says now is left out.
  private static func typed(
    _ row: Row, in zone: ZoneRow, _ rules: ApplicationRules, _ db: Database
  ) throws -> (Fields, title: String) {
    if let kept = try Fields.read(row["typed"]), let title = row["typed_title"] as String? {
      return (kept, title)
    }
    let record = try RecordRow.load(
      db, zone: zone.key, name: RecordName(stored: row["name"] as String))
    let changes = FieldChanges(set: try Fields.read(row["set_fields"]) ?? Fields())
    let base = record?.layers.ancestor.fields ?? Fields()
    return (changes.typed(beside: base).set, untitled(zone, rules))
  }

  private static func changes(of layers: RecordLayers) -> FieldChanges {
    guard let shown = layers.shown else { return FieldChanges() }
    let base = layers.ancestor.fields ?? layers.relocation?.base ?? Fields()
    return FieldChanges.difference(from: base, to: shown)
  }

  /// What the record is called may be another person's word.
  private static func title(
    _ layers: RecordLayers, _ typed: FieldChanges, _ zone: ZoneRow, _ rules: ApplicationRules
  ) -> String {
    let title = rules.title(layers.name, type: layers.type, fields: typed.set)
    return title.isEmpty ? untitled(zone, rules) : title
  }

  private static func untitled(_ zone: ZoneRow, _ rules: ApplicationRules) -> String {
    "a \(rules.noun) of “\(zone.title)”"
  }

  private struct Parked {
    let name: RecordName?
    let title: String
    let changes: FieldChanges
    let isDeletion: Bool
    var typed: Fields?
    var typedTitle: String?
  }

  private static func enter(
    _ parked: Parked, in zone: ZoneID, because error: RecordsError,
    transaction: DeviceTransaction
  ) throws {
    let db = transaction.db
    let changes = parked.changes
    try db.run(
      """
      INSERT INTO parked (owner, zone_name, name, title, code, message, set_fields, removed,
        deletion, time, typed, typed_title) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        zone.owner.column, zone.name.column, parked.name?.text, parked.title, error.code.rawValue,
        error.message, changes.set.column, changes.removed.map(\.text).joined(separator: " "),
        parked.isDeletion, transaction.now.microseconds, parked.typed?.column, parked.typedTitle,
      ])
    let id = db.lastInsertedRowID
    let named = Set(changes.set.assets)
    if !named.isEmpty { try ReplicaAssetTable.setUses(named, of: .parked, id, db) }
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
