/// The body that invites an account.
package struct ParticipantInvitationForm: Codable, Hashable, Sendable {
  /// The account's name.
  package var name: String
  /// `readOnly` or `readWrite`; `nil` for the permission that was chosen when the group was shared.
  package var permission: String?

  package init(name: String, permission: String? = nil) {
    self.name = name
    self.permission = permission
  }
}
