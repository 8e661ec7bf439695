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
  /// Fields that are or will probably be shown, with their encoding: one edit needs it up to five times.
  var encoding: EncodedFields?
  /// The public id, if it was made in advance.
  var publicID: PublicID?

  /// The record as the rows contain it, before the changes since it was loaded.
  private struct Stored {
    /// The shown fields.
    var shown: Fields?
    /// The lost state, or the confirmed one of a history that has just ended.
    var lost: LostState?
    var type: RecordType
    /// The last state from the broker.
    var ancestor: BrokerState
    /// The files of all states.
    var assets: Set<Asset> = []
    /// The other columns that change; `nil` before the row exists.
    var columns: StoredColumns?
  }

  /// Columns of the row besides its states.
  private struct StoredColumns: Equatable {
    let localModified: Timestamp
    let version: Int64
    let isSeen: Bool
    let isLayered: Bool
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

  /// Encodes what the record shows, or will show; see `encodedShown`.
  mutating func encode(_ fields: Fields) -> EncodedRecord {
    if let encoding, encoding.isOf(fields) { return encoding.record }
    let made = EncodedFields(fields)
    encoding = made
    return made.record
  }

  /// The encoding of the shown fields; `nil` if the record is not shown.
  var encodedShown: EncodedRecord? { layers.shown.map(encoded) }

  private func encoded(_ fields: Fields) -> EncodedRecord {
    if let encoding, encoding.isOf(fields) { return encoding.record }
    return EncodedRecord(fields)
  }

  /// The files to which the shown fields refer.
  private var shownAssets: [Asset] {
    if let encoding, encoding.isOf(layers.shown) { return encoding.assets }
    return layers.shown?.assets ?? []
  }

  /// Returns the files to which a record that is sent refers. It often has all shown fields.
  func assets(of sent: EncodedRecord) -> [Asset] {
    if let encoding, encoding.record == sent { return encoding.assets }
    return sent.assets
  }

  /// Reads a row of `record`, all columns in their order.
  private init(_ row: HotStatement) throws {
    let shown = try row.fields(4)
    let ancestor = BrokerState(
      tag: row.isNull(5) ? nil : Revision(row.number(5)), fields: shown,
      created: try Stamp.read(bytes: row.bytes(6)), modified: try Stamp.read(bytes: row.bytes(7)),
      former: row.isNull(15) ? nil : FormerVersion(column: row.bytes(15)))
    id = row.number(0)
    zone = row.number(1)
    layers = RecordLayers(
      name: RecordName(stored: row.text(2)), type: RecordType(stored: row.text(3)),
      ancestor: ancestor, shown: shown)
    localCreated = Timestamp(microseconds: row.number(8))
    localModified = Timestamp(microseconds: row.number(9))
    version = row.number(10)
    isSeen = row.number(11) != 0
    isLayered = row.number(12) != 0
    stored = Stored(
      shown: shown, type: layers.type, ancestor: ancestor, assets: Set(shown?.assets ?? []))
    stored.columns = columns(isLayered: isLayered)
  }

  /// Reads the row's layer: all columns in their order, and whether the fields that were sent equal those that are shown,
  /// so that they need not be decoded twice.
  private mutating func read(layer: HotStatement) throws {
    layers.ancestor.fields = try layer.fields(1)
    if !layer.isNull(2) {
      layers.inFlight = RecordLayers.Frozen(
        number: RequestNumber(layer.number(2)),
        fields: layer.number(14) == 1 || layer.number(21) == 1
          ? layers.shown : try layer.fields(3))
    }
    if !layer.isNull(4) {
      layers.held = BrokerState(
        tag: Revision(layer.number(4)), fields: try layer.fields(5),
        created: try Stamp.read(bytes: layer.bytes(6)),
        modified: try Stamp.read(bytes: layer.bytes(7)), move: MoveID(layer, 9),
        former: layer.isNull(15) ? nil : FormerVersion(column: layer.bytes(15)))
    }
    layers.bundled = try layer.fields(8)
    layers.departure = MoveID(layer, 10)
    if let move = MoveID(layer, 11) {
      layers.relocation = Relocation(
        move: move, mover: layer.isNull(12) ? nil : AccountID(bytes: layer.bytes(12)),
        base: try layer.fields(13) ?? Fields())
      wasRelocating = true
    }
    if !layer.isNull(16), let versions = VersionVector(bytes: layer.bytes(16)) {
      layers.lost = LostState(
        BrokerState(
          tag: nil, fields: try layer.fields(17),
          created: try Stamp.read(bytes: layer.bytes(18)),
          modified: try Stamp.read(bytes: layer.bytes(19)), move: layers.departure),
        containing: versions, isMerged: layer.number(20) != 0)
      stored.lost = layers.lost
    }
    stored.ancestor = layers.ancestor
    stored.assets = layers.assets(shown: shownAssets)
  }

  /// Returns the record of this name in a zone; `nil` if there is no row.
  static func load(_ db: Database, zone: Int64, name: RecordName) throws -> RecordRow? {
    let statement = try HotStatement(
      borrowing: "SELECT * FROM record WHERE zone = ? AND name = ?", from: db)
    var row = try statement.first(
      bind: { statement in
        statement.bind(1, zone)
        statement.bind(2, name.text)
      }, read: RecordRow.init)
    try row?.readLayer(db)
    return row
  }

  /// Returns the records of a statement that selects whole rows of `record`.
  static func load(
    _ db: Database, sql: String, _ arguments: StatementArguments
  ) throws -> [RecordRow] {
    var rows: [RecordRow] = []
    try HotStatement(borrowing: sql, from: db).forEach(arguments) { row in
      rows.append(try RecordRow(row))
      return true
    }
    for index in rows.indices { try rows[index].readLayer(db) }
    return rows
  }

  private mutating func readLayer(_ db: Database) throws {
    guard isLayered, let id else { return }
    let statement = try HotStatement(
      borrowing: """
        SELECT layer.*, layer.flight_fields IS record.shown FROM layer
        JOIN record ON record.id = layer.record WHERE layer.record = ?
        """, from: db)
    let found: Void? = try statement.first(
      bind: { $0.bind(1, id) }, read: { try read(layer: $0) })
    isLayered = found != nil
  }

  /// Writes the changes since the record was loaded, to the rows and the projections, and appends an event if the shown
  /// fields changed.
  mutating func store(in transaction: DeviceTransaction, zone: ZoneRow, by author: Author) throws {
    transaction.editedRecords.forget(layers.name, in: self.zone)
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
        lostBefore: stored.lost, author: author))
    stored.lost = layers.lost
    stored.shown = layers.shown
    stored.type = layers.type
    stored.ancestor = layers.ancestor
  }

  /// Begins a new history of the record; see `RecordLayers.beginHistory`.
  mutating func beginHistory(containing versions: VersionVector) -> [ConflictRecord] {
    let conflicts = layers.beginHistory(containing: versions)
    stored.lost = layers.lost
    return conflicts
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
    guard let id else { return }
    let shown = shownAssets
    let named = layers.assets(shown: shown)
    if named != stored.assets {
      try ReplicaAssetTable.setUses(named, of: .record, id, transaction.db)
      stored.assets = named
    }
    if stored.shown == nil {
      try ReplicaAssetTable.spare(shown, transaction.db)
    }
    guard !named.isEmpty,
      isChanged || layers.ancestor.fields?.assets != stored.ancestor.fields?.assets
    else { return }
    let record = projected(in: zone)
    for asset in shown
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
    let isNew = id == nil
    if let id {
      if needsUpdate(needsLayer: needsLayer) { try update(id, needsLayer: needsLayer, transaction) }
    } else {
      try insert(zone: zoneID, needsLayer: needsLayer, transaction)
    }
    if needsLayer {
      try writeLayer(isOfNewRecord: isNew, transaction)
    } else if isLayered, let id {
      try transaction.statement(Self.layerDeletion).run { $0.bind(1, id) }
    }
    isLayered = needsLayer
    stored.columns = columns(isLayered: needsLayer)
    // The entry was skipped while the record waited, and is examined again.
    if wasRelocating, layers.relocation == nil {
      try Relocations.release(layers.name, in: zone, db)
    }
    wasRelocating = layers.relocation != nil
  }

  private func columns(isLayered: Bool) -> StoredColumns {
    StoredColumns(
      localModified: localModified, version: version, isSeen: isSeen, isLayered: isLayered)
  }

  /// Whether the row differs from its columns. An edit that is sent and a change that the device made itself concern the
  /// layer only, and a row is large.
  private func needsUpdate(needsLayer: Bool) -> Bool {
    columns(isLayered: needsLayer) != stored.columns || layers.type != stored.type
      || layers.ancestor.tag != stored.ancestor.tag || isRestamped
      || layers.ancestor.former != stored.ancestor.former || layers.shown != stored.shown
  }

  private static let update = HotSQL(
    """
    UPDATE record SET type = ?, shown = ?, tag = ?, created = ?, modified = ?,
      local_modified = ?, version = ?, seen = ?, layered = ?, former = ?,
      reserved = iif(?3 IS NULL, reserved, NULL) WHERE id = ?
    """)

  private func update(
    _ id: Int64, needsLayer: Bool, _ transaction: DeviceTransaction
  ) throws {
    try transaction.statement(Self.update).run { statement in
      bindColumns(to: statement, needsLayer: needsLayer)
      statement.bind(11, id)
    }
  }

  /// The size of what the outcome adds to the row of a new record: its tag and two stamps.
  private static let roomBytes: Int64 = 96

  private static let insertion = HotSQL(
    """
    INSERT INTO record (type, shown, tag, created, modified, local_modified, version, seen,
      layered, former, zone, name, local_created, public_id, reserved)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, zeroblob(?))
    """)

  private mutating func insert(
    zone zoneID: ZoneID, needsLayer: Bool, _ transaction: DeviceTransaction
  ) throws {
    try transaction.statement(Self.insertion).run { statement in
      bindColumns(to: statement, needsLayer: needsLayer)
      statement.bind(11, zone)
      statement.bind(12, layers.name.text)
      statement.bind(13, localCreated.microseconds)
      let id = RecordID(zone: zoneID, name: layers.name)
      statement.bind(14, optional: PublicIDTable.column(of: id, publicID))
      statement.bind(15, layers.ancestor.tag == nil ? Self.roomBytes : 0)
    }
    id = transaction.db.lastInsertedRowID
  }

  /// Binds the columns that change, as the first ten parameters.
  private func bindColumns(to statement: HotStatement, needsLayer: Bool) {
    statement.bind(1, layers.type.text)
    statement.bind(2, optional: encodedShown?.bytes)
    statement.bind(3, optional: layers.ancestor.tag?.value)
    statement.bind(4, optional: layers.ancestor.created?.columnBytes)
    statement.bind(5, optional: layers.ancestor.modified?.columnBytes)
    statement.bind(6, localModified.microseconds)
    statement.bind(7, version)
    statement.bind(8, isSeen ? 1 : 0)
    statement.bind(9, needsLayer ? 1 : 0)
    statement.bind(10, optional: layers.ancestor.former?.column)
  }

  // NB: SQLite begins a savepoint for a statement that may replace a row, and tells the full-text index of it.
  private static let layerInsertion = HotSQL("INSERT " + layerValues)
  private static let layerReplacement = HotSQL("INSERT OR REPLACE " + layerValues)
  static let layerDeletion = HotSQL("DELETE FROM layer WHERE record = ?")
  private static let layerValues = """
    INTO layer (record, ancestor, flight, flight_fields, held_tag, held_fields,
      held_created, held_modified, bundled, held_move, departure, relocation_move,
      relocation_mover, relocation_base, flight_is_shown, held_former, lost_versions, lost_fields,
      lost_created, lost_modified, lost_is_merged)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """

  private func writeLayer(
    isOfNewRecord: Bool, _ transaction: DeviceTransaction
  ) throws {
    guard let id else { return }
    let statement = try transaction.statement(
      isOfNewRecord ? Self.layerInsertion : Self.layerReplacement)
    try statement.run { statement in
      statement.bind(1, id)
      statement.bind(2, optional: layers.ancestor.fields.map { encoded($0).bytes })
      bind(flight: layers.inFlight, to: statement)
      bind(held: layers.held, to: statement)
      statement.bind(9, optional: layers.bundled.map { encoded($0).bytes })
      statement.bind(10, optional: layers.held?.move?.bytes)
      statement.bind(11, optional: layers.departure?.bytes)
      statement.bind(12, optional: layers.relocation?.move.bytes)
      statement.bind(13, optional: layers.relocation?.mover?.bytes)
      statement.bind(14, optional: (layers.relocation?.base).map { EncodedRecord($0).bytes })
      bind(lost: layers.lost, to: statement)
    }
  }

  private func bind(flight: RecordLayers.Frozen?, to statement: HotStatement) {
    let isShown = flight.map { $0.fields == layers.shown } ?? false
    statement.bind(3, optional: flight?.number.value)
    statement.bind(4, optional: isShown ? nil : flight?.fields.map { encoded($0).bytes })
    statement.bind(15, isShown ? 1 : 0)
  }

  private func bind(held: BrokerState?, to statement: HotStatement) {
    statement.bind(5, optional: held?.tag?.value)
    statement.bind(6, optional: (held?.fields).map { EncodedRecord($0).bytes })
    statement.bind(7, optional: held?.created?.columnBytes)
    statement.bind(8, optional: held?.modified?.columnBytes)
    statement.bind(16, optional: held?.former?.column)
  }

  private func bind(lost: LostState?, to statement: HotStatement) {
    statement.bind(17, optional: lost?.versions.bytes)
    statement.bind(18, optional: (lost?.state.fields).map { encoded($0).bytes })
    statement.bind(19, optional: lost?.state.created?.columnBytes)
    statement.bind(20, optional: lost?.state.modified?.columnBytes)
    statement.bind(21, lost?.isMerged == true ? 1 : 0)
  }
}

extension FormerVersion {
  /// The version as a column: whether it is exact, and the versions.
  fileprivate var column: [UInt8] { [isExact ? 1 : 0] + versions.bytes }

  /// Reads the column; `nil` for bytes of another form.
  init?(column bytes: [UInt8]) {
    guard let first = bytes.first, let versions = VersionVector(bytes: bytes.dropFirst()) else {
      return nil
    }
    self.init(versions, isExact: first == 1)
  }
}

// MARK: - Requests

extension RecordRow {
  private static let freezing = HotSQL(
    "UPDATE layer SET flight = ?1, flight_fields = NULL, flight_is_shown = 1 WHERE record = ?2")

  /// Notes that the pending edit was added to request `number`. Nothing else of the record changes, so only the columns
  /// of the edit in flight are written.
  mutating func freeze(in number: RequestNumber, of transaction: DeviceTransaction) throws {
    layers.froze(in: number)
    guard let id else { return }
    try transaction.statement(Self.freezing).run { statement in
      statement.bind(1, number.value)
      statement.bind(2, id)
    }
  }
}
