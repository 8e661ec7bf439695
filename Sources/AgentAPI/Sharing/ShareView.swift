import Records

/// The share of a group, with its link if this device has it.
package struct ShareView: Codable, Hashable, Sendable {
  package var schema = 1
  /// The id of the group.
  package var id: String
  package var title: String
  /// The permission of accounts with the link: `none`, `readOnly` or `readWrite`.
  package var anyone: String
  /// The link; `nil` if it cannot be used or is on another device.
  package var link: String?
  /// `valid`, `expired`, `usedUp` or `revoked`; `nil` for an account that does not manage the share.
  package var linkStanding: String?
  package var linkExpires: Timestamp?
  /// The number of accounts that can still join with the link.
  package var linkUsesLeft: Int?
  package var linkIsElsewhere: Bool
  package var participants: [ParticipantItem]
  package var requests: [AccessRequestItem]

  package init(
    id: String, title: String, anyone: String, link: String? = nil, linkStanding: String? = nil,
    linkExpires: Timestamp? = nil, linkUsesLeft: Int? = nil, linkIsElsewhere: Bool = false,
    participants: [ParticipantItem] = [], requests: [AccessRequestItem] = []
  ) {
    self.id = id
    self.title = title
    self.anyone = anyone
    self.link = link
    self.linkStanding = linkStanding
    self.linkExpires = linkExpires
    self.linkUsesLeft = linkUsesLeft
    self.linkIsElsewhere = linkIsElsewhere
    self.participants = participants
    self.requests = requests
  }
}

extension AgentPath {
  /// The share of a group.
  package static func share(ofGroup id: String = anyID) -> AgentPath {
    AgentPath("groups", id, "share")
  }

  /// The link of a group's share.
  package static func link(ofGroup id: String = anyID) -> AgentPath {
    AgentPath("groups", id, "share", "link")
  }

  /// Leaving a group of another account.
  package static func leave(group id: String = anyID) -> AgentPath {
    AgentPath("groups", id, "leave")
  }
}
