// What goes with a deleted record, level by level: whoever refers to it with `deleteSelf`, whoever
// refers to those, and so on. The store hands over one record after the other and writes what it is
// told; which of them are deleted, under which tags, and where it ends is decided here. A record is
// met once however many ways lead to it, because a deleted one no longer counts, so rings end.
//
// What was saved after its parent's deletion is not taken along: the parent was made anew by then.

import Records

/// A deletion on its way down.
package struct Cascade: Sendable {
  /// A deleted record that others may refer to.
  package struct Parent: Hashable, Sendable {
    /// The record.
    package let name: RecordName
    /// Its tombstone's tag.
    package let tag: Revision

    /// A deleted record.
    package init(name: RecordName, tag: Revision) {
      self.name = name
      self.tag = tag
    }
  }

  /// The records that were deleted on the way, in order.
  package private(set) var removed: [RecordName] = []
  private var parents: [Parent]
  private var position = 0
  private var head: Revision
  private let stamp: Stamp
  private let recordsMaximum: Int

  /// Begins at `parents`, in a zone whose head is `head`, and deletes at most `recordsMaximum`, each by
  /// `stamp`.
  package init(
    from parents: [Parent], head: Revision, stamp: Stamp, recordsMaximum: Int
  ) {
    self.parents = parents
    self.head = head
    self.stamp = stamp
    self.recordsMaximum = recordsMaximum
  }

  /// Whose referring records are wanted next; `nil` when it is done, or no more may be deleted.
  package var parent: Parent? {
    roomCount > 0 && position < parents.count ? parents[position] : nil
  }

  /// How many more may be deleted.
  package var roomCount: Int { recordsMaximum - removed.count }

  /// The deleted records that were not looked at to the end.
  package var unfinished: ArraySlice<Parent> { parents[position...] }

  /// Takes a record that is said to refer to the parent. Returns its tombstone; `nil` where the
  /// record stays, because it does not.
  package mutating func take(_ record: Change) -> Change? {
    guard let parent, record.kind == .saved, record.tag < parent.tag,
      record.record.mentions.parents.contains(parent.name)
    else { return nil }
    head = head.next
    removed.append(record.name)
    parents.append(Parent(name: record.name, tag: head))
    return Change(
      name: record.name, tag: head, kind: .deleted, type: record.type, created: record.created,
      modified: stamp, record: .empty)
  }

  /// Nothing more refers to the parent.
  package mutating func finishedParent() {
    position += 1
  }
}

/// How much of a cascade is done at a time.
package struct CascadeBounds: Hashable, Sendable {
  /// The records that deletions take along in their own transaction.
  package let perTransaction: Int
  /// Those that are deleted in each step behind it.
  package let perStep: Int

  /// Bounds; tests of what lies behind them want small ones.
  package init(
    perTransaction: Int = Limits.cascadePerTransaction,
    perStep: Int = BrokerLimits.cascadePerStep
  ) {
    self.perTransaction = perTransaction
    self.perStep = perStep
  }
}
