// Messages from a device to its broker. Each message except `hello`, `join` and
// `administer` requires a welcome first.
// Answers carry the message's correlation number, so a device need not wait for one answer before
// it sends the next message.

/// A message from a device.
package enum ClientMessage: Hashable, Sendable {
  /// Identifies the device and its state; the first message of a connection. Answered by `welcome`,
  /// followed by everything that the device is missing.
  case hello(Hello)
  /// Changes records or zones. Answered by `outcome`, or by a transient `error` that used no
  /// request number.
  case modify(ModifyRequest)
  /// Allows the broker to discard outcomes up to a number. Not answered.
  case acknowledge(RequestNumber)
  /// Requests the newest states of records. Answered by `fetched`.
  case fetch([RecordID])
  /// Follows zones from the given positions. Answered for each zone by changes and a `level`, or by
  /// `reset` if the position is invalid.
  case attach([ZonePosition])
  /// Stops following zones. Not answered; changes already in transit may still arrive.
  case detach([ZoneID])
  /// Requests the whole directory. Answered by `directory`.
  case zones
  /// Requests earlier versions of a record, optionally only those below a revision. Answered by
  /// `history`.
  case history(RecordID, below: Revision?)
  /// Requests deleted records of a zone, optionally only those with tombstones below a revision.
  /// Answered by `trash`.
  case trash(ZoneID, below: Revision?)
  /// Requests the records that a request of this device deleted in a zone, including cascading
  /// deletions, with tags above `after`. Answered by `cascaded`.
  case cascaded(ZoneID, by: RequestNumber, after: Revision)
  /// Asks for confirmation once every change committed so far has been sent. Answered by
  /// `checkpoint`, which follows those changes on the same ordered path.
  case checkpoint
  /// Checks that the connection is alive. Answered by `pong`.
  case ping
  /// Requests the records of one type that match a predicate. Answered by `found`.
  case query(QueryForm)
  /// Creates or replaces a subscription. Answered by `subscriptionSaved`.
  case saveSubscription(SubscriptionForm)
  /// Deletes a subscription if it exists. Answered by `subscriptionDeleted`.
  case deleteSubscription(SubscriptionID)
  /// Requests the account's subscriptions with ids after `after`. Answered by `subscriptions`.
  case subscriptions(after: SubscriptionID?)
  /// Requests the device's notifications with numbers above this one, now and as they occur.
  /// Answered by `notifications`, repeatedly.
  case followNotifications(NotificationNumber)
  /// Confirms that notifications up to this number are stored on the device. Not answered.
  case acknowledgeNotifications(NotificationNumber)
  /// Announces an upload. Answered by `assetStanding`.
  case offerAsset(Asset)
  /// Uploads a chunk of an offered asset. Answered by `assetStanding`.
  case assetPiece(AssetPiece)
  /// Requests a chunk of an asset that a record names. Answered by `assetPiece`.
  case fetchAsset(AssetFetch)
  /// Requests the assets, with digests above `after`, that the broker has lost and this account may
  /// send again. Afterwards the broker also announces new losses. Answered by `wantedAssets`.
  case wantedAssets(after: AssetDigest?)
  /// Reads or changes a share. Answered by `shared`.
  case share(SharingRequest)
  /// Reads or changes account profiles. Answered by `accounts`.
  case account(AccountRequest)
  /// An administrative request, sent instead of a hello. Answered by `administered`.
  case administer(AdministrativeRequest)
  /// Joins an account by an invitation, sent instead of a hello. Answered by `joined`.
  case join(JoinRequest)
  /// Makes an invitation for another device of the account. Answered by `invited`.
  case invite(InvitationOffer)
  /// Removes or renames a device of the account. Answered by `deviceChanged`.
  case device(DeviceRequest)
  /// Looks up the account's connected devices. Answered by `connections`.
  case connections
}

/// The first message of a connection.
package struct Hello: Hashable, Sendable {
  /// The newest protocol version that the device supports.
  package let version: Int
  /// The application's namespace.
  package let container: String
  /// The account's name. Required for an unknown device and for a user that may act for several
  /// accounts.
  package let accountName: String?
  /// The device's name, for display.
  package let deviceName: String
  /// The device's id; `nil` requests a new one.
  package let device: DeviceID?
  /// The 32 random bytes that the device generated at its first start and with which it proves its
  /// identity.
  package let deviceKey: [UInt8]
  /// The last request number that the device has assigned.
  package let lastNumber: RequestNumber
  /// The device has stored outcomes up to this number.
  package let acknowledged: RequestNumber
  /// The directory revision that the device has.
  package let directory: Revision
  /// The zones that the device follows, with its positions in them.
  package let zones: [ZonePosition]
  /// A random number that the program draws at startup and sends on all its connections, or `nil`.
  /// It distinguishes a second connection of the device from a copy of the device.
  package let invocation: UInt64?
  /// The device that this one was until a broker found that it is a copy; `nil` for any other device.
  /// Sent without `device`.
  package let formerDevice: FormerDevice?

  package init(
    version: Int, container: String, accountName: String?, deviceName: String, device: DeviceID?,
    deviceKey: [UInt8], lastNumber: RequestNumber, acknowledged: RequestNumber,
    directory: Revision, zones: [ZonePosition], invocation: UInt64? = nil,
    formerDevice: FormerDevice? = nil
  ) {
    self.version = version
    self.container = container
    self.accountName = accountName
    self.deviceName = deviceName
    self.device = device
    self.deviceKey = deviceKey
    self.lastNumber = lastNumber
    self.acknowledged = acknowledged
    self.directory = directory
    self.zones = zones
    self.invocation = invocation
    self.formerDevice = formerDevice
  }
}

/// The device that another device was copied from, with the key that proves it.
package struct FormerDevice: Hashable, Sendable {
  /// The device's id.
  package let device: DeviceID
  /// The device's key.
  package let key: [UInt8]

  package init(_ device: DeviceID, key: [UInt8]) {
    self.device = device
    self.key = key
  }
}

/// A zone and a device's position in it.
package struct ZonePosition: Hashable, Sendable {
  /// The zone.
  package let zone: ZoneID
  /// The position; `nil` requests the zone from the start.
  package let token: ChangeToken?

  package init(zone: ZoneID, token: ChangeToken?) {
    self.zone = zone
    self.token = token
  }
}
