// The deletion of records that refer to a deleted record with `deleteSelf`, and of records that refer to
// those, recursively. The store passes in one referring record after the other and writes the tombstones.
// This type decides which records are deleted, in which order, and when to stop. A deleted record is not
// deleted twice, so reference cycles end.
//
// A record that was saved after its parent's deletion is not deleted: the parent had been created again by
// then.

import Records

/// A cascading deletion in progress, breadth first.
package struct Cascade: Sendable {
  /// A deleted record that other records may refer to.
  package struct Parent: Hashable, Sendable {
    /// The name of the deleted record.
    package let name: RecordName
    /// The change tag of its tombstone.
    package let tag: Revision

    package init(name: RecordName, tag: Revision) {
      self.name = name
      self.tag = tag
    }
  }

  /// The records that the cascade has deleted, in order.
  package private(set) var removed: [RecordName] = []
  private var parents: [Parent]
  private var position = 0
  private var head: Revision
  private let history: ZoneHistory
  private let stamp: Stamp
  private let recordsMaximum: Int

  /// Starts a cascade at `parents`, in a zone with a history whose newest revision is `head`. It deletes at most
  /// `recordsMaximum` records; `stamp` is the author and time of their tombstones.
  package init(
    from parents: [Parent], in history: ZoneHistory, head: Revision, stamp: Stamp,
    recordsMaximum: Int
  ) {
    self.parents = parents
    self.history = history
    self.head = head
    self.stamp = stamp
    self.recordsMaximum = recordsMaximum
  }

  /// The parent whose referring records come next. `nil` if the cascade is complete or has deleted the
  /// maximum number of records.
  package var parent: Parent? {
    remainingDeletions > 0 && position < parents.count ? parents[position] : nil
  }

  /// The number of records that the cascade may still delete.
  package var remainingDeletions: Int { recordsMaximum - removed.count }

  /// The deleted records whose referring records have not all been processed.
  package var unfinished: ArraySlice<Parent> { parents[position...] }

  /// Deletes `record` if it refers to the current parent. Returns its tombstone, or `nil` if the record
  /// does not refer to the parent or was saved after the parent's deletion.
  package mutating func take(_ record: Change) -> Change? {
    guard let parent, record.kind == .saved, record.tag < parent.tag,
      record.record.mentions.parents.contains(parent.name)
    else { return nil }
    head = head.next
    removed.append(record.name)
    parents.append(Parent(name: record.name, tag: head))
    return Change(
      name: record.name, tag: head, kind: .deleted, type: record.type, created: record.created,
      modified: stamp, record: .empty, former: history.former(nil, over: record, at: head))
  }

  /// Moves on to the next parent: no more records refer to the current one.
  package mutating func finishedParent() {
    position += 1
  }
}

/// The number of records that a cascade deletes at a time.
package struct CascadeBounds: Hashable, Sendable {
  /// The maximum in the transaction of the deletion itself.
  package let perTransaction: Int
  /// The maximum in each later step.
  package let perStep: Int

  /// Creates bounds. Tests pass small ones to reach the later steps.
  package init(
    perTransaction: Int = Limits.cascadePerTransaction,
    perStep: Int = BrokerLimits.cascadePerStep
  ) {
    self.perTransaction = perTransaction
    self.perStep = perStep
  }
}
