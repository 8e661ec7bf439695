// What the broker tells of the past: a record's earlier states and what a zone's trash holds, in
// pages, the latest first.

/// A stretch of a record's history.
package struct HistoryPage: Hashable, Sendable {
  /// A state that is no longer the newest.
  package struct State: Hashable, Sendable {
    /// The state; its tag is the revision that made it so.
    package let change: Change
    /// When the next state took its place, by the broker's clock.
    package let superseded: Timestamp

    /// An earlier state.
    package init(change: Change, superseded: Timestamp) {
      self.change = change
      self.superseded = superseded
    }
  }

  /// The states, by falling tag.
  package let states: [State]
  /// Whether nothing older is kept.
  package let isWhole: Bool

  /// A stretch of a history.
  package init(states: [State], isWhole: Bool) {
    self.states = states
    self.isWhole = isWhole
  }
}

/// A stretch of a zone's trash.
package struct TrashPage: Hashable, Sendable {
  /// A deleted record.
  package struct Item: Hashable, Sendable {
    /// The deletion: when, by whom, under which tag.
    package let tombstone: Change
    /// The record's last state.
    package let last: Change

    /// A deleted record and what it was.
    package init(tombstone: Change, last: Change) {
      self.tombstone = tombstone
      self.last = last
    }
  }

  /// The records, by falling tag of their tombstones.
  package let items: [Item]
  /// Where the next page begins: below this tombstone's tag; `nil` at the end.
  package let next: Revision?

  /// A stretch of a trash.
  package init(items: [Item], next: Revision?) {
    self.items = items
    self.next = next
  }
}
