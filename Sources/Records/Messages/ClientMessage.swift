// What a device says to its broker. Every message but `hello` needs a welcome first; answers carry
// the message's own correlation number, so any number may be under way.

/// A message from a device.
package enum ClientMessage: Hashable, Sendable {
  /// Who I am and what I have; the first message of a connection. Answered by `welcome`, then by
  /// whatever the device lacks.
  case hello(Hello)
  /// Change something. Answered by `outcome`, or by `error` with a transient code when no number
  /// was used.
  case modify(ModifyRequest)
  /// Forget the outcomes up to here. Not answered.
  case acknowledge(RequestNumber)
  /// The newest states of these records. Answered by `fetched`.
  case fetch([RecordID])
  /// Follow these zones, from these positions. Answered by changes and a `level` for each, or by
  /// `reset` where a position is worthless.
  case attach([ZonePosition])
  /// Stop following these zones. Not answered; changes under way may still come.
  case detach([ZoneID])
  /// The zones of my directory. Answered by `directory`, whole.
  case zones
  /// The earlier states of a record, those below a revision where one is given. Answered by
  /// `history`.
  case history(RecordID, below: Revision?)
  /// The zone's deleted records, those whose tombstones are below a revision where one is given.
  /// Answered by `trash`.
  case trash(ZoneID, below: Revision?)
  /// What a request of this device deleted in a zone, with what went along, behind a tag. Answered by
  /// `cascaded`.
  case cascaded(ZoneID, by: RequestNumber, after: Revision)
  /// Say when I have been sent everything that was committed before now. Answered by `checkpoint`,
  /// behind those changes on the same path.
  case checkpoint
  /// Are you there. Answered by `pong`.
  case ping
  /// The records of a type for which a predicate holds. Answered by `found`.
  case query(QueryForm)
  /// Save a subscription, or replace it. Answered by `subscriptionSaved`.
  case saveSubscription(SubscriptionForm)
  /// Delete a subscription, if there is one. Answered by `subscriptionDeleted`.
  case deleteSubscription(SubscriptionID)
  /// The account's subscriptions behind an id. Answered by `subscriptions`.
  case subscriptions(after: SubscriptionID?)
  /// What the subscriptions told behind this number, and from here on what they tell. Answered by
  /// `notifications`, again and again.
  case followNotifications(NotificationNumber)
  /// Notifications up to here are safe on the device. Not answered.
  case acknowledgeNotifications(NotificationNumber)
  /// A file is about to be sent. Answered by `assetStanding`.
  case offerAsset(Asset)
  /// A piece of a file that was offered. Answered by `assetStanding`.
  case assetPiece(AssetPiece)
  /// A piece of a file that a record names, please. Answered by `assetPiece`.
  case fetchAsset(AssetFetch)
  /// The files behind a digest that you have lost and that I may send again, please, and from here on
  /// tell me when you lose one. Answered by `wantedAssets`.
  case wantedAssets(after: AssetDigest?)
  /// Something asked of a share. Answered by `shared`.
  case share(ShareOrder)
  /// Something asked about accounts. Answered by `accounts`.
  case account(AccountOrder)
  /// An administrator's order, in the place of a hello. Answered by `administered`.
  case administer(AdministrationOrder)
}

/// The first message of a connection.
package struct Hello: Hashable, Sendable {
  /// The newest protocol version the device speaks.
  package let version: Int
  /// The application's namespace.
  package let container: String
  /// The account's name, for a device that is not known yet, or whose uid may speak for others.
  package let accountName: String?
  /// The device's name, shown to people.
  package let deviceName: String
  /// The device's id; `nil` asks for one.
  package let device: DeviceID?
  /// The 32 random bytes the device made at its first start, with which it proves to be the same.
  package let deviceKey: [UInt8]
  /// The last number the device gave to a request.
  package let lastNumber: RequestNumber
  /// Outcomes up to here are safe on the device.
  package let acknowledged: RequestNumber
  /// The directory revision the device has.
  package let directory: Revision
  /// The zones the device follows and how far it has read them.
  package let zones: [ZonePosition]
  /// A number the program drew at random when it started, the same on all its connections; `nil`
  /// where it says none. It tells a device's second connection from a copy of the device.
  package let invocation: UInt64?

  /// A greeting.
  package init(
    version: Int, container: String, accountName: String?, deviceName: String, device: DeviceID?,
    deviceKey: [UInt8], lastNumber: RequestNumber, acknowledged: RequestNumber,
    directory: Revision, zones: [ZonePosition], invocation: UInt64? = nil
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
  }
}

/// A zone and how far it has been read; no token asks for it from the start.
package struct ZonePosition: Hashable, Sendable {
  /// The zone.
  package let zone: ZoneID
  /// How far it has been read.
  package let token: ChangeToken?

  /// A position in a zone.
  package init(zone: ZoneID, token: ChangeToken?) {
    self.zone = zone
    self.token = token
  }
}
