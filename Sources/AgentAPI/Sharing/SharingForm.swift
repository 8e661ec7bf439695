/// The body that shares a group, or changes its share.
package struct SharingForm: Codable, Hashable, Sendable {
  /// The permission of accounts with the link: `none`, `readOnly` or `readWrite`; `nil` leaves it unchanged.
  package var anyone: String?
  /// The permission of invited accounts: `readOnly` or `readWrite`.
  package var permission: String?
  /// The names of accounts to invite.
  package var invite: [String]?
  /// How long the link is valid; `nil` for ever.
  package var expiresSeconds: Int64?
  /// How many accounts can join with the link; `nil` for any number.
  package var uses: Int?

  package init(
    anyone: String? = nil, permission: String? = nil, invite: [String]? = nil,
    expiresSeconds: Int64? = nil, uses: Int? = nil
  ) {
    self.anyone = anyone
    self.permission = permission
    self.invite = invite
    self.expiresSeconds = expiresSeconds
    self.uses = uses
  }

  /// The part about the link.
  package var link: ShareLinkForm { ShareLinkForm(expiresSeconds: expiresSeconds, uses: uses) }
}
