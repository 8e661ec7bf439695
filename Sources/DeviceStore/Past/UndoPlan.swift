// Plans the edits that undo an action. The plan reverses the action's edits from the last to the first, each on the
// result of the one before, so an action that changed a record twice is undone correctly. The result is one
// ordinary edit for each record.

import Foundation
import GRDB
import Records
import SQLiteFile
import SyncCore

/// The edits that undo one action.
struct UndoPlan {
  private let transaction: DeviceTransaction
  private let action: ActionView
  /// The edits, in order.
  private(set) var edits: [LocalEdit] = []
  private(set) var setBack: [UndoReport.Thing] = []
  private(set) var leftAlone: [UndoReport.Left] = []

  /// The records that the action changed, in the order in which the plan reaches them.
  private var records: [RecordID] = []
  private var types: [RecordID: RecordType] = [:]
  private var titles: [RecordID: String] = [:]
  private var original: [RecordID: Fields?] = [:]
  /// The records that the action created.
  private var made: Set<RecordID> = []
  private var shown: [RecordID: Fields?] = [:]
  /// The new ids of groups that are created again, by their former ids.
  private var zones: [ZoneID: ZoneID] = [:]

  /// Makes the plan. It changes nothing.
  init(_ transaction: DeviceTransaction, _ action: ActionView) throws {
    self.transaction = transaction
    self.action = action
    let rows = try transaction.db.rows(
      "SELECT * FROM action_edit WHERE action = ? ORDER BY ordinal DESC", [action.id])
    for row in rows { try reverse(row) }
    try finish()
    guard rows.isEmpty, action.edits > 0 else { return }
    let nowhere = UndoReport.Thing(zone: .standard, name: nil, title: action.title)
    leftAlone.append(UndoReport.Left(thing: nowhere, what: Undo.LeftAlone(reason: .erased)))
  }

  private var db: Database { transaction.db }

  private mutating func reverse(_ row: Row) throws {
    guard let owner = AccountID(column: row["owner"]), let name = ZoneName(column: row["zone_name"])
    else { throw StoreError(.damaged, "A logged edit's row is damaged.") }
    let zone = ZoneID(owner: owner, name: name)
    guard let record = row["name"] as String? else {
      return try reverseZone(zone, before: row["title_before"], after: row["title_after"])
    }
    let id = RecordID(zone: zones[zone] ?? zone, name: RecordName(stored: record))
    guard let edit = try Self.edit(row) else { return }
    try reverseRecord(id, type: RecordType(stored: row["type"]), edit)
  }

  private static func edit(_ row: Row) throws -> Undo.Edit? {
    if let digest = row["digest"] as Data? {
      return Identifier<Undo>(bytes: digest).map { .made(digest: $0.value) }
    }
    guard let before = try Fields.read(row["before"]) else { return nil }
    return try Fields.read(row["after"]).map { .changed(before: before, after: $0) }
      ?? .deleted(before)
  }

  // MARK: Records

  private mutating func reverseRecord(_ id: RecordID, type: RecordType, _ edit: Undo.Edit) throws {
    if case .made = edit { made.insert(id) }
    if original[id] == nil {
      let isNewZone = zones.values.contains(id.zone)
      guard let zone = try isNewZone ? nil : ZoneRow.load(db, id.zone), zone.state.isShown
      else {
        guard isNewZone else { return leave(id, type, nil, Undo.LeftAlone(reason: .groupGone)) }
        return begin(id, type, shown: nil, edit)
      }
      let row = try RecordRow.load(db, zone: zone.key, name: id.name)
      begin(id, type, shown: row?.layers.shown, edit)
    } else {
      step(id, edit)
    }
  }

  private mutating func begin(
    _ id: RecordID, _ type: RecordType, shown fields: Fields?, _ edit: Undo.Edit
  ) {
    records.append(id)
    types[id] = type
    original[id] = .some(fields)
    shown[id] = .some(fields)
    step(id, edit)
  }

  private mutating func step(_ id: RecordID, _ edit: Undo.Edit) {
    let now = shown[id] ?? nil
    let undo = Undo(edit, shown: now)
    shown[id] = .some(undo.shown)
    for what in undo.leftAlone { leave(id, types[id] ?? transaction.rules.mainType, now, what) }
  }

  private mutating func leave(
    _ id: RecordID, _ type: RecordType, _ fields: Fields?, _ what: Undo.LeftAlone
  ) {
    let thing = thing(id, type, fields)
    leftAlone.append(UndoReport.Left(thing: thing, what: what))
  }

  private func thing(
    _ id: RecordID, _ type: RecordType, _ fields: Fields?
  ) -> UndoReport.Thing {
    let title = fields.map { transaction.rules.title(id.name, type: type, fields: $0) }
    return UndoReport.Thing(zone: id.zone, name: id.name, title: title ?? action.title)
  }

  /// The records of deleted groups, which are created again in new groups.
  var recreated: [(former: RecordID, present: RecordID)] {
    let former = Dictionary(zones.map { ($0.value, $0.key) }) { first, _ in first }
    return records.compactMap { present in
      former[present.zone].map { (RecordID(zone: $0, name: present.name), present) }
    }
  }

  /// Ensures that undoing a move leaves one record. Changes made after the move return with the record. A record that
  /// was moved again stays in its present zone.
  private mutating func keepMovesWhole() throws {
    for (name, ids) in Dictionary(grouping: records, by: \.name) where ids.count == 2 {
      for (source, target) in [(ids[0], ids[1]), (ids[1], ids[0])] {
        guard made.contains(target), original[source] == .some(nil), shown[source] ?? nil != nil,
          let before = original[target], shown[target] == .some(before)
        else { continue }
        if let content = before {
          shown[source] = .some(content)
          shown[target] = .some(nil)
          leftAlone.removeAll { $0.thing.zone == target.zone && $0.thing.name == name }
        } else if try isMovedOn(target) {
          leave(
            source, types[source] ?? transaction.rules.mainType, nil,
            Undo.LeftAlone(reason: .deletedSince))
          shown[source] = .some(nil)
        }
      }
    }
  }

  /// Whether a later move took the record out of its zone.
  private func isMovedOn(_ id: RecordID) throws -> Bool {
    guard let zone = try ZoneRow.load(db, id.zone) else { return false }
    if try MovedAway.departure(of: id.name, from: zone.key, transaction) != nil { return true }
    return try RecordRow.load(db, zone: zone.key, name: id.name)?.layers.departure != nil
  }

  /// Adds an edit for each record that the undo changes.
  private mutating func finish() throws {
    try keepMovesWhole()
    // A record that moves back is one thing, though the undo also deletes it in the other zone.
    let shownNames = Set(
      records.filter { shown[$0] != original[$0] && shown[$0] != .some(nil) }.map(\.name))
    for id in records {
      guard let type = types[id], let before = original[id], let after = shown[id],
        before != after
      else { continue }
      if let after {
        edits.append(
          .save(
            LocalEdit.RecordSave(
              id: id, type: type,
              changes: FieldChanges.difference(from: before ?? Fields(), to: after))))
      } else {
        edits.append(.delete(id, version: nil))
      }
      guard type != ConflictRecord.recordType, after != nil || !shownNames.contains(id.name) else {
        continue
      }
      setBack.append(thing(id, type, after ?? before))
    }
    // Groups are deleted after their records.
    edits = edits.filter { !$0.deletesZone } + edits.filter(\.deletesZone)
  }

  // MARK: Groups

  private mutating func reverseZone(_ zone: ZoneID, before: String?, after: String?) throws {
    let known = try ZoneRow.load(db, zone).flatMap { $0.state.isShown ? $0 : nil }
    // While its records leave it, or its deletion is held, the group is still there but not shown.
    let isHidden = try known.map { try GroupDeletion.hides($0.key, db) } ?? false
    let row = isHidden ? nil : known
    switch (before, after) {
    case (nil, let made?): try unmake(zone, row, title: made)
    case (let title?, nil):
      if let row = known {
        // If the broker rejected the deletion, the group is there again; only records can be missing in it.
        guard isHidden else { return }
        edits.append(.keepZone(zone))
        setBack.append(UndoReport.Thing(zone: zone, name: nil, title: row.title))
        return
      }
      let fresh = ZoneID(name: freshName(insteadOf: zone))
      zones[zone] = fresh
      edits.append(.createZone(fresh, title: title))
      setBack.append(UndoReport.Thing(zone: fresh, name: nil, title: title))
    case (let before?, let after?):
      let thing = UndoReport.Thing(zone: zone, name: nil, title: row?.title ?? after)
      guard let row, row.title == after else {
        let reason: Undo.LeftAlone.Reason = row == nil ? .groupGone : .changedSince
        leftAlone.append(UndoReport.Left(thing: thing, what: Undo.LeftAlone(reason: reason)))
        return
      }
      edits.append(.renameZone(zone, title: before))
      setBack.append(UndoReport.Thing(zone: zone, name: nil, title: before))
    case (nil, nil): break
    }
  }

  /// A new zone name, because the name of a deleted zone is never used again. The action's number makes it unique.
  private func freshName(insteadOf zone: ZoneID) -> ZoneName {
    var fingerprint = Fingerprint()
    fingerprint.add(zone.name.bytes)
    fingerprint.add(UInt64(action.id))
    return ZoneName(fingerprint.value)
  }

  /// Deletes a group that the action created, if it contains only records that the same action added.
  private mutating func unmake(_ zone: ZoneID, _ row: ZoneRow?, title: String) throws {
    let thing = UndoReport.Thing(zone: zone, name: nil, title: row?.title ?? title)
    guard let row else { return }
    let names = try db.rows(
      "SELECT name FROM record WHERE zone = ? AND shown IS NOT NULL LIMIT ?",
      [row.key, records.count + 1])
    let isEmptied = names.allSatisfy { found in
      let id = RecordID(zone: zone, name: RecordName(stored: found["name"]))
      return shown[id] == .some(nil)
    }
    guard isEmptied else {
      leftAlone.append(UndoReport.Left(thing: thing, what: Undo.LeftAlone(reason: .groupInUse)))
      return
    }
    edits.append(.deleteZone(zone))
    setBack.append(thing)
  }
}

extension LocalEdit {
  fileprivate var deletesZone: Bool {
    if case .deleteZone = self { true } else { false }
  }
}
