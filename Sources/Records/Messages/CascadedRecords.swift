// The records that a deletion removed because they referred to the deleted one with `deleteSelf`.
// An outcome names the first of them; clients request all of them in pages by the number of the
// request.

/// A summary of the records that a cascading deletion removed.
package struct CascadedRecords: Hashable, Sendable {
  /// The number of records deleted in the same transaction.
  package let count: Int
  /// The first of their names, in the order of their tombstones' tags.
  package let names: [RecordName]
  /// Whether the cascade deletes more records in following commits. They can no longer be read.
  package let goesOn: Bool

  /// No record referred to the deleted one.
  package static let none = CascadedRecords(count: 0, names: [], goesOn: false)

  package init(count: Int, names: [RecordName], goesOn: Bool) {
    self.count = count
    self.names = names
    self.goesOn = goesOn
  }
}

/// A page of the records that one request deleted in a zone, including cascading deletions up to
/// now.
package struct CascadedPage: Hashable, Sendable {
  /// A deleted record.
  package struct Item: Hashable, Sendable {
    /// The record's name.
    package let name: RecordName
    /// The tombstone's tag.
    package let tag: Revision

    package init(name: RecordName, tag: Revision) {
      self.name = name
      self.tag = tag
    }
  }

  /// The records by ascending tag, without those that were created again.
  package let items: [Item]
  /// The value of `after` for the next page; `nil` on the last page.
  package let next: Revision?
  /// Whether following commits will delete more records.
  package let goesOn: Bool

  package init(items: [Item], next: Revision?, goesOn: Bool) {
    self.items = items
    self.next = next
    self.goesOn = goesOn
  }
}
