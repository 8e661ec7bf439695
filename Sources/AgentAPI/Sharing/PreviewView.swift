/// The group of a link, before and after it is accepted.
package struct PreviewView: Codable, Hashable, Sendable {
  package var schema = 1
  /// The id of the group.
  package var id: String
  package var title: String
  /// The name of the owner's account.
  package var owner: String
  /// The owner's display name.
  package var ownerDisplayName: String
  /// `readOnly` or `readWrite`.
  package var permission: String
  /// The number of contacts.
  package var contacts: Int
  /// Whether the account is already a participant.
  package var accepted: Bool

  package init(
    id: String, title: String, owner: String, ownerDisplayName: String, permission: String,
    contacts: Int, accepted: Bool
  ) {
    self.id = id
    self.title = title
    self.owner = owner
    self.ownerDisplayName = ownerDisplayName
    self.permission = permission
    self.contacts = contacts
    self.accepted = accepted
  }
}

extension AgentPath {
  /// The preview of a link.
  package static let sharePreview = AgentPath("shares", "preview")
  /// The acceptance of a link.
  package static let shareAcceptance = AgentPath("shares", "accept")
  /// The request for access by a link that no longer works.
  package static let shareRequest = AgentPath("shares", "request")
  /// The refusal of an invitation.
  package static let shareRefusal = AgentPath("shares", "decline")
}
