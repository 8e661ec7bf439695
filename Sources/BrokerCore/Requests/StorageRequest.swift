import Records

/// A request for the storage thread. Results are returned in the order of the requests.
///
/// Everything that must happen in commit order passes through this thread, including the reads that a feed
/// continues from: sign-in and attaching. Other reads run concurrently with the commits; see `ReadRequest`.
package enum StorageRequest: Sendable {
  /// A device asks to sign in. A new device, and possibly its account, are created.
  case signIn(SignInRequest, ConnectionID)
  /// An administrator's request, on a connection that is not signed in.
  case administer(AdministrativeRequest, ConnectionID, replyTo: UInt64)
  /// A remote client's request to join an account by an invitation.
  case join(JoinRequest, brokerKeyDigest: [UInt8], ConnectionID, replyTo: UInt64)
  /// A signed-in device's request.
  case client(StorageOperation, RequestContext)
  /// The state of asset files: those found missing or damaged, and those found intact again.
  case recordAssets(lost: [AssetDigest], found: [AssetDigest])
  /// One step of a maintenance job.
  case maintain(MaintenanceStep)
}

/// A signed-in device's request to the storage thread.
package enum StorageOperation: Sendable {
  /// Save and delete records and zones.
  case modify(ModifyRequest)
  /// Delete the stored outcomes up to a number, which the device has received.
  case acknowledge(RequestNumber)
  /// Look up the zones to follow.
  case attach([ZonePosition])
  /// Find out whether the account has a file.
  case offerAsset(Asset)
  /// Register a file that is complete on the disk.
  case registerAsset(Asset, UploadID)
  /// Save a subscription. Its zone names the owner.
  case saveSubscription(SubscriptionForm)
  case deleteSubscription(SubscriptionID)
  /// Record which notifications the device has, and find where delivery resumes.
  case followNotifications(NotificationNumber)
  /// Change or look up a share. `linkDigest` is the digest of the link's secret, if the request has one.
  case share(SharingRequest, linkDigest: [UInt8]?)
  /// Change the account's profile.
  case account(AccountRequest)
  /// Make an invitation for another device of the account.
  case invite(InvitationOffer)
  /// Remove or rename a device of the account.
  case device(DeviceRequest)
}
