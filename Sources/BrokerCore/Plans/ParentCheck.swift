// The rule that nothing is saved to go with a record that is not there. It is asked when a group is
// decided, not at each save, so that records of one group may come in any order, and so that one may
// be taken away from its parent and the parent be deleted in one breath.

import Records

/// What the saves of one group want to go with.
struct ParentCheck {
  private struct Wish {
    let operation: Int
    let fields: EncodedRecord
    /// Every parent that the record names.
    let parents: [RecordName]
    /// Those it named before the group too.
    let before: [RecordName]
  }

  let zone: ZoneID
  /// The last save of each record counts.
  private var wishes: [RecordName: Wish] = [:]

  /// Whether nothing goes with anything.
  var isEmpty: Bool { wishes.isEmpty }

  init(zone: ZoneID) {
    self.zone = zone
  }

  /// Notes what a record names, as it will be stored; `before` is what it named until now.
  /// - Throws: `limitExceeded` where that is too much, and was not so before.
  mutating func note(
    _ parents: [RecordName], of record: RecordName, _ fields: EncodedRecord,
    before: [RecordName], operation: Int
  ) throws(OperationFailure) {
    guard parents.count <= Limits.parentsPerRecord || parents == before else {
      var error = RecordsError.limit(
        "Records that one record goes with", limit: Limits.parentsPerRecord,
        actual: parents.count)
      error.record = record
      throw OperationFailure(error: error)
    }
    wishes[record] = Wish(
      operation: operation, fields: fields, parents: parents,
      before: wishes[record]?.before ?? before)
  }

  /// The first operation that cannot be, and why. `touched` are records as the group leaves them,
  /// `known` others that the request is about, `gathered` what was found of the rest.
  func violation(
    touched: [RecordID: Change], known: [RecordID: Change], gathered: GatheredReferences
  ) -> (operation: Int, failure: OperationFailure)? {
    for (record, wish) in wishes.sorted(by: { $0.value.operation < $1.value.operation }) {
      // Who was deleted again in the same group binds nobody.
      if touched[RecordID(zone: zone, name: record)]?.kind == .deleted { continue }
      for parent in wish.parents where parent != record {
        let id = RecordID(zone: zone, name: parent)
        let standing = standing(of: id, in: wish, state: touched[id] ?? known[id], gathered)
        if standing == .there { continue }
        let failure = refusal(of: record, wish, parent, wasThere: standing == .deleted)
        return (wish.operation, failure)
      }
    }
    return nil
  }

  private func standing(
    of parent: RecordID, in wish: Wish, state: Change?, _ gathered: GatheredReferences
  ) -> GatheredReferences.Standing? {
    if let state {
      return state.kind == .saved && !gathered.hides(state, parent) ? .there : .deleted
    }
    // What it named before, and this request is not about, it may go on naming.
    return wish.before.contains(parent.name) ? .there : gathered.standing(of: parent)
  }

  private func refusal(
    of record: RecordName, _ wish: Wish, _ parent: RecordName, wasThere: Bool
  ) -> OperationFailure {
    let field = (try? wish.fields.fields())?.field(referencingParent: parent)
    return OperationFailure(
      error: RecordsError(
        .referenceViolation,
        "Record \(record) goes with record \(parent), which "
          + (wasThere ? "was deleted." : "is not there."),
        hint: wasThere
          ? "Restore that record first, or remove the reference."
          : "Save that one first, or in the same group.",
        record: record, field: field?.text,
        reason: wasThere ? "parentDeleted" : "parentMissing"))
  }
}
