// What resolving a conflict does: an ordinary edit of the record it is about, and the deletion of
// the conflict's own record, as one action.

import GRDB
import Records
import SyncCore

enum ConflictResolution {
  /// The edits that resolve a conflict so.
  /// - Throws: `unknownItem` when it is resolved already, `invalidArguments` when the field cannot
  ///   hold both values.
  static func edits(
    _ db: Database, _ id: RecordID, _ choice: ConflictChoice
  ) throws -> [LocalEdit] {
    guard let zone = try ZoneRow.load(db, id.zone),
      let row = try RecordRow.load(db, zone: zone.key, name: id.name),
      row.layers.type == Conflict.recordType, let fields = row.layers.shown,
      let conflict = Conflict(fields)
    else {
      throw RecordsError(
        .unknownItem, "There is no conflict \(id.name) here.", hint: "It was resolved already.")
    }
    let done = LocalEdit.delete(id, version: nil)
    let record = try RecordRow.load(db, zone: zone.key, name: conflict.record)
    guard choice != .theirs, let shown = record?.layers.shown else { return [done] }
    let subject = RecordID(zone: id.zone, name: conflict.record)
    switch conflict.kind {
    // The change that stayed is what the record shows; “mine” was the deletion only when it was
    // made here.
    case .deletedThere: return choice == .mine ? [done] : [.delete(subject, version: nil), done]
    case .deletedHere: return choice == .mine ? [.delete(subject, version: nil), done] : [done]
    case .values:
      let changes = try changes(conflict, choice, shown)
      return [.save(.init(id: subject, type: conflict.type, changes: changes)), done]
    }
  }

  private static func changes(
    _ conflict: Conflict, _ choice: ConflictChoice, _ shown: Fields
  ) throws -> FieldChanges {
    guard let field = conflict.field else { return FieldChanges() }
    let value: Value?
    if let entry = conflict.entry {
      value = try entryValue(conflict, choice, entry: entry, in: shown[field])
    } else if choice == .mine {
      value = conflict.losing
    } else {
      value = try both(shown[field], conflict.losing)
    }
    return value.map { FieldChanges(set: Fields([(field, $0)])) } ?? FieldChanges(removed: [field])
  }

  /// The field with the entry set back, or with a second entry that says what lost.
  private static func entryValue(
    _ conflict: Conflict, _ choice: ConflictChoice, entry id: EntryID, in value: Value?
  ) throws -> Value? {
    guard case .entries(var entries) = value, let scalar = conflict.entryField,
      let index = entries.firstIndex(where: { $0.id == id })
    else { return value }
    var changed = entries[index]
    changed.fields[scalar] = conflict.losing
    if choice == .mine {
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
        .invalidArguments, "This field holds one value, so it cannot keep both.",
        hint: "Choose mine or theirs.")
    }
  }
}
