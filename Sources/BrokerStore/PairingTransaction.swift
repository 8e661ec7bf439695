// Devices of an account: invitations for further ones, what a store keeps of them and when one may be used, and
// requests to remove or rename a device.

import BrokerCore
import Pairing
import Records

/// Invitations for devices and requests about them, inside a transaction.
package protocol PairingTransaction {
  /// Stores an invitation for a device of an account.
  /// - Parameter maker: the row of the device that makes it; `nil` for the administrator.
  /// - Throws: `RecordsError` `limitExceeded` if the account has too many, or `constraintViolation` if the id
  ///   is in use. Then nothing was changed.
  func store(
    _ offer: InvitationOffer, of account: StoreKey, maker: StoreKey?, at now: Timestamp
  ) throws

  /// The invitation with this id, or `nil`.
  func invitation(_ id: InvitationID) throws -> StoredInvitation?

  /// Admits a device's key to the invitation's account, for its first sign-in. From then on the invitation serves
  /// this key alone.
  /// - Returns: `false` if the key is one of another account, or of a removed device. Then nothing was changed.
  func use(
    _ invitation: StoredInvitation, forKeyDigest digest: [UInt8], at now: Timestamp
  ) throws -> Bool

  /// Removes or renames a device of the account of `identity`.
  /// - Throws: `RecordsError` `unknownItem` for a device of another account, `invalidArguments` if a device
  ///   would remove itself, or `constraintViolation` if it would rename a removed one. Then nothing was changed.
  func perform(_ request: DeviceRequest, of identity: SessionIdentity) throws -> DeviceChange
}

/// An invitation's row.
package struct StoredInvitation: Hashable, Sendable {
  /// The key of its proofs, with its id.
  package let key: InvitationKey
  /// The account that a device joins.
  package let account: StoredAccount
  /// The row of the device that made it; `nil` for the administrator.
  package let maker: StoreKey?
  /// When it ends.
  package let expires: Timestamp
  /// The digest of the key of the device that has used it; `nil` if none has.
  package let usedBy: [UInt8]?

  package init(
    key: InvitationKey, account: StoredAccount, maker: StoreKey?, expires: Timestamp,
    usedBy: [UInt8]?
  ) {
    self.key = key
    self.account = account
    self.maker = maker
    self.expires = expires
    self.usedBy = usedBy
  }
}

extension StoredInvitation {
  /// How long after its end the device that used an invitation may repeat its request.
  private static let repetitionSeconds: Int64 = 600

  /// Returns why a device may not join by the invitation; `nil` if it may.
  ///
  /// The sentences may differ: a client that knows the invitation's id has its code.
  func objection(
    to request: JoinRequest, brokerKeyDigest: [UInt8], at now: Timestamp
  ) -> RecordsError? {
    guard
      key.isProof(
        request.proof, of: .device, brokerKeyDigest: brokerKeyDigest,
        deviceKeyDigest: request.deviceKeyDigest)
    else {
      return RecordsError(
        .permissionFailure, "The proof of the invitation is wrong.",
        hint: "Another machine may be between the device and the broker. Use another network.",
        reason: "wrongProof")
    }
    if let usedBy, usedBy != request.deviceKeyDigest {
      return RecordsError(
        .permissionFailure, "The invitation has been used by another device.",
        hint: "Create a new one, and check the list of devices.", reason: "usedInvitation")
    }
    // The device that used it may ask again for a while: its answer may have been lost.
    let end = usedBy == nil ? expires : expires.adding(seconds: Self.repetitionSeconds)
    guard now < end else { return .expiredInvitation }
    guard !account.isDisabled else {
      return RecordsError(
        .notAuthenticated, "The account “\(account.name)” is disabled.",
        hint: "Ask the administrator.", reason: "disabled")
    }
    return nil
  }
}

extension RecordsError {
  static let expiredInvitation = RecordsError(
    .permissionFailure, "The invitation has expired.", hint: "Create a new one.",
    reason: "expiredInvitation")

  static let foreignKey = RecordsError(
    .permissionFailure,
    "This device's key belongs to another account of the broker, or to a removed device.",
    hint: "Sign out on the device, which makes a new key, and join again.", reason: "otherAccount")

  static let unknownInvitation = RecordsError(
    .unknownItem, "The broker does not know this invitation.",
    hint: "It may be for another broker, or it expired more than a day ago.",
    reason: "unknownInvitation")
}
