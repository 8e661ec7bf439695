/// A group of contacts.
package struct GroupItem: Codable, Hashable, Sendable {
  package var id: String
  package var title: String
  /// The account's role: `owner`, `administrator` or `participant`.
  package var role: String
  package var writable: Bool
  /// `readWrite` or `readOnly`.
  package var permission: String
  /// The name of the owner's account; empty until the account of this device is known.
  package var owner: String
  /// The owner's display name.
  package var ownerDisplayName: String
  /// Whether the group is shared with others, or belongs to another account.
  package var shared: Bool
  /// The number of contacts.
  package var contacts: Int
  /// Whether the broker has the group with this title.
  package var synced: Bool

  /// Whether it is the group that every account has. Its id has only zeros.
  package var isDefault: Bool { id.allSatisfy { $0 == "0" } }

  /// Whether the account may delete the group.
  package var canBeDeleted: Bool { role == "owner" && !isDefault }

  package init(
    id: String, title: String, role: String, writable: Bool, permission: String, owner: String,
    ownerDisplayName: String, shared: Bool, contacts: Int, synced: Bool
  ) {
    self.id = id
    self.title = title
    self.role = role
    self.writable = writable
    self.permission = permission
    self.owner = owner
    self.ownerDisplayName = ownerDisplayName
    self.shared = shared
    self.contacts = contacts
    self.synced = synced
  }
}
