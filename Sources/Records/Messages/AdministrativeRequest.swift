/// A request of an administrator to a running broker. The broker accepts it only from its own user
/// and from root, on a connection that has not sent a hello.
package enum AdministrativeRequest: Hashable, Sendable {
  /// Creates an account. If `uid` is given, that user of the machine signs in as the account.
  case addAccount(name: String, uid: UInt32?)
  /// Lets a user of the machine sign in to an existing account, besides the account's own user, or ends that. Devices that
  /// have signed in stay.
  case allowUser(UInt32, account: String, isAllowed: Bool)
  /// Disables or enables an account. A disabled account cannot sign in.
  case setAccount(name: String, isDisabled: Bool)
  /// Revokes a device permanently. To use the machine again, its user signs in as a new device.
  case revokeDevice(DeviceID)
  /// Replaces a device's key by one with this SHA-256 digest. The former key is rejected from then
  /// on.
  case rotateKey(DeviceID, digest: [UInt8])
  /// Creates the namespace of an application.
  case addContainer(name: String)
  /// Deletes an account with everything it owns, permanently. Its name becomes available.
  case deleteAccount(name: String)
  /// Makes an invitation for a device of an account.
  case invite(account: String, InvitationOffer)
  /// Confirms that the clock is correct, so that the broker resumes expiring old data.
  case confirmClock
}
