// Applies the edits of a user's action to the store. Each edit changes a record and its outbox entry, and the entries
// of one action are tied together. All of this is one transaction; if one edit fails, none is applied.

import ByteCounts
import GRDB
import Records
import SQLiteFile
import SyncCore

/// Applies the edits of one action.
struct EditApplication {
  let transaction: DeviceTransaction
  let isAsked: Bool
  /// The zones that were deleted. The machine stops following them.
  var deletedZones: [ZoneID] = []
  private var touched: [Int64: [OutboxEntry]] = [:]
  private var moves: [RecordName: MoveID] = [:]
  private var editCount = 0
  /// The zone of the last saved record. An edit of a group may change it, so it is read again after one.
  private var lastZone: ZoneRow?
  var log: ActionLog
  var traces = Moves.Traces()
  /// The unconfirmed deletions; empty in an action that the user confirmed.
  var counter: DeletionCounter
  /// Whether the action restores earlier states. The broker retains the files of earlier versions.
  private let isTakingBack: Bool

  /// The number by which the action can be undone; `nil` if nothing changed.
  var action: Int64? { log.id }

  init(
    _ transaction: DeviceTransaction, isAsked: Bool, action: UserAction = UserAction()
  ) throws {
    self.transaction = transaction
    self.isAsked = isAsked
    counter = DeletionCounter(transaction)
    isTakingBack = action.kind == .restore || action.kind == .undo
    log = try ActionLog(transaction, action)
  }

  var db: Database { transaction.db }

  /// Applies the edits of an action that has no others.
  mutating func apply(_ edits: [LocalEdit]) throws {
    try add(edits)
    try finish()
    try AnsweredRequest.note(edits, action: log.id, transaction)
  }

  /// Applies some edits of the action. A record that moves is created and deleted in one call.
  /// - Throws: as `Replica.edit`; then the edits may be applied in part, see `EditTransaction.apply`.
  mutating func add(_ edits: [LocalEdit]) throws {
    editCount += edits.count
    // An action that took several steps is undone in one.
    guard isTakingBack || editCount <= DeviceLimits.editsPerAction else {
      throw RecordsError(
        .limitExceeded,
        "Too many edits in one step: \(editCount); the limit is "
          + "\(DeviceLimits.editsPerAction). A moved \(transaction.rules.noun) counts as two.",
        hint: "Split it into several steps.")
    }
    let planned = try PlannedMoves(edits, transaction)
    moves = planned.ids
    for edit in planned.adding(to: edits) { try apply(edit) }
  }

  /// Completes the action after its last edits.
  mutating func finish() throws {
    // The records of an import are independent of each other.
    if isAsked { for entries in touched.sorted(by: { $0.key < $1.key }) { try tie(entries.value) } }
    try counter.finish(moved: Set(traces.made.keys))
    try Moves.note(traces, transaction)
    try log.finish()
  }

  private mutating func apply(_ edit: LocalEdit) throws {
    if case .save(let save) = edit { return try apply(save) }
    lastZone = nil
    switch edit {
    case .save: break
    case .delete(let id, let version): try delete(id, version: version)
    case .createZone(let zone, let title): try create(zone, title: title)
    case .renameZone(let zone, let title): try rename(zone, title: title)
    case .deleteZone(let zone): try delete(zone)
    case .keepZone(let zone): try keep(zone)
    case .restoreZone(let zone): try restore(zone)
    case .keepAsset(let asset): try keep(asset)
    }
  }

  private func keep(_ asset: Asset) throws {
    let limit = try ReplicaAssetTable.sizeLimit(db)
    guard asset.byteCount <= limit else {
      throw RecordsError(
        .limitExceeded,
        "The file is too large: \(ByteCount(asset.byteCount)); "
          + "the limit is \(ByteCount(limit).limit).")
    }
    try ReplicaAssetTable.keep(asset, db)
  }

  // MARK: Records

  private mutating func apply(_ save: LocalEdit.RecordSave) throws {
    let zone = try writableZone(of: save)
    var row =
      try RecordRow.load(db, zone: zone.key, name: save.id.name)
      ?? RecordRow(newIn: zone.key, name: save.id.name, type: save.type, now: transaction.now)
    try check(save.expectation, row, save.id.name)
    if row.layers.shown == nil { row.layers.type = save.type }
    guard row.layers.type == save.type else {
      throw RecordsError.invalid(
        "Record \(save.id.name) is a \(row.layers.type); it cannot become a \(save.type).")
    }
    for asset in save.assets
    where try !isTakingBack && !ReplicaAssetTable.mayBeNamed(asset, in: zone.key, db) {
      throw RecordsError(
        .assetNotAvailable,
        "Record \(save.id.name) refers to the file \(asset.id), which is not here.",
        record: save.id.name)
    }
    let fields = try tracked(save.applied(to: row.layers.shown), row)
    row.encoding = save.encoding
    row.publicID = save.publicID
    let size = row.encode(fields).bytes.count
    guard size <= Limits.recordBytes else {
      throw RecordsError(
        .limitExceeded,
        "This \(transaction.rules.noun) is too large: \(ByteCount(size)); the limit is "
          + "\(ByteCount(Limits.recordBytes).limit).")
    }
    try show(fields, in: &row, zone)
  }

  private mutating func writableZone(of save: LocalEdit.RecordSave) throws -> ZoneRow {
    if let lastZone, lastZone.zone == save.id.zone { return lastZone }
    let zone = try writable(save.id.zone)
    lastZone = zone
    return zone
  }

  /// Returns the fields with the ids of the moves that brought the record here. A record that is created again after it
  /// was moved away contains that move too, so that no device takes it for a late edit of the old record.
  private func tracked(_ fields: Fields, _ row: RecordRow) throws -> Fields {
    guard row.layers.shown == nil, row.layers.type != ConflictRecord.recordType else {
      return fields
    }
    var trail = MoveTrail(fields)
    let name = row.layers.name
    let gone = try MovedAway.departure(of: name, from: row.zone, transaction)?.move
    let underWay = row.layers.inFlight == nil ? nil : row.layers.departure
    for move in [gone, underWay, moves[name]] { move.map { trail.append($0) } }
    var fields = fields
    fields[MoveTrail.field] = trail.value
    return fields
  }

  private mutating func delete(_ id: RecordID, version: Int64?) throws {
    let zone = try writable(id.zone)
    guard var row = try RecordRow.load(db, zone: zone.key, name: id.name),
      row.layers.shown != nil
    else { throw RecordsError.noRecord(id.name) }
    if let version { try check(.version(version), row, id.name) }
    try show(nil, in: &row, zone)
  }

  private func check(
    _ expectation: LocalEdit.Expectation, _ row: RecordRow, _ name: RecordName
  ) throws {
    let exists = row.layers.shown != nil
    switch expectation {
    case .any: return
    case .present:
      guard exists else { throw RecordsError.noRecord(name) }
    case .absent:
      guard !exists else {
        throw RecordsError(
          .serverRecordChanged, "There is already a record \(name).", record: name,
          reason: "taken")
      }
    case .version(let version):
      guard exists else { throw RecordsError.noRecord(name) }
      guard row.version == version else {
        throw RecordsError(
          .serverRecordChanged, "Record \(name) has changed since it was read.",
          hint: "Read it again and repeat the change.", record: name)
      }
    }
  }

  /// Changes what a record shows and enqueues the change.
  /// - Parameter isLogged: whether the action's log already contains the change.
  mutating func show(
    _ fields: Fields?, in row: inout RecordRow, _ zone: ZoneRow, isLogged: Bool = false
  ) throws {
    guard row.layers.shown != fields else { return }
    // Changes of the public database cannot be undone, because every account may have seen them.
    if !isLogged, !zone.zone.isPublic { try log.note(&row, in: zone.zone, after: fields) }
    let name = row.layers.name
    if fields == nil, !isAsked {
      try counter.begin(zone.key)
      counter.note(name, type: row.layers.type, in: zone.key)
    }
    if row.layers.shown == nil { traces.made[name] = zone.key }
    if fields == nil { traces.deleted.append((name, zone.key)) }
    row.layers.shown = fields
    try FirstRun.bringBack(&row, in: zone, transaction)
    row.layers.departure = fields == nil ? moves[name] : nil
    if fields == nil { row.layers.relocation = nil }
    transaction.ledger.made += 1
    try row.store(in: transaction, zone: zone, by: transaction.ownAuthor)
    var entry =
      try OutboxEntry.unsent(transaction, zone: zone.key, name: name)
      ?? OutboxEntry(
        record: name, zone: zone.key, isAsked: true, isDeletion: fields == nil, edits: 0)
    entry.edits += 1
    entry.awaited = nil
    // Whether a deletion is confirmed does not depend on earlier edits of the record.
    entry.isAsked = isAsked && (entry.isAsked || fields == nil)
    entry.isDeletion = fields == nil
    if isAsked || fields != nil { entry.isHeld = false }
    // An edit that restores the broker's state is not sent. A first record is sent anyway, until it is known whether
    // the account has the record.
    guard row.layers.hasPending || entry.kind == .bundled else {
      transaction.ledger.undone += entry.edits
      if entry.id != nil { try entry.remove(transaction) }
      return
    }
    try entry.store(transaction)
    transaction.editedRecords.note(row)
    if isAsked { touched[zone.key, default: []].append(entry) }
  }

  /// Ties the entries of one action in one zone together, and with the entries that earlier unsent edits of the same
  /// records were tied to.
  private func tie(_ entries: [OutboxEntry]) throws {
    // A transaction can save a record several times. Its last entry counts.
    let own = Array(
      Dictionary(
        entries.filter { $0.kind == .record }.map { ($0.id, $0) }, uniquingKeysWith: { $1 }
      ).values)
    guard own.count > 1, own.count <= Limits.operationsPerRequest else { return }
    let ids = own.compactMap(\.id)
    let earlier = Set(own.compactMap(\.action))
    guard let action = (ids + earlier).min() else { return }
    let others = try earlier.reduce(0) {
      try $0 + db.number("SELECT count(*) FROM outbox WHERE action = ?", [$1])
    }
    let tied = own.count { $0.action != nil }
    guard others - tied + ids.count <= Limits.operationsPerRequest else { return }
    for former in earlier {
      try db.run(
        "UPDATE outbox SET action = ? WHERE action = ? AND number IS NULL", [action, former])
    }
    for id in ids { try db.run("UPDATE outbox SET action = ? WHERE id = ?", [action, id]) }
  }

  // MARK: Groups

  private mutating func create(_ zone: ZoneID, title: String) throws {
    try checkTitle(title)
    if let known = try ZoneRow.load(db, zone) {
      guard known.state != .deleted else { throw RecordsError.deletedZone }
      throw RecordsError(
        .serverRecordChanged, "A zone with this id already exists.", reason: "zoneExists")
    }
    guard zone.owner == .current else {
      throw RecordsError(
        .permissionFailure, "A zone can only be created in the account itself.",
        reason: "foreignOwner")
    }
    if try SignOut.isSignedOut(db) { throw RecordsError.signedOut }
    var row = ZoneRow(zone: zone, title: title, knownTitle: nil, state: .creating)
    try log.note(zone, title: nil, after: title)
    try row.store(db)
    try enter(.saveZone, row, title: title)
    try announce(.created, row)
  }

  private mutating func rename(_ zone: ZoneID, title: String) throws {
    try checkTitle(title)
    var row = try owned(zone)
    guard row.title != title else { return }
    try log.note(zone, title: row.title, after: title)
    row.title = title
    try row.store(db)
    try enter(.saveZone, row, title: title)
    try announce(.updated, row)
  }

  func enter(_ kind: OutboxEntry.Kind, _ zone: ZoneRow, title: String?) throws {
    transaction.ledger.made += 1
    let earlier = try OutboxEntry.load(
      db, where: "zone = ? AND name IS NULL AND kind = ? AND number IS NULL",
      [zone.key, kind.rawValue])
    guard var entry = earlier.first else {
      var entry = OutboxEntry(zone: zone.key, kind: kind, title: title)
      return try entry.store(transaction)
    }
    entry.title = title
    entry.edits += 1
    try entry.store(transaction)
  }

  func announce(_ kind: LocalEvent.Kind, _ row: ZoneRow) throws {
    try transaction.append(
      kind, type: LocalEvent.groupType, zone: row.zone, id: row.zone.name.description,
      title: row.title, by: transaction.ownAuthor)
  }

  // MARK: Rights

  func writable(_ zone: ZoneID) throws -> ZoneRow {
    guard let row = try ZoneRow.load(db, zone), row.state.isShown else {
      if zone == .standard || zone == .public { throw RecordsError.signedOut }
      throw RecordsError.noZone
    }
    guard row.isWritable else {
      throw RecordsError.readOnly(row.title)
    }
    return row
  }

  func owned(_ zone: ZoneID) throws -> ZoneRow {
    guard let row = try ZoneRow.load(db, zone), row.state.isShown,
      try !GroupDeletion.hides(row.key, db)
    else { throw RecordsError.noZone }
    guard zone != .standard else {
      throw RecordsError(
        .invalidArguments, "The default zone cannot be renamed or deleted.", reason: "defaultZone")
    }
    guard row.role == .owner else {
      throw RecordsError(
        .permissionFailure, "Only the owner can rename or delete a zone.", reason: "notOwner",
        title: row.title)
    }
    return row
  }

  private func checkTitle(_ title: String) throws {
    guard !title.isEmpty else {
      throw RecordsError(
        .invalidArguments, "A zone needs a title.", field: "title", reason: "missingTitle")
    }
    guard title.utf8.count <= Limits.titleBytes else {
      throw RecordsError(
        .limitExceeded,
        "The title is too long: \(ByteCount(title.utf8.count)); "
          + "the limit is \(ByteCount(Limits.titleBytes).limit).")
    }
    guard !title.hasControlCharacters else {
      throw RecordsError.invalid("A title cannot contain control characters.", field: "title")
    }
  }
}

extension RecordsError {
  static func noRecord(_ name: RecordName) -> RecordsError {
    RecordsError(.unknownItem, "There is no record \(name) here.", record: name)
  }

  /// The error for a change of a read-only zone: `permissionFailure`.
  package static func readOnly(_ title: String) -> RecordsError {
    RecordsError(
      .permissionFailure, "The account has no permission to change the zone “\(title)”.",
      hint: "Ask its owner for write permission.", reason: "readOnly", title: title)
  }

  /// The error for the creation of a zone with the id of a deleted one.
  static var deletedZone: RecordsError {
    RecordsError(
      .zoneNotFound, "The zone was deleted, and the id of a deleted zone cannot be used again.",
      hint: "Create a zone with a new id.", reason: "zoneDeleted")
  }

  static var noZone: RecordsError {
    RecordsError(.zoneNotFound, "The zone is not on this device.", reason: "zoneNotHere")
  }
}
