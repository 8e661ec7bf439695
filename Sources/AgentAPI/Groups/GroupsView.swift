/// The groups.
package struct GroupsView: Codable, Hashable, Sendable {
  package var schema = 1
  package var groups: [GroupItem]

  package init(groups: [GroupItem]) {
    self.groups = groups
  }
}

extension AgentPath {
  /// The list of groups.
  package static let groups = AgentPath("groups")

  /// A group, by id or title.
  package static func group(_ id: String = anyID) -> AgentPath { AgentPath("groups", id) }

  /// The contacts of a group, to which others can be moved.
  package static func contacts(ofGroup id: String = anyID) -> AgentPath {
    AgentPath("groups", id, "contacts")
  }
}

extension AgentQuery {
  /// What becomes of the contacts of a deleted group: `keep` or `delete`.
  package static let contacts = "contacts"
}
