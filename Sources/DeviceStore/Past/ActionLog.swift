// Writes down what a person's action did, in the action's own transaction, so that it can be taken
// back whole, also after a restart. An action that is done in several calls (an import) is one row
// here, and one undo.

import GRDB
import Records
import SQLiteFile
import SyncCore

/// The writing of one action's log.
struct ActionLog {
  private let transaction: DeviceTransaction
  private let action: UserAction
  /// The action's number, once something was written.
  private(set) var id: Int64?
  /// The ordinal of the last edit.
  private var ordinal = 0
  /// The ordinal of the last edit before this part of the action.
  private var formerOrdinal = 0
  /// The records that this part of a continued action edited.
  private var records: Set<RecordID> = []
  /// Whether an earlier part may have edited one of them.
  private var mayRepeat = false
  private var kinds: Set<ActionKind> = []
  private var title: String?

  /// Begins; nothing is written before the first edit.
  /// - Throws: `unknownItem` or `invalidArguments` when the action that is to go on cannot.
  init(_ transaction: DeviceTransaction, _ action: UserAction) throws {
    self.transaction = transaction
    self.action = action
    guard let continued = action.continuing else { return }
    let known = try ActionView.load(transaction.db, continued)
    guard known.undoneBy == nil else {
      throw RecordsError.invalid("Action \(continued) was undone; nothing can be added to it.")
    }
    id = continued
    ordinal = try transaction.db.number(
      "SELECT coalesce(max(ordinal), 0) FROM action_edit WHERE action = ?", [continued])
    formerOrdinal = ordinal
    kinds = [known.kind]
    title = known.title
  }

  private var db: Database { transaction.db }

  // MARK: Edits

  /// A record showed `before` and will show `after`; not both are `nil`.
  mutating func note(_ row: inout RecordRow, in zone: ZoneID, after: Fields?) throws {
    guard row.layers.type != FirstRecords.markerType else { return }
    let before = row.layers.shown
    let shown = after ?? before ?? Fields()
    try noteRepetition(of: row, in: zone)
    let isConflict = row.layers.type == ConflictRecord.recordType
    // The first title counts. Reading one takes time.
    let isUntitled = title ?? "" == ""
    try begin(
      isConflict ? .resolve : before == nil ? .add : after == nil ? .delete : .edit,
      title: isConflict || !isUntitled
        ? "" : transaction.rules.title(row.layers.name, type: row.layers.type, fields: shown))
    var columns = Columns()
    switch (before, after) {
    case (nil, let made?):
      columns.digest = Identifier<Undo>(Undo.digest(of: row.encode(made))).bytes
    case (let deleted?, nil):
      columns.before = EncodedRecord(deleted).bytes
      columns.tombstone = row.layers.ancestor.leastTombstone
    case (let before?, let after?):
      let difference = Self.difference(before, after)
      columns.before = EncodedRecord(difference.before).bytes
      columns.after = EncodedRecord(difference.after).bytes
    case (nil, nil): return
    }
    try write(zone, name: row.layers.name, type: row.layers.type, columns)
  }

  /// Each edit gives its record the number of a later event. A deleted record may have no row; then its content is in the
  /// trash.
  private mutating func noteRepetition(of row: RecordRow, in zone: ZoneID) throws {
    guard formerOrdinal > 0, let id,
      records.insert(RecordID(zone: zone, name: row.layers.name)).inserted, !mayRepeat
    else { return }
    mayRepeat =
      if row.id == nil {
        try transaction.mayHaveTrash()
          && db.number("SELECT EXISTS (SELECT 1 FROM trash WHERE name = ?)", [row.layers.name.text])
            > 0
      } else {
        try row.version > db.number("SELECT begun FROM action WHERE id = ?", [id])
      }
  }

  /// A group got another title; `nil` before it was made, or once it is deleted.
  mutating func note(_ zone: ZoneID, title before: String?, after: String?) throws {
    try begin(
      before == nil ? .addGroup : after == nil ? .deleteGroup : .renameGroup,
      title: after ?? before ?? "")
    try write(
      zone, name: nil, type: LocalEvent.groupType,
      Columns(titleBefore: before, titleAfter: after))
  }

  /// A group will be deleted with all it shows.
  mutating func noteDeletion(of zone: ZoneRow) throws {
    mayRepeat = true
    try begin(.deleteGroup, title: zone.title)
    try db.run(
      """
      INSERT INTO action_edit (action, ordinal, owner, zone_name, name, type, before, tombstone)
      SELECT ?, ? + row_number() OVER (ORDER BY id), ?, ?, name, type, shown, \(Self.leastTombstone)
      FROM record WHERE zone = ? AND shown IS NOT NULL AND type NOT IN (?, ?)
      """,
      [
        id, ordinal, zone.zone.owner.column, zone.zone.name.column, zone.key,
        FirstRecords.markerType.text, ConflictRecord.recordType.text,
      ])
    ordinal += db.changesCount
    try note(zone.zone, title: zone.title, after: nil)
  }

  /// `BrokerState.leastTombstone` as SQL, for a row of `record`; NULL for states of former histories, which are rare.
  private static let leastTombstone = """
    CASE WHEN tag > 0 AND former IS NULL THEN tag + (
      layered = 0 OR (SELECT ancestor IS NOT NULL FROM layer WHERE layer.record = record.id)) END
    """

  /// Writes what is known at the end. Called last.
  func finish() throws {
    guard let id else { return }
    let kind = action.kind ?? (kinds.count == 1 ? kinds.first : nil) ?? Self.kind(of: kinds)
    // The new edits of a continued action can be undone.
    try db.run(
      "UPDATE action SET kind = ?, title = ?, edits = edits + ?, undo_failed = 0 WHERE id = ?",
      [kind.rawValue, title ?? "", try newThings(of: id), id])
    if let undone = action.undoes {
      try db.run("UPDATE action SET undone_by = ? WHERE id = ?", [id, undone])
    }
    try db.run("DELETE FROM action WHERE id <= ?", [id - DeviceLimits.actions])
  }

  /// Returns the number of records and groups that only this part of the action edited. An action can edit a record
  /// several times, a move edits it in two zones, and conflicts are part of their record.
  private func newThings(of id: Int64) throws -> Int {
    // Most actions have one edit.
    if action.continuing == nil, ordinal == 1 { return kinds == [.resolve] ? 0 : 1 }
    let things = try db.number(
      """
      SELECT count(*) FILTER (WHERE name IS NULL) + count(DISTINCT name) FILTER (WHERE type <> ?3)
      FROM action_edit WHERE action = ?1 AND ordinal > ?2
      """, [id, formerOrdinal, ConflictRecord.recordType.text])
    return mayRepeat ? things - (try repeatedRecords(of: id)) : things
  }

  /// The number of records that this part and an earlier one edited. Reads the edits of all earlier parts.
  private func repeatedRecords(of id: Int64) throws -> Int {
    try db.number(
      """
      SELECT count(DISTINCT name) FROM action_edit
      WHERE action = ?1 AND ordinal <= ?2 AND type <> ?3 AND name IN (
        SELECT name FROM action_edit WHERE action = ?1 AND ordinal > ?2 AND type <> ?3)
      """, [id, formerOrdinal, ConflictRecord.recordType.text])
  }

  /// The records of a zone are deleted and restored with it.
  private static func kind(of kinds: Set<ActionKind>) -> ActionKind {
    kinds.contains(.deleteGroup) ? .deleteGroup : kinds.contains(.resolve) ? .resolve : .several
  }

  // MARK: Rows

  private struct Columns {
    var digest: [UInt8]?
    var before: [UInt8]?
    var after: [UInt8]?
    var titleBefore: String?
    var titleAfter: String?
    var tombstone: Revision?
  }

  private mutating func begin(_ kind: ActionKind, title: String) throws {
    kinds.insert(kind)
    if self.title ?? "" == "" { self.title = title }
    guard id == nil else { return }
    try db.run(
      """
      INSERT INTO action (kind, title, edits, time, undoes, begun)
      SELECT ?, ?, 0, ?, ?, last_event FROM identity
      """, [kind.rawValue, title, transaction.now.microseconds, action.undoes])
    id = db.lastInsertedRowID
  }

  private static let insertion = HotSQL(
    "INSERT INTO action_edit VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")

  private mutating func write(
    _ zone: ZoneID, name: RecordName?, type: RecordType, _ columns: Columns
  ) throws {
    ordinal += 1
    try transaction.statement(Self.insertion).run { statement in
      statement.bind(1, optional: id)
      statement.bind(2, Int64(ordinal))
      statement.bind(3, zone.owner.bytes)
      statement.bind(4, zone.name.bytes)
      statement.bind(5, optional: name?.text)
      statement.bind(6, type.text)
      statement.bind(7, optional: columns.digest)
      statement.bind(8, optional: columns.before)
      statement.bind(9, optional: columns.after)
      statement.bind(10, optional: columns.titleBefore)
      statement.bind(11, optional: columns.titleAfter)
      statement.bind(12, optional: columns.tombstone?.value)
    }
  }

  /// Both sides, with only the fields in which they differ.
  private static func difference(
    _ before: Fields, _ after: Fields
  ) -> (before: Fields, after: Fields) {
    (
      Fields(sorted: before.all.filter { after[$0.key] != $0.value }),
      Fields(sorted: after.all.filter { before[$0.key] != $0.value })
    )
  }
}

extension ActionView {
  /// An action.
  /// - Throws: `unknownItem` when there is none of this number, or not any more.
  static func load(_ db: Database, _ id: Int64) throws -> ActionView {
    guard let row = try db.row("SELECT * FROM action WHERE id = ?", [id]) else {
      throw RecordsError(
        .unknownItem, "This device has no action \(id), or no longer keeps it.",
        reason: "noSuchAction", number: id)
    }
    return ActionView(row)
  }

  /// Reads a row of `action`. An action that only resolved conflicts counts as one.
  init(_ row: Row) {
    self.init(
      id: row["id"], kind: ActionKind(rawValue: row["kind"]) ?? .several, title: row["title"],
      edits: max(1, row["edits"]), time: Timestamp(microseconds: row["time"]),
      undoes: row["undoes"], undoneBy: row["undone_by"])
  }
}
