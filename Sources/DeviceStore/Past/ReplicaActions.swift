// Performs and undoes actions, restores deleted records, and empties the trash. All of these are ordinary edits:
// they work without a broker, and each is an action itself.

import GRDB
import Records
import SQLiteFile
import SyncCore

extension Replica {
  /// Applies `edits` as an action, or as another part of one. Either all of them are applied or none. They are
  /// durable when the method returns.
  /// - Parameter setting: a setting that changes in the same transaction.
  /// - Returns: the number by which the action can be undone (`nil` if nothing changed), and the actions of the
  ///   driver.
  /// - Throws: as `edit`.
  package func perform(
    _ edits: [LocalEdit], as action: UserAction, isAsked: Bool = true,
    choosing setting: ChosenSetting? = nil, now: Timestamp
  ) throws -> (action: Int64?, actions: [SyncAction]) {
    var number: Int64?
    let actions = try transact(now) { transaction, machine in
      var application = try EditApplication(transaction, isAsked: isAsked, action: action)
      try application.apply(edits)
      number = application.action
      if let setting { try SettingTable.choose(setting, transaction, &machine) }
      return application.deletedZones.flatMap { machine.abandon($0) }
    }
    return (number, actions)
  }

  /// Undoes an action of this device. Values that did not change since the action are set back. The report lists the
  /// others, which stay.
  /// - Parameter number: the action; `nil` for the newest one that is not an undo and was not undone. If nothing of it
  ///   can be undone, the next call without a number continues with an older action.
  /// - Throws: `unknownItem` if there is no such action, `invalidArguments` if it is already undone,
  ///   `permissionFailure` if a group is no longer writable (the action can be undone once it is), or `StoreError`.
  package func undo(
    action number: Int64?, now: Timestamp
  ) throws -> (report: UndoReport, actions: [SyncAction]) {
    var report: UndoReport?
    let actions = try transact(now) { transaction, machine in
      let action = try Self.undoable(transaction.db, number)
      let plan = try UndoPlan(transaction, action)
      var own = UserAction(.undo)
      own.undoes = action.id
      var application = try EditApplication(transaction, isAsked: true, action: own)
      try application.apply(plan.edits)
      for (former, present) in plan.recreated {
        guard let zone = try ZoneRow.load(transaction.db, present.zone) else { continue }
        try PublicIDTable.addAlias(
          from: former, to: (zone.key, present.name), transaction.db)
      }
      if number == nil, application.action == nil {
        try Self.noteFailure(of: action, transaction.db)
      }
      report = UndoReport(
        undone: action, action: application.action, setBack: plan.setBack,
        leftAlone: plan.leftAlone)
      return application.deletedZones.flatMap { machine.abandon($0) }
    }
    guard let report else { preconditionFailure("An undo without an error has a report.") }
    return (report, actions)
  }

  /// Excludes an action from later undos without a number. It can still be undone by its number.
  private static func noteFailure(of action: ActionView, _ db: Database) throws {
    try db.run("UPDATE action SET undo_failed = 1 WHERE id = ?", [action.id])
  }

  private static func undoable(_ db: Database, _ number: Int64?) throws -> ActionView {
    guard let number else {
      let newest = try db.row(
        """
        SELECT * FROM action WHERE undone_by IS NULL AND undoes IS NULL AND undo_failed = 0
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
        hint: "To do it again, undo action \(by).", reason: "alreadyUndone", number: by)
    }
    return action
  }

  /// Restores deleted records with the fields they last showed.
  /// - Parameter zone: the zone they were in; `nil` for any zone, the account's own zones first.
  /// - Throws: `unknownItem` if a record is not in the trash, `zoneNotFound` if its group does not exist any more,
  ///   `serverRecordChanged` if a record of this name exists again, or `StoreError`.
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
        record: name, reason: "notInTrash")
    }
    return try DeviceReader.discarded(row)
  }

  /// Erases deleted records: on this device at once, on the broker and the account's other devices once they receive
  /// the request. This cannot be undone.
  /// - Parameter zone: the zone whose trash is emptied; `nil` for all groups of this account. Only the owner of a group may
  ///   empty its trash.
  /// - Returns: the number of records in the trash of this device.
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

  /// Deletes some of the expired history. Call it about once an hour.
  /// - Returns: whether there may be more to delete.
  package func forgetPast(now: Timestamp) throws -> Bool {
    try database.write { db in
      try HistoryRetention.step(db, application.projections, now: now)
    }
  }
}
