import Records

/// A page of the trash.
package struct TrashView: Codable, Hashable, Sendable {
  package var schema = 1
  package var trash: [Discarded]
  /// The deleted groups, on the first page only.
  package var groups: [DiscardedGroup]
  /// Whether the broker has answered.
  package var complete: Bool
  /// The cursor of the next page; `nil` at the end.
  package var next: String?

  package init(
    trash: [Discarded], groups: [DiscardedGroup] = [], complete: Bool, next: String?
  ) {
    self.trash = trash
    self.groups = groups
    self.complete = complete
    self.next = next
  }

  /// The key of the list, for joining pages without decoding them.
  package static let listKey = CodingKeys.trash.stringValue

  /// A group that was deleted with its contacts.
  package struct DiscardedGroup: Codable, Hashable, Sendable {
    package var id: String
    package var title: String
    /// The number of contacts in it, with open conflicts.
    package var contacts: Int
    /// The time of the deletion.
    package var deleted: Timestamp

    package init(id: String, title: String, contacts: Int, deleted: Timestamp) {
      self.id = id
      self.title = title
      self.contacts = contacts
      self.deleted = deleted
    }
  }

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
  /// The deleted contacts and groups.
  package static let trash = AgentPath("trash")

  /// The restoration of a deleted contact.
  package static func restore(fromTrash id: String = anyID) -> AgentPath {
    AgentPath("trash", id, "restore")
  }

  /// The restoration of a deleted group.
  package static func restoredGroup(_ id: String = anyID) -> AgentPath {
    AgentPath("groups", id, "restore")
  }
}

/// A group that the broker was asked to restore.
package struct RestoredGroupView: Codable, Hashable, Sendable {
  package var schema = 1
  /// The group, as the trash listed it.
  package var group: TrashView.DiscardedGroup

  /// Answers for a group of the trash.
  package init(group: TrashView.DiscardedGroup) { self.group = group }
}
