import Records

/// A page of the trash.
package struct TrashView: Codable, Hashable, Sendable {
  package var schema = 1
  package var trash: [Discarded]
  /// Whether the broker has answered.
  package var complete: Bool
  /// The cursor of the next page; `nil` at the end.
  package var next: String?

  package init(trash: [Discarded], complete: Bool, next: String?) {
    self.trash = trash
    self.complete = complete
    self.next = next
  }

  /// The key of the list, for joining pages without decoding them.
  package static let listKey = CodingKeys.trash.stringValue

  /// A deleted contact.
  package struct Discarded: Codable, Hashable, Sendable {
    package var id: String
    package var name: String
    /// The id of the group that it was in.
    package var group: String
    /// The time of the deletion.
    package var deleted: Timestamp
    package var by: AuthorView
    /// Whether the broker has the deletion.
    package var synced: Bool

    package init(
      id: String, name: String, group: String, deleted: Timestamp, by: AuthorView, synced: Bool
    ) {
      self.id = id
      self.name = name
      self.group = group
      self.deleted = deleted
      self.by = by
      self.synced = synced
    }
  }
}

extension AgentPath {
  /// The deleted contacts.
  package static let trash = AgentPath("trash")

  /// The restoration of a deleted contact.
  package static func restore(fromTrash id: String = anyID) -> AgentPath {
    AgentPath("trash", id, "restore")
  }
}
