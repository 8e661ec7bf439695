// Applies a rejected edit again, for a user who has removed the reason: a quota was raised, a group can be written again.
// The edit becomes an action of its own, with what the user typed on top of the present state of the record.

import GRDB
import Records
import SQLiteFile
import SyncCore

extension Replica {
  /// Applies a rejected edit again, and deletes it from the list of rejected edits.
  /// - Parameters:
  ///   - id: The number of the rejected edit.
  ///   - zone: The zone for a record that is created again; `nil` for the zone that it was in.
  /// - Returns: The record, and the number of the action. A record that has the values already needs no action.
  /// - Throws: `unknownItem` if there is no such edit, or if its record is gone and the edit has only some fields of it;
  ///   `invalidArguments` for an edit of a zone itself; otherwise as `perform`. Then nothing changed.
  package func retry(
    rejected id: Int64, in zone: ZoneID? = nil, now: Timestamp
  ) throws -> (record: RecordID, action: Int64?, actions: [SyncAction]) {
    var done: (record: RecordID, action: Int64?)?
    let actions = try transact(now) { transaction, _ in
      let retry = try RejectedEditRetry(id, in: zone, transaction)
      var application = try EditApplication(transaction, isAsked: true, action: UserAction())
      try application.apply(retry.edits)
      try transaction.db.run("DELETE FROM rejected_edit WHERE id = ?", [id])
      done = (retry.record, application.action)
      return []
    }
    guard let done else { preconditionFailure("A retry without an error has a record.") }
    return (done.record, done.action, actions)
  }
}

/// The edits that repeat a rejected one.
private struct RejectedEditRetry {
  let record: RecordID
  let edits: [LocalEdit]

  init(_ id: Int64, in zone: ZoneID?, _ transaction: DeviceTransaction) throws {
    let db = transaction.db
    guard let row = try db.row("SELECT * FROM rejected_edit WHERE id = ?", [id]) else {
      throw RecordsError.noRejectedEdit("\(id)")
    }
    let rejected = try RejectedEdits.view(row)
    guard let name = rejected.name else {
      throw RecordsError(
        .invalidArguments, "The rejected edit \(id) is one of a zone, which cannot be retried.",
        hint: "Change the zone again, then discard the edit.", reason: "editOfZone", number: id)
    }
    let typed = try Fields.read(row["typed"]) ?? rejected.changes.set
    let target = RecordID(zone: zone ?? rejected.zone, name: name)
    record = target
    guard !rejected.isDeletion else {
      edits = [.delete(target, version: nil)]
      return
    }
    let key = try ZoneRow.load(db, target.zone)?.key
    let present = try key.flatMap { try RecordRow.load(db, zone: $0, name: name) }?.layers
    let save =
      if let present, let shown = present.shown {
        LocalEdit.RecordSave(
          id: target, type: present.type,
          changes: FieldChanges(
            set: shown.setting(typed),
            removed: rejected.changes.removed.filter { shown[$0] != nil }),
          expectation: .present)
      } else {
        try Self.creation(of: target, rejected, typed, transaction)
      }
    let files = try save.assets.filter { try ReplicaAssetTable.isHere($0.id, db) }
    edits = files.map { .keepAsset($0) } + [.save(save)]
  }

  /// Creates the record again: with its last fields if it is in the trash, or else with those of the edit, if they are
  /// enough for a record.
  private static func creation(
    of target: RecordID, _ rejected: RejectedEditView, _ typed: Fields,
    _ transaction: DeviceTransaction
  ) throws -> LocalEdit.RecordSave {
    let db = transaction.db
    let former = try ZoneRow.load(db, rejected.zone)?.key
    let discarded = try db.row(
      "\(DeviceReader.trashSelection) WHERE trash.name = ?1 AND trash.zone = ?2 ORDER BY trash.id DESC",
      [target.name.text, former ?? -1]
    ).map(DeviceReader.discarded)
    let fields = discarded.map { $0.fields.applying(typed) } ?? rejected.changes.set
    let type = discarded?.type ?? transaction.rules.mainType
    let isWhole =
      discarded != nil
      || !transaction.rules.title(target.name, type: type, fields: fields).isEmpty
        && !target.zone.isPublic
    guard isWhole else {
      throw RecordsError(
        .unknownItem,
        "The \(transaction.rules.noun) of the rejected edit no longer exists, and the edit has only some of its "
          + "fields.", record: target.name)
    }
    return LocalEdit.RecordSave(
      id: target, type: type, changes: FieldChanges(set: fields), expectation: .absent)
  }
}

extension Fields {
  /// Returns the fields of `typed` as they are to be set. Of a list with entries, only the typed parts change.
  fileprivate func setting(_ typed: Fields) -> Fields {
    var result = Fields()
    for field in typed.all {
      guard case .entries(let own) = field.value, case .entries(let entries)? = self[field.key]
      else {
        result[field.key] = field.value
        continue
      }
      result[field.key] = .entries(Self.merged(own, into: entries))
    }
    return result
  }

  fileprivate func applying(_ typed: Fields) -> Fields {
    FieldChanges(set: setting(typed)).applied(to: self)
  }

  private static func merged(_ typed: [Entry], into entries: [Entry]) -> [Entry] {
    var result = Dictionary(entries.map { ($0.id, $0) }) { first, _ in first }
    for entry in typed {
      guard var present = result[entry.id] else {
        result[entry.id] = entry
        continue
      }
      for field in entry.fields.all { present.fields[field.key] = field.value }
      result[entry.id] = present
    }
    return result.values.sorted(by: Entry.precedes)
  }
}

extension RecordsError {
  /// The error for a number that no rejected edit has.
  package static func noRejectedEdit(_ number: String) -> RecordsError {
    RecordsError(
      .unknownItem, "There is no rejected edit “\(number.prefix(40))”.",
      reason: "noSuchEdit")
  }
}
