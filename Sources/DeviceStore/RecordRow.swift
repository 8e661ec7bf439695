// A record's layers as rows. Most records have no pending edits, so they need one row. A second row exists while an
// edit is pending.

import Foundation
import GRDB
import Records
import SQLiteFile
import SyncCore

/// A record with all its states.
struct RecordRow {
  /// The row's number; `nil` before the record is stored for the first time.
  private(set) var id: Int64?
  /// The zone's row.
  let zone: Int64
  /// Its states.
  var layers: RecordLayers
  /// The time at which it was created or first stored here, by this device's clock.
  let localCreated: Timestamp
  /// The time at which the shown fields changed last, by this device's clock.
  private(set) var localModified: Timestamp
  /// The version of the shown fields. Readers compare it to detect changes.
  private(set) var version: Int64
  /// Whether the current resync has found the record.
  var isSeen: Bool
  private var isLayered: Bool
  private var stored: Stored
  /// Whether it waited for the target of its move.
  private var wasRelocating = false

  /// The record as the rows contain it, before the changes since it was loaded.
  private struct Stored {
    /// The shown fields.
    var shown: Fields?
    var type: RecordType
    /// The last state from the broker.
    var ancestor: BrokerState
    /// The files of all states.
    var assets: Set<Asset> = []
  }

  /// Creates the row of a new record.
  init(newIn zone: Int64, name: RecordName, type: RecordType, now: Timestamp) {
    self.zone = zone
    layers = RecordLayers(name: name, type: type, ancestor: .unknown, shown: nil)
    localCreated = now
    localModified = now
    version = 0
    isSeen = true
    isLayered = false
    stored = Stored(shown: nil, type: type, ancestor: .unknown)
  }

  private init(_ row: Row, layer: Row?) throws {
    let shown = try Fields.read(row["shown"])
    let tag = (row["tag"] as Int64?).map { Revision($0) }
    let ancestor = BrokerState(
      tag: tag, fields: layer == nil ? shown : try Fields.read(layer?["ancestor"]),
      created: try Stamp.read(row["created"]), modified: try Stamp.read(row["modified"]))
    id = row["id"]
    zone = row["zone"]
    layers = RecordLayers(
      name: RecordName(stored: row["name"]), type: RecordType(stored: row["type"]),
      ancestor: ancestor, shown: shown)
    localCreated = Timestamp(microseconds: row["local_created"])
    localModified = Timestamp(microseconds: row["local_modified"])
    version = row["version"]
    isSeen = row["seen"]
    isLayered = layer != nil
    stored = Stored(
      shown: shown, type: layers.type, ancestor: ancestor, assets: Set(shown?.assets ?? []))
    guard let layer else { return }
    if let number = layer["flight"] as Int64? {
      layers.inFlight = RecordLayers.Frozen(
        number: RequestNumber(number), fields: try Fields.read(layer["flight_fields"]))
    }
    if let tag = layer["held_tag"] as Int64? {
      layers.held = BrokerState(
        tag: Revision(tag), fields: try Fields.read(layer["held_fields"]),
        created: try Stamp.read(layer["held_created"]),
        modified: try Stamp.read(layer["held_modified"]), move: MoveID(column: layer["held_move"]))
    }
    layers.bundled = try Fields.read(layer["bundled"])
    layers.departure = MoveID(column: layer["departure"])
    if let move = MoveID(column: layer["relocation_move"]) {
      layers.relocation = Relocation(
        move: move, mover: AccountID(column: layer["relocation_mover"]),
        base: try Fields.read(layer["relocation_base"]) ?? Fields())
      wasRelocating = true
    }
    stored.assets = layers.assets
  }

  /// Returns the record of this name in a zone; `nil` if there is no row.
  static func load(_ db: Database, zone: Int64, name: RecordName) throws -> RecordRow? {
    let row = try db.row("SELECT * FROM record WHERE zone = ? AND name = ?", [zone, name.text])
    return try row.map { try withLayer(db, $0) }
  }

  /// Returns the records of a statement that selects whole rows of `record`.
  static func load(
    _ db: Database, sql: String, _ arguments: StatementArguments
  ) throws -> [RecordRow] {
    try db.rows(sql, arguments).map { try withLayer(db, $0) }
  }

  private static func withLayer(_ db: Database, _ row: Row) throws -> RecordRow {
    guard row["layered"] as Bool else { return try RecordRow(row, layer: nil) }
    let layer = try db.row("SELECT * FROM layer WHERE record = ?", [row["id"] as Int64])
    return try RecordRow(row, layer: layer)
  }

  /// Writes the changes since the record was loaded, to the rows and the projections, and appends an event if the shown
  /// fields changed.
  mutating func store(in transaction: DeviceTransaction, zone: ZoneRow, by author: Author) throws {
    let isOther = id == nil || layers.type != stored.type
    let isChanged = layers.shown != stored.shown || isOther && layers.shown != nil
    if isChanged {
      localModified = transaction.now
      version = try announce(projected(in: zone.zone), in: transaction, by: author)
    }
    let isForgotten =
      layers.shown == nil && layers.isClean
      && (layers.ancestor.tag ?? .zero) <= (zone.token?.revision ?? .zero)
    if isForgotten {
      try remove(in: transaction)
    } else {
      let wasLayered = isLayered
      try write(in: transaction, zone: zone.zone)
      try recordAssets(in: transaction, zone: zone.zone, isChanged: isChanged)
      if isChanged {
        try project(in: transaction, zone: zone.zone)
      } else if wasLayered != isLayered || isRestamped {
        try confirm(in: transaction, zone: zone.zone)
      }
    }
    try PastTable(transaction).note(
      RecordTurn(
        zone: zone, layers: layers, shownBefore: stored.shown, ancestorBefore: stored.ancestor,
        author: author))
    stored.shown = layers.shown
    stored.type = layers.type
    stored.ancestor = layers.ancestor
  }

  /// Whether the broker sent other dates or authors.
  private var isRestamped: Bool {
    layers.ancestor.created != stored.ancestor.created
      || layers.ancestor.modified != stored.ancestor.modified
  }

  private func project(in transaction: DeviceTransaction, zone: ZoneID) throws {
    let record = projected(in: zone)
    for projection in transaction.application.projections {
      try projection.apply(record, in: transaction)
    }
  }

  /// A record without pending edits has the broker's dates, and any other one those of this device.
  private func confirm(in transaction: DeviceTransaction, zone: ZoneID) throws {
    guard let id, layers.shown != nil else { return }
    transaction.confirm(layers.type, in: zone)
    for projection in transaction.application.projections {
      try projection.confirm(record: id, modified: modified, transaction.db)
    }
  }

  private func projected(in zone: ZoneID) -> ProjectedRecord {
    ProjectedRecord(
      row: id ?? 0, name: layers.name, type: layers.type, zone: zone, zoneRow: self.zone,
      fields: layers.shown, former: stored.shown, creator: layers.ancestor.created?.origin.account,
      modified: modified)
  }

  /// Deletes the record without an event.
  mutating func remove(in transaction: DeviceTransaction) throws {
    guard let id else { return }
    for projection in transaction.application.projections {
      try projection.remove(record: id, transaction.db)
    }
    try transaction.db.run("DELETE FROM record WHERE id = ?", [id])
    self.id = nil
  }

  private func announce(
    _ record: ProjectedRecord, in transaction: DeviceTransaction, by author: Author
  ) throws -> Int64 {
    let application = transaction.application
    guard layers.type != FirstRecords.markerType,
      try !application.projections.contains(where: { try $0.isHidden(record, transaction.db) })
    else { return version + 1 }
    let kind: LocalEvent.Kind =
      stored.shown == nil ? .created : layers.shown == nil ? .deleted : .updated
    return try transaction.append(
      kind, type: layers.type, zone: record.zone, id: layers.name.text,
      title: application.title(of: record), by: author)
  }

  /// Stores which files the record refers to, and marks missing files as wanted if the application fetches them in
  /// advance.
  ///
  /// NB: a file to which the record referred before is marked again. The broker may not have sent it while its record
  /// referred to another file, and then the device gave it up.
  private mutating func recordAssets(
    in transaction: DeviceTransaction, zone: ZoneID, isChanged: Bool
  ) throws {
    let named = layers.assets
    guard let id else { return }
    if named != stored.assets {
      try ReplicaAssetTable.setUses(named, of: .record, id, transaction.db)
      stored.assets = named
    }
    if stored.shown == nil {
      try ReplicaAssetTable.spare(layers.shown?.assets ?? [], transaction.db)
    }
    guard !named.isEmpty,
      isChanged || layers.ancestor.fields?.assets != stored.ancestor.fields?.assets
    else { return }
    let record = projected(in: zone)
    for asset in layers.shown?.assets ?? []
    where try transaction.application.wants(asset, of: record, in: transaction) {
      guard try !ReplicaAssetTable.isHere(asset.id, transaction.db) else { continue }
      try ReplicaAssetTable.want(
        AssetWant(zone: zone, asset: asset), isAsked: false, transaction.db)
      transaction.hasNewWants = true
    }
  }

  /// The time of the last change that readers see.
  private var modified: Timestamp {
    let stamp = layers.isClean ? layers.ancestor.modified : nil
    return stamp?.time ?? localModified
  }

  private mutating func write(in transaction: DeviceTransaction, zone zoneID: ZoneID) throws {
    let db = transaction.db
    let needsLayer = !layers.isClean
    let columns: StatementArguments = [
      layers.type.text, layers.shown?.column, layers.ancestor.tag?.value,
      layers.ancestor.created?.column, layers.ancestor.modified?.column,
      localModified.microseconds, version, isSeen, needsLayer,
    ]
    if let id {
      try db.run(
        """
        UPDATE record SET type = ?, shown = ?, tag = ?, created = ?, modified = ?,
          local_modified = ?, version = ?, seen = ?, layered = ? WHERE id = ?
        """, columns + [id])
    } else {
      try db.run(
        """
        INSERT INTO record (type, shown, tag, created, modified, local_modified, version, seen,
          layered, zone, name, local_created, public_id)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        columns + [
          zone, layers.name.text, localCreated.microseconds,
          PublicIDTable.column(of: RecordID(zone: zoneID, name: layers.name)),
        ])
      id = db.lastInsertedRowID
    }
    if needsLayer {
      try writeLayer(db)
    } else if isLayered, let id {
      try db.run("DELETE FROM layer WHERE record = ?", [id])
    }
    isLayered = needsLayer
    // The entry was skipped while the record waited, and is examined again.
    if wasRelocating, layers.relocation == nil {
      try Relocations.release(layers.name, in: zone, db)
    }
    wasRelocating = layers.relocation != nil
  }

  private func writeLayer(_ db: Database) throws {
    try db.run(
      """
      INSERT OR REPLACE INTO layer (record, ancestor, flight, flight_fields, held_tag, held_fields,
        held_created, held_modified, bundled, held_move, departure, relocation_move,
        relocation_mover, relocation_base) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        id, layers.ancestor.fields?.column, layers.inFlight?.number.value,
        layers.inFlight?.fields?.column, layers.held?.tag?.value, layers.held?.fields?.column,
        layers.held?.created?.column, layers.held?.modified?.column, layers.bundled?.column,
        layers.held?.move?.column, layers.departure?.column, layers.relocation?.move.column,
        layers.relocation?.mover?.column, layers.relocation?.base.column,
      ])
  }
}
