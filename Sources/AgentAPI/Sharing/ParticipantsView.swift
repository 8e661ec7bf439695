/// The participants of a share, the owner first.
package struct ParticipantsView: Codable, Hashable, Sendable {
  package var schema = 1
  package var participants: [ParticipantItem]

  package init(participants: [ParticipantItem]) {
    self.participants = participants
  }
}

extension AgentPath {
  /// A segment that stands for any account name in the pattern of a route.
  package static let anyName = ":name"

  /// The participants of a group.
  package static func participants(ofGroup id: String = anyID) -> AgentPath {
    AgentPath("groups", id, "participants")
  }

  /// A participant of a group, by the account's name or id.
  package static func participant(
    _ name: String = anyName, ofGroup id: String = anyID
  ) -> AgentPath {
    AgentPath("groups", id, "participants", name)
  }
}
