/// The body that examines or uses an invitation.
package struct JoinForm: Codable, Hashable, Sendable {
  /// The link or the code.
  package var invitation: String
  /// The broker's address, HOST:PORT, in place of the one in the link.
  package var address: String?
  /// What happens to the contacts on the device.
  package var mode: JoinMode?

  package init(invitation: String, address: String? = nil, mode: JoinMode? = nil) {
    self.invitation = invitation
    self.address = address
    self.mode = mode
  }
}
