// Edits that the broker rejected. Each contains what the user typed and the reason, until the user discards it or
// applies it again. Rejected edits are never sent again automatically and do not block later edits. The other
// fields of the record are kept as context while the user can read the group, and erased when access is lost.
//
// The unsent edits of a group that is deleted are kept too, unseen (`is_unseen`). They are shown if the broker rejects
// the deletion. When the group is gone, records that were created by them (of the type `created_type`) are moved to the
// trash of this device, because the broker's has only records that it received. The others are erased.

import Foundation
import GRDB
import Records
import SQLiteFile
import SyncCore

/// The `rejected_edit` table.
enum RejectedEdits {
  /// Stores the edits of a record, as changes of the state that the broker had.
  static func store(
    _ layers: RecordLayers, in zone: ZoneRow, because error: RecordsError, isUnseen: Bool = false,
    transaction: DeviceTransaction
  ) throws {
    let base = layers.ancestor.fields ?? layers.relocation?.base ?? Fields()
    let changes = changes(of: layers)
    let typed = changes.typed(beside: base)
    let rules = transaction.rules
    let title = rules.title(layers.name, type: layers.type, fields: layers.shown ?? base)
    let isCreation = layers.ancestor.tag == nil && layers.relocation == nil
    let rejected = NewRejectedEdit(
      name: layers.name, title: title, changes: changes, isDeletion: layers.shown == nil,
      typed: typed.set, typedTitle: self.title(layers, typed, zone, rules), isUnseen: isUnseen,
      createdType: isCreation ? layers.type : nil)
    try enter(rejected, in: zone.zone, because: error, transaction: transaction)
  }

  /// Stores only what the user typed into a record, without the other fields, because the zone or the record can no
  /// longer be read.
  static func storeTyped(
    _ layers: RecordLayers, in zone: ZoneRow, because error: RecordsError,
    transaction: DeviceTransaction
  ) throws {
    let base = layers.ancestor.fields ?? layers.relocation?.base ?? Fields()
    let typed = changes(of: layers).typed(beside: base)
    let title = title(layers, typed, zone, transaction.rules)
    let rejected = NewRejectedEdit(
      name: layers.name, title: title, changes: typed, isDeletion: layers.shown == nil,
      typed: typed.set, typedTitle: title)
    try enter(rejected, in: zone.zone, because: error, transaction: transaction)
  }

  /// Keeps an unsent edit of a record in a group that is deleted.
  static func keepUnseen(
    _ layers: RecordLayers, in zone: ZoneRow, _ transaction: DeviceTransaction
  ) throws {
    try store(
      layers, in: zone, because: deletedWithGroup, isUnseen: true, transaction: transaction)
  }

  /// Shows the kept edits of a group whose deletion the broker rejected.
  static func show(of zone: ZoneRow, _ transaction: DeviceTransaction) throws {
    try transaction.db.run(
      """
      UPDATE rejected_edit SET is_unseen = 0, time = ? WHERE owner = ? AND zone_name = ? AND is_unseen = 1
      """,
      [transaction.now.microseconds, zone.zone.owner.column, zone.zone.name.column])
  }

  /// Erases the kept edits of a group that is gone. Records that the broker never had are moved to the trash of the
  /// standard zone.
  static func discardUnseen(of zone: ZoneRow, _ transaction: DeviceTransaction) throws {
    let db = transaction.db
    let key: StatementArguments = [zone.zone.owner.column, zone.zone.name.column]
    let isUnseen = "owner = ? AND zone_name = ? AND is_unseen = 1"
    let created = try db.rows(
      "SELECT * FROM rejected_edit WHERE \(isUnseen) AND created_type IS NOT NULL AND deletion = 0",
      key)
    if !created.isEmpty, let standard = try ZoneRow.load(db, .standard) {
      for row in created {
        // A record of this name that is shown there was moved there.
        let present = try RecordRow.load(
          db, zone: standard.key, name: RecordName(stored: row["name"]))
        guard present?.layers.shown == nil else { continue }
        try PastTable(transaction).discard(
          PastTable.Discarded(
            name: RecordName(stored: row["name"]), type: RecordType(stored: row["created_type"]),
            fields: try Fields.read(row["set_fields"]) ?? Fields()), in: standard,
          by: transaction.ownAuthor)
      }
    }
    try db.run("DELETE FROM rejected_edit WHERE \(isUnseen)", key)
  }

  private static let deletedWithGroup = RecordsError(
    .operationCancelled,
    "It was not sent, because its zone was deleted on this device before. The zone exists again.",
    reason: "zoneRestored")

  /// Stores a rejected change of a group.
  static func store(
    _ zone: ZoneID, title: String, isDeletion: Bool, because error: RecordsError,
    transaction: DeviceTransaction
  ) throws {
    let rejected = NewRejectedEdit(
      name: nil, title: title, changes: FieldChanges(), isDeletion: isDeletion)
    try enter(rejected, in: zone, because: error, transaction: transaction)
  }

  /// Reduces the rejected edits of a zone to what the user typed, because the zone can no longer be read.
  /// - Returns: the files that only the erased context referred to.
  static func eraseContext(
    in zone: ZoneRow, _ transaction: DeviceTransaction
  ) throws -> Set<AssetDigest> {
    let db = transaction.db
    var dropped: Set<AssetDigest> = []
    let rows = try db.rows(
      "SELECT * FROM rejected_edit WHERE owner = ? AND zone_name = ? AND name IS NOT NULL",
      [zone.zone.owner.column, zone.zone.name.column])
    for row in rows {
      let typed = try Fields.read(row["typed"]) ?? Fields()
      let id: Int64 = row["id"]
      try db.run(
        """
        UPDATE rejected_edit SET set_fields = ?, title = coalesce(typed_title, '') WHERE id = ?
        """, [typed.column, id])
      let named = Set(typed.assets)
      let before = Set(try Fields.read(row["set_fields"])?.assets ?? [])
      try ReplicaAssetTable.setUses(named, of: .rejectedEdit, id, db)
      dropped.formUnion(before.subtracting(named).map(\.id))
    }
    return dropped
  }

  private static func changes(of layers: RecordLayers) -> FieldChanges {
    guard let shown = layers.shown else { return FieldChanges() }
    let base = layers.ancestor.fields ?? layers.relocation?.base ?? Fields()
    return FieldChanges.difference(from: base, to: shown)
  }

  /// A title from the typed fields only, because another person may have written the record's own title.
  private static func title(
    _ layers: RecordLayers, _ typed: FieldChanges, _ zone: ZoneRow, _ rules: ApplicationRules
  ) -> String {
    let title = rules.title(layers.name, type: layers.type, fields: typed.set)
    return title.isEmpty ? "a \(rules.noun) of “\(zone.title)”" : title
  }

  private struct NewRejectedEdit {
    let name: RecordName?
    let title: String
    let changes: FieldChanges
    let isDeletion: Bool
    var typed: Fields?
    var typedTitle: String?
    var isUnseen = false
    /// The type of a record that the broker never had.
    var createdType: RecordType?
  }

  private static func enter(
    _ rejected: NewRejectedEdit, in zone: ZoneID, because error: RecordsError,
    transaction: DeviceTransaction
  ) throws {
    let db = transaction.db
    let changes = rejected.changes
    let error = transaction.rules.sentences.error(error)
    try db.run(
      """
      INSERT INTO rejected_edit (owner, zone_name, name, title, code, message, set_fields, removed,
        deletion, time, typed, typed_title, is_unseen, created_type)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        zone.owner.column, zone.name.column, rejected.name?.text, rejected.title,
        error.code.rawValue,
        error.message, changes.set.column, changes.removed.map(\.text).joined(separator: " "),
        rejected.isDeletion, transaction.now.microseconds, rejected.typed?.column,
        rejected.typedTitle,
        rejected.isUnseen, rejected.createdType?.text,
      ])
    let id = db.lastInsertedRowID
    let named = Set(changes.set.assets)
    if !named.isEmpty { try ReplicaAssetTable.setUses(named, of: .rejectedEdit, id, db) }
    guard id > DeviceLimits.rejectedEdits else { return }
    try db.run(
      """
      DELETE FROM rejected_edit WHERE is_unseen = 0 AND id <= (
        SELECT id FROM rejected_edit WHERE is_unseen = 0 ORDER BY id DESC LIMIT 1 OFFSET ?)
      """, [DeviceLimits.rejectedEdits])
  }

  /// Reads a row of the table.
  static func view(_ row: Row) throws -> RejectedEditView {
    guard let owner = AccountID(column: row["owner"]),
      let zoneName = ZoneName(column: row["zone_name"])
    else { throw StoreError(.damaged, "A rejected edit's row is damaged.") }
    let removed = (row["removed"] as String).split(separator: " ")
    return RejectedEditView(
      id: row["id"], zone: ZoneID(owner: owner, name: zoneName),
      name: (row["name"] as String?).map { RecordName(stored: $0) }, title: row["title"],
      code: RecordsError.Code(rawValue: row["code"]) ?? .internalError, message: row["message"],
      changes: FieldChanges(
        set: try Fields.read(row["set_fields"]) ?? Fields(),
        removed: removed.map { FieldKey(stored: String($0)) }),
      isDeletion: row["deletion"], time: Timestamp(microseconds: row["time"]))
  }
}
