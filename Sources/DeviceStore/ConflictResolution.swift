// What resolving a conflict does: an ordinary edit of the record it is about, and the deletion of
// the conflict's own record, as one action.

import GRDB
import Records
import SyncCore

enum ConflictResolution {
  /// The edits that resolve a conflict so.
  /// - Parameter device: this device, whose value is “mine”.
  /// - Throws: `unknownItem` when it is resolved already or its record is not here, `invalidArguments`
  ///   when the field cannot hold both values.
  static func edits(
    _ transaction: DeviceTransaction, _ id: RecordID, _ choice: ConflictChoice
  ) throws -> [LocalEdit] {
    let (db, noun) = (transaction.db, transaction.rules.noun)
    guard let zone = try ZoneRow.load(db, id.zone),
      let row = try RecordRow.load(db, zone: zone.key, name: id.name),
      row.layers.type == ConflictRecord.recordType, let fields = row.layers.shown,
      let conflict = ConflictRecord(fields)
    else {
      throw RecordsError(
        .unknownItem, "There is no conflict \(id.name) here.",
        hint: "It is already resolved.", record: id.name, reason: "noSuchConflict")
    }
    let subject = RecordID(zone: id.zone, name: conflict.record)
    guard let shown = try RecordRow.load(db, zone: zone.key, name: subject.name)?.layers.shown
    else { throw missing(subject, noun: noun) }
    let done = LocalEdit.delete(id, version: nil)
    let kept = kept(conflict, choice, on: transaction.device)
    if kept == .winning { return [done] }
    guard conflict.kind == .values else {
      // The change stayed, so the other side is the deletion.
      guard kept == .losing else { throw cannotKeepBoth(noun: noun) }
      return [.delete(subject, version: nil), done]
    }
    let changes = try changes(conflict, isBoth: kept == nil, shown)
    return [.save(.init(id: subject, type: conflict.type, changes: changes)), done]
  }

  /// The value that stays; `nil` for both.
  private static func kept(
    _ conflict: ConflictRecord, _ choice: ConflictChoice, on device: DeviceID?
  ) -> ConflictRecord.Value? {
    let mine = conflict.value(ofDevice: device)
    return switch choice {
    case .mine: mine
    case .theirs: mine.other
    case .both: nil
    }
  }

  /// Nothing may be decided about a record that is not here: choosing would destroy the kept value.
  private static func missing(_ subject: RecordID, noun: String) -> RecordsError {
    RecordsError(
      .unknownItem, "The \(noun) is not on this device, so its conflict cannot be resolved.",
      hint:
        "If the \(noun) was deleted, restore it from the trash first; if it was moved, wait until "
        + "this device is synchronized.", record: subject.name, reason: "subjectMissing")
  }

  private static func cannotKeepBoth(noun: String) -> RecordsError {
    RecordsError(
      .invalidArguments, "A \(noun) cannot be both deleted and kept.",
      hint: "Choose mine or theirs.")
  }

  private static func changes(
    _ conflict: ConflictRecord, isBoth: Bool, _ shown: Fields
  ) throws -> FieldChanges {
    guard let field = conflict.field else { return FieldChanges() }
    let value: Value?
    if let entry = conflict.entry {
      value = try entryValue(conflict, isBoth: isBoth, entry: entry, in: shown[field])
    } else {
      value = isBoth ? try both(shown[field], conflict.losing) : conflict.losing
    }
    return value.map { FieldChanges(set: Fields([(field, $0)])) } ?? FieldChanges(removed: [field])
  }

  /// The field with the entry set back, or with a second entry that says what lost.
  private static func entryValue(
    _ conflict: ConflictRecord, isBoth: Bool, entry id: EntryID, in value: Value?
  ) throws -> Value? {
    guard case .entries(var entries) = value, let scalar = conflict.entryField,
      let index = entries.firstIndex(where: { $0.id == id })
    else { return value }
    var changed = entries[index]
    changed.fields[scalar] = conflict.losing
    if !isBoth {
      entries[index] = changed
    } else {
      var fingerprint = Fingerprint()
      fingerprint.add(conflict.name.text)
      let next = entries.indices.contains(index + 1) ? entries[index + 1].position : nil
      let copy = Entry(
        id: EntryID(fingerprint.value),
        position: Position.between(changed.position, next), fields: changed.fields)
      guard !entries.contains(where: { $0.id == copy.id }) else { return value }
      entries.insert(copy, at: index + 1)
    }
    return .entries(entries)
  }

  private static func both(_ shown: Value?, _ losing: Value?) throws -> Value? {
    switch (shown, losing) {
    case (.list(let values), .list(let more)):
      return .list(values + more.filter { !values.contains($0) })
    case (nil, _), (_, nil): return shown ?? losing
    default:
      throw RecordsError(
        .invalidArguments, "This field can have only one value, so both cannot be kept.",
        hint: "Choose mine or theirs.")
    }
  }
}
