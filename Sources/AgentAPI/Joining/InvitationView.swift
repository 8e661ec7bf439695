import Records

/// A new invitation for another device of the account. Anyone who has it can join.
package struct InvitationView: Codable, Hashable, Sendable {
  package var schema = 1
  package var link: String
  package var code: String
  /// When it expires, by the broker's clock.
  package var expires: Timestamp
  /// How long it can be used.
  package var seconds: Int64

  package init(link: String, code: String, expires: Timestamp, seconds: Int64) {
    self.link = link
    self.code = code
    self.expires = expires
    self.seconds = seconds
  }
}

extension AgentPath {
  /// The examination of an invitation.
  package static let invitation = AgentPath("invitation")
  /// The invitations for other devices of the account.
  package static let deviceInvitation = AgentPath("devices", "invitation")
}
