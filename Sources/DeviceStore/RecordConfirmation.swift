// Most records of a large import, and of edits made offline, are new and meet no change of another device. The outcome
// of such an edit, and its echo in the feed, change a few columns of the record's row. This file recognizes these cases
// from the columns as they are stored. Decoding the record and merging its states, which would have the same result,
// took several times as long.

import GRDB
import Records
import SQLiteFile
import SyncCore

/// Confirms records of one zone whose states need no merge, without decoding them.
struct RecordConfirmation {
  private let transaction: DeviceTransaction
  private let zone: ZoneRow

  init(_ transaction: DeviceTransaction, zone: ZoneRow) {
    self.transaction = transaction
    self.zone = zone
  }

  private var db: Database { transaction.db }

  /// Whether no record of this name left a zone, and no edit waits for the target of a move. The statements bind the
  /// name as parameter 2.
  private static let isWithoutMoves = """
    NOT EXISTS (SELECT 1 FROM moved_away WHERE name = ?2)
      AND NOT EXISTS (SELECT 1 FROM layer WHERE relocation_move IS NOT NULL)
    """

  // MARK: Outcomes

  /// Selects a record whose first save is in flight and shown unchanged, and of which the broker has said nothing.
  private static let firstSave = HotSQL(
    """
    SELECT record.id, record.type, record.local_modified
    FROM record CROSS JOIN layer ON layer.record = record.id
    WHERE record.zone = ?1 AND record.name = ?2 AND record.tag IS NULL AND record.shown IS NOT NULL
      AND record.type <> '\(ConflictRecord.recordType)'
      AND layer.flight = ?3 AND (layer.flight_is_shown OR layer.flight_fields = record.shown)
      AND layer.ancestor IS NULL
      AND layer.held_tag IS NULL AND layer.bundled IS NULL AND layer.departure IS NULL
      AND layer.relocation_move IS NULL AND layer.lost_versions IS NULL
      AND NOT EXISTS (SELECT 1 FROM asset_use WHERE kind = 0 AND holder = record.id)
      AND NOT EXISTS (SELECT 1 FROM outbox WHERE zone = ?1 AND name = ?2 AND number IS NULL
        AND name IS NOT NULL)
      AND \(isWithoutMoves)
    """)

  private static let update = HotSQL(
    """
    UPDATE record SET tag = ?1, created = ?2, modified = ?2, layered = 0, reserved = NULL
    WHERE id = ?3
    """)

  /// Applies the outcome of an edit that the broker saved at `tag`, if it saved a new record without files and the
  /// record has no other edits. The caller removes the entry from the outbox.
  /// - Parameter stamp: The stamp of the saved record; `nil` if the feed will bring it.
  /// - Returns: `false` if the record's states have to be merged; then nothing changed.
  func confirm(_ entry: OutboxEntry, at tag: Revision, stamp: Stamp?) throws -> Bool {
    guard entry.kind == .record, let name = entry.name, let number = entry.number,
      zone.sweep == .none, !zone.zone.isPublic, !isRead(through: tag)
    else { return false }
    let found = try transaction.statement(Self.firstSave).first { statement in
      statement.bind(1, zone.key)
      statement.bind(2, name.text)
      statement.bind(3, number.value)
    } read: { row in
      (id: row.number(0), type: row.text(1), localModified: row.number(2))
    }
    guard let found else { return false }
    try transaction.statement(Self.update).run { statement in
      statement.bind(1, tag.value)
      statement.bind(2, optional: stamp?.columnBytes)
      statement.bind(3, found.id)
    }
    try transaction.statement(RecordRow.layerDeletion).run { $0.bind(1, found.id) }
    try noteConfirmation(
      of: found.id, type: RecordType(stored: found.type),
      modified: stamp?.time ?? Timestamp(microseconds: found.localModified))
    EntryResolution.count(applied: entry, transaction)
    return true
  }

  /// Whether the device has read the zone past `tag`, so that the record may have been deleted since.
  private func isRead(through tag: Revision) -> Bool {
    guard let token = zone.token else { return false }
    return tag <= min(token.scanStart, token.revision)
  }

  // MARK: The feed

  /// Selects a record in the state of the change, and whether the device has seen it since it began to read the zone.
  private static let sameState = HotSQL(
    """
    SELECT id, seen FROM record
    WHERE zone = ?1 AND name = ?2 AND tag = ?3 AND layered = 0 AND shown = ?4 AND type = ?7
      AND created IS ?5 AND modified IS ?6 AND former IS NULL AND \(isWithoutMoves)
    """)

  /// Applies a change of this device that comes back in the feed, if the outcome has confirmed the same state of the
  /// record and the record was not edited since.
  /// - Returns: `false` if the states have to be merged; then nothing changed.
  func confirm(_ change: Change) throws -> Bool {
    guard change.kind == .saved, change.former == nil,
      change.modified.origin.device == transaction.device,
      zone.sweep != .restored, !zone.zone.isPublic, change.type != FirstRecords.markerType,
      change.type != ConflictRecord.recordType
    else { return false }
    let (created, modified) = (change.created.columnBytes, change.modified.columnBytes)
    let found = try transaction.statement(Self.sameState).first { statement in
      statement.bind(1, zone.key)
      statement.bind(2, change.name.text)
      statement.bind(3, change.tag.value)
      statement.bind(4, change.record.bytes)
      statement.bind(5, created)
      statement.bind(6, modified)
      statement.bind(7, change.type.text)
    } read: { row in
      (id: row.number(0), isSeen: row.number(1) != 0)
    }
    guard let found else { return false }
    guard !found.isSeen else { return true }
    try HotStatement(borrowing: "UPDATE record SET seen = 1 WHERE id = ?", from: db).run {
      $0.bind(1, found.id)
    }
    return true
  }

  // MARK: -

  private func noteConfirmation(
    of record: Int64, type: RecordType, modified: Timestamp
  ) throws {
    transaction.confirm(type, in: zone.zone)
    for projection in transaction.application.projections {
      try projection.confirm(record: record, modified: modified, db)
    }
  }
}
