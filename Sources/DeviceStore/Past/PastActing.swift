// Undoing an action, restoring a deleted record, emptying the trash. All of these are ordinary edits: they work
// without a broker, and each is an action itself.

import GRDB
import Records
import SQLiteFile
import SyncCore

extension Replica {
  /// Does `edits` as `action`, or as a further part of one: all or none, durable on return.
  /// - Returns: the number under which the action can be undone (`nil` when nothing changed), and
  ///   what the driver has to do.
  /// - Throws: as `edit`.
  package func perform(
    _ edits: [LocalEdit], as action: UserAction, isAsked: Bool = true, now: Timestamp
  ) throws -> (action: Int64?, actions: [SyncAction]) {
    var number: Int64?
    let actions = try transact(now) { transaction, machine in
      var application = try EditApplication(transaction, isAsked: isAsked, action: action)
      try application.apply(edits)
      number = application.action
      return application.deletedZones.flatMap { machine.abandon($0) }
    }
    return (number, actions)
  }

  /// Takes an action of this device back: whatever of it still stands as the action left it is set
  /// to what it was before; the rest stays and is named.
  /// - Parameter number: the action; `nil` for the newest that is not an undo and was not undone.
  /// - Throws: `unknownItem` when there is none, `invalidArguments` when it was undone already,
  ///   `permissionFailure` where a group may no longer be written to, or `StoreError`.
  package func undo(
    action number: Int64?, now: Timestamp
  ) throws -> (report: UndoReport, actions: [SyncAction]) {
    var report: UndoReport?
    let actions = try transact(now) { transaction, machine in
      let action = try Self.undoable(transaction.db, number)
      let undoing = try Undoing(transaction, action)
      var own = UserAction(.undo)
      own.undoes = action.id
      var application = try EditApplication(transaction, isAsked: true, action: own)
      try application.apply(undoing.edits)
      for (former, present) in undoing.remade {
        guard let zone = try ZoneRow.load(transaction.db, present.zone) else { continue }
        try PublicIDTable.addAlias(
          from: former, to: (zone.key, present.name), transaction.db)
      }
      report = UndoReport(
        undone: action, action: application.action, setBack: undoing.setBack,
        leftAlone: undoing.leftAlone)
      return application.deletedZones.flatMap { machine.abandon($0) }
    }
    guard let report else { preconditionFailure("An undo without an error has a report.") }
    return (report, actions)
  }

  private static func undoable(_ db: Database, _ number: Int64?) throws -> ActionView {
    guard let number else {
      let newest = try db.row(
        """
        SELECT * FROM action WHERE undone_by IS NULL AND undoes IS NULL
        ORDER BY id DESC LIMIT 1
        """)
      guard let newest else {
        throw RecordsError(.unknownItem, "There is nothing to undo on this device.")
      }
      return ActionView(newest)
    }
    let action = try ActionView.load(db, number)
    if let by = action.undoneBy {
      throw RecordsError(
        .invalidArguments, "Action \(number) is already undone.",
        hint: "To do it again: contactsctl undo \(by)")
    }
    return action
  }

  /// Brings deleted records back as they were last shown.
  /// - Parameter zone: where they were; `nil` for wherever one of the name is, own zones first.
  /// - Throws: `unknownItem` when one is not in the trash, `zoneNotFound` when its group is gone,
  ///   `serverRecordChanged` when there is such a record again, or `StoreError`.
  package func restore(
    _ names: [RecordName], in zone: ZoneID? = nil, now: Timestamp
  ) throws -> (records: [RecordID], action: Int64?, actions: [SyncAction]) {
    var restored: [RecordID] = []
    var number: Int64?
    let actions = try transact(now) { transaction, _ in
      let found = try names.map { try Self.discarded($0, in: zone, transaction.db) }
      restored = found.map(\.id)
      var application = try EditApplication(
        transaction, isAsked: true, action: UserAction(.restore))
      try application.apply(
        found.map { record in
          .save(
            LocalEdit.RecordSave(
              id: record.id, type: record.type, changes: FieldChanges(set: record.fields),
              expectation: .absent))
        })
      number = application.action
      return []
    }
    return (restored, number, actions)
  }

  private static func discarded(
    _ name: RecordName, in zone: ZoneID?, _ db: Database
  ) throws -> DiscardedView {
    let asked = try zone.map { try ZoneRow.load(db, $0)?.key ?? -1 }
    let row = try db.row(
      """
      \(DeviceReader.trashSelection) WHERE trash.name = ?1 AND (?2 IS NULL OR trash.zone = ?2)
      ORDER BY zone.owner <> zeroblob(16), trash.id DESC
      """, [name.text, asked])
    guard let row else {
      throw RecordsError(
        .unknownItem, "“\(name)” is not in the trash.",
        hint: "To see the trash: contactsctl trash list", record: name)
    }
    return try DeviceReader.discarded(row)
  }

  /// Erases everything that is kept of what was deleted: here at once, on the broker and on the
  /// account's other devices as soon as they hear of it. This cannot be undone.
  /// - Parameter zone: whose trash; `nil` for all groups this account may write to.
  /// - Returns: how many records had a place in the trash here.
  /// - Throws: `zoneNotFound`, `permissionFailure`, or `StoreError`.
  package func emptyTrash(
    of zone: ZoneID? = nil, now: Timestamp
  ) throws -> (erased: Int, actions: [SyncAction]) {
    var erased = 0
    let actions = try transact(now) { transaction, _ in
      var application = try EditApplication(transaction, isAsked: true)
      erased = try application.emptyTrash(of: zone)
      return []
    }
    return (erased, actions)
  }

  /// Forgets what is older than is kept, some at a time. To be called about once an hour.
  /// - Returns: whether there may be more to forget.
  package func forgetPast(now: Timestamp) throws -> Bool {
    try database.write { db in try PastReaping.step(db, now: now) }
  }
}
