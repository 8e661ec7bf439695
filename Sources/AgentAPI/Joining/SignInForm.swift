/// The body that signs the device in: with an account's name, an invitation, or a new key.
package struct SignInForm: Codable, Hashable, Sendable {
  /// The account that the device joins.
  package var account: String?
  /// A key that an administrator created for this device, in place of its own.
  package var key: String?
  /// An invitation to an account on another machine: its link or its code.
  package var invitation: String?
  /// The broker's address, HOST:PORT, in place of the one in the link.
  package var address: String?
  /// What happens to the contacts on the device.
  package var mode: JoinMode?

  package init(
    account: String? = nil, key: String? = nil, invitation: String? = nil, address: String? = nil,
    mode: JoinMode? = nil
  ) {
    self.account = account
    self.key = key
    self.invitation = invitation
    self.address = address
    self.mode = mode
  }

  /// Creates the body that uses an invitation.
  package init(_ join: JoinForm) {
    self.init(invitation: join.invitation, address: join.address, mode: join.mode)
  }

  /// The part about an invitation; `nil` if there is none.
  package var join: JoinForm? {
    invitation.map { JoinForm(invitation: $0, address: address, mode: mode) }
  }
}

extension AgentPath {
  /// The device's sign-in.
  package static let signIn = AgentPath("signin")
  /// The device's sign-out.
  package static let signOut = AgentPath("signout")
}
