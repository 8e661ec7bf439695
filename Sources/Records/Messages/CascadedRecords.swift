// What a deletion took along: the records that went with the deleted one, by `deleteSelf`. An outcome
// names the first of them; all of them are asked for in pages, by the number of the request.

/// What was deleted because it referred to a deleted record.
package struct CascadedRecords: Hashable, Sendable {
  /// How many were deleted in the same transaction.
  package let count: Int
  /// The first of them, in the order of their tombstones' tags.
  package let names: [RecordName]
  /// Whether there are more: nobody can see them any longer, and following commits delete them.
  package let goesOn: Bool

  /// Nothing referred to the deleted record.
  package static let none = CascadedRecords(count: 0, names: [], goesOn: false)

  /// What a deletion took along.
  package init(count: Int, names: [RecordName], goesOn: Bool) {
    self.count = count
    self.names = names
    self.goesOn = goesOn
  }
}

/// A stretch of what one request deleted in a zone, with what went along, then and since.
package struct CascadedPage: Hashable, Sendable {
  /// A deleted record.
  package struct Item: Hashable, Sendable {
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

  /// The records, by rising tag; those that were made again since are not among them.
  package let items: [Item]
  /// Where the next page begins: behind this tag; `nil` at the end.
  package let next: Revision?
  /// Whether following commits will delete more.
  package let goesOn: Bool

  /// A stretch of what was deleted.
  package init(items: [Item], next: Revision?, goesOn: Bool) {
    self.items = items
    self.next = next
    self.goesOn = goesOn
  }
}
