// Enforces that a saved record's parents, the records it refers to with `deleteSelf`, exist. The check runs
// after all operations of a group. A group may therefore save records in any order, and may remove a
// reference and delete the former parent together.

import Records

/// The parents of the records that one group saves.
struct ParentCheck {
  private struct Save {
    let operation: Int
    let fields: EncodedRecord
    /// The parents that the record names.
    let parents: [RecordName]
    /// The parents that it named before the group.
    let before: [RecordName]
  }

  let zone: ZoneID
  /// The last save of each record that names, or named, a parent.
  private var saves: [RecordName: Save] = [:]

  /// Whether no save of the group was recorded.
  var isEmpty: Bool { saves.isEmpty }

  init(zone: ZoneID) {
    self.zone = zone
  }

  /// Records the parents of a record as it will be stored. `before` are those of its stored version.
  /// - Throws: `limitExceeded` if there are too many, unless the same ones were stored before.
  mutating func note(
    _ parents: [RecordName], of record: RecordName, _ fields: EncodedRecord,
    before: [RecordName], operation: Int
  ) throws(OperationFailure) {
    guard parents.count <= Limits.parentsPerRecord || parents == before else {
      var error = RecordsError.limit(
        "Parents of a record", limit: Limits.parentsPerRecord,
        actual: parents.count)
      error.record = record
      throw OperationFailure(error: error)
    }
    saves[record] = Save(
      operation: operation, fields: fields, parents: parents,
      before: saves[record]?.before ?? before)
  }

  /// Returns the index of the first operation that refers to a missing parent, and its error.
  /// - Parameters:
  ///   - touched: the records that the group changed, in their new states.
  ///   - known: the states, before the group, of all records that the request names.
  ///   - gathered: the states of all other parents.
  func violation(
    touched: [RecordID: Change], known: [RecordID: Change], gathered: ReferenceTargets
  ) -> (operation: Int, failure: OperationFailure)? {
    for (record, save) in saves.sorted(by: { $0.value.operation < $1.value.operation }) {
      // The group deleted the record again, so its parents do not matter.
      if touched[RecordID(zone: zone, name: record)]?.kind == .deleted { continue }
      for parent in save.parents where parent != record {
        let id = RecordID(zone: zone, name: parent)
        let state = parentState(of: id, in: save, newest: touched[id] ?? known[id], gathered)
        if state == .exists { continue }
        let failure = refusal(of: record, save, parent, wasDeleted: state == .deleted)
        return (save.operation, failure)
      }
    }
    return nil
  }

  private func parentState(
    of parent: RecordID, in save: Save, newest: Change?, _ gathered: ReferenceTargets
  ) -> ReferenceTargets.State? {
    if let newest {
      return newest.kind == .saved && !gathered.hides(newest, parent) ? .exists : .deleted
    }
    // A parent that the record named before, and that this request does not concern, may stay.
    return save.before.contains(parent.name) ? .exists : gathered.state(of: parent)
  }

  private func refusal(
    of record: RecordName, _ save: Save, _ parent: RecordName, wasDeleted: Bool
  ) -> OperationFailure {
    let field = (try? save.fields.fields())?.field(referencingParent: parent)
    return OperationFailure(
      error: RecordsError(
        .referenceViolation,
        "Record \(record) refers to record \(parent), which "
          + (wasDeleted ? "was deleted." : "does not exist."),
        hint: wasDeleted
          ? "Restore that record first, or remove the reference."
          : "Save that record first, or together with this one.",
        record: record, field: field?.text,
        reason: wasDeleted ? "parentDeleted" : "parentMissing"))
  }
}
