// The moves among the edits of one action. An action that creates a record in one zone and deletes the record
// of the same name in another moves it: a record put into another zone, an undo of that, records kept from
// a zone that is deleted. Each move gets an id before its edits are applied, and the record's conflicts move
// with it.

import GRDB
import Records
import SQLiteFile
import SyncCore

/// What has to be known of an action's moves before its edits are applied.
struct PlannedMoves {
  /// The move of each record, by its name.
  private(set) var ids: [RecordName: MoveID] = [:]
  /// Edits that take the conflicts about moved records along, with the zones that they leave.
  private var conflictEdits: [(source: ZoneID, edit: LocalEdit)] = []
  private let deleted: Set<RecordID>
  private var conflicts: [ZoneID: [RecordName: [(name: RecordName, fields: Fields)]]] = [:]

  /// Finds the moves among `edits` and draws their ids.
  init(_ edits: [LocalEdit], _ transaction: DeviceTransaction) throws {
    // An undo of a move takes the conflicts along by itself.
    deleted = Set(
      edits.compactMap { edit in
        guard case .delete(let id, _) = edit else { return nil }
        return id
      })
    var targets: [RecordName: ZoneID] = [:]
    for case .save(let save) in edits where save.type != ConflictRecord.recordType {
      targets[save.id.name] = save.id.zone
    }
    guard !targets.isEmpty else { return }
    for case .delete(let source, _) in edits {
      guard let target = targets[source.name], target != source.zone,
        try Self.isShown(source, transaction.db),
        try !Self.isShown(RecordID(zone: target, name: source.name), transaction.db)
      else { continue }
      if try Self.isSent(source, transaction.db), ids[source.name] == nil {
        ids[source.name] = MoveID.random(using: &transaction.generator)
      }
      try take(about: source, to: target, transaction.db)
    }
  }

  private static func row(_ id: RecordID, _ db: Database) throws -> RecordRow? {
    guard let zone = try ZoneRow.load(db, id.zone) else { return nil }
    return try RecordRow.load(db, zone: zone.key, name: id.name)
  }

  private static func isShown(_ id: RecordID, _ db: Database) throws -> Bool {
    try row(id, db)?.layers.shown != nil
  }

  /// Whether the broker has the record, or may have it soon. A deletion of any other is never sent.
  private static func isSent(_ id: RecordID, _ db: Database) throws -> Bool {
    guard let layers = try row(id, db)?.layers else { return false }
    return layers.ancestor.fields != nil || layers.inFlight?.fields != nil || layers.bundled != nil
  }

  private mutating func take(about source: RecordID, to target: ZoneID, _ db: Database) throws {
    if conflicts[source.zone] == nil {
      conflicts[source.zone] = try ConflictRows.bySubject(in: source.zone, db)
    }
    for conflict in conflicts[source.zone]?[source.name] ?? []
    where !deleted.contains(RecordID(zone: source.zone, name: conflict.name)) {
      let save = LocalEdit.RecordSave(
        id: RecordID(zone: target, name: conflict.name), type: ConflictRecord.recordType,
        changes: FieldChanges(set: conflict.fields))
      let deletion = LocalEdit.delete(
        RecordID(zone: source.zone, name: conflict.name), version: nil)
      conflictEdits += [(source.zone, .save(save)), (source.zone, deletion)]
    }
  }

  /// Returns the edits with those of the conflicts. The latter come last, but before their zone is deleted.
  func adding(to edits: [LocalEdit]) -> [LocalEdit] {
    var result: [LocalEdit] = []
    var rest = conflictEdits
    for edit in edits {
      if case .deleteZone(let zone) = edit {
        result += rest.filter { $0.source == zone }.map(\.edit)
        rest.removeAll { $0.source == zone }
      }
      result.append(edit)
    }
    return result + rest.map(\.edit)
  }
}
