// Messages with which a device on another machine joins an account by an invitation, and with which
// invitations are made. The proofs are described in docs/protocol.md.

/// Asks the broker to admit a device's key to an account. Sent instead of a hello.
package struct JoinRequest: Hashable, Sendable {
  /// The invitation.
  package let invitation: InvitationID
  /// The SHA-256 of the device's key.
  package let deviceKeyDigest: [UInt8]
  /// The device's proof that it knows the invitation's code.
  package let proof: [UInt8]
  /// Whether to admit the key. If not, the broker answers and changes nothing.
  package let isFinal: Bool

  /// The length of digests and proofs in bytes.
  package static let digestBytes = 32

  package init(
    invitation: InvitationID, deviceKeyDigest: [UInt8], proof: [UInt8], isFinal: Bool
  ) {
    self.invitation = invitation
    self.deviceKeyDigest = deviceKeyDigest
    self.proof = proof
    self.isFinal = isFinal
  }
}

/// The answer to a join request.
package struct Joined: Hashable, Sendable {
  /// The name of the account to which the invitation belongs.
  package let accountName: String
  /// The broker's proof that it knows the invitation. The device must check it before it trusts the
  /// broker's key.
  package let proof: [UInt8]

  package init(accountName: String, proof: [UInt8]) {
    self.accountName = accountName
    self.proof = proof
  }
}

/// An invitation that is being made. Its code stays with the one who makes it.
package struct InvitationOffer: Hashable, Sendable {
  /// The invitation's id, derived from its code.
  package let id: InvitationID
  /// The key of its proofs, derived from its code; 32 bytes.
  package let key: [UInt8]
  /// How long it can be used.
  package let seconds: Int64

  /// How long an invitation can be used unless another time is chosen.
  package static let standardSeconds: Int64 = 600
  /// The longest time for which an invitation can be used.
  package static let secondsMaximum: Int64 = 86_400

  package init(id: InvitationID, key: [UInt8], seconds: Int64 = Self.standardSeconds) {
    self.id = id
    self.key = key
    self.seconds = seconds
  }
}
