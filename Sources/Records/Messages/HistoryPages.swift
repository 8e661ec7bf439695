/// A page of a record's earlier versions, most recent first.
package struct HistoryPage: Hashable, Sendable {
  /// A version that is no longer the newest.
  package struct State: Hashable, Sendable {
    /// The version; its tag is the revision that produced it.
    package let change: Change
    /// When the next version replaced it, by the broker's clock.
    package let superseded: Timestamp

    package init(change: Change, superseded: Timestamp) {
      self.change = change
      self.superseded = superseded
    }
  }

  /// The versions, by descending tag.
  package let states: [State]
  /// Whether no older version is retained.
  package let isWhole: Bool

  package init(states: [State], isWhole: Bool) {
    self.states = states
    self.isWhole = isWhole
  }
}

/// A page of a zone's deleted records, most recent first.
package struct TrashPage: Hashable, Sendable {
  /// A deleted record.
  package struct Item: Hashable, Sendable {
    /// The tombstone, with the deletion's time, author and tag.
    package let tombstone: Change
    /// The record's last version.
    package let last: Change

    package init(tombstone: Change, last: Change) {
      self.tombstone = tombstone
      self.last = last
    }
  }

  /// The records, by descending tag of their tombstones.
  package let items: [Item]
  /// The value of `below` for the next page, a tombstone's tag; `nil` on the last page.
  package let next: Revision?

  package init(items: [Item], next: Revision?) {
    self.items = items
    self.next = next
  }
}
