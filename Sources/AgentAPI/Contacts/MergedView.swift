/// The result of a merge.
package struct MergedView: Codable, Hashable, Sendable {
  package var schema = 1
  /// The contact that was kept.
  package var id: String
  /// The contact that was deleted.
  package var deleted: String
  /// The values that the kept contact has in another place.
  package var moved: [Moved]
  /// What the contact would be; only with `dryRun`.
  package var contact: ContactItem?

  package init(id: String, deleted: String, moved: [Moved], contact: ContactItem? = nil) {
    self.id = id
    self.deleted = deleted
    self.moved = moved
    self.contact = contact
  }

  /// A property of which both contacts had a value.
  package struct Moved: Codable, Hashable, Sendable {
    package var field: String
    /// The value that stayed.
    package var kept: String
    /// The value of the deleted contact.
    package var other: String
    /// The property that has the other value now.
    package var to: String

    package init(field: String, kept: String, other: String, to: String) {
      self.field = field
      self.kept = kept
      self.other = other
      self.to = to
    }
  }
}
