// What the broker says to a device. Zones in here always name their owner, never `.current`: the
// frames of the feed are encoded once for everybody who follows a zone.

/// A message from the broker.
package enum BrokerMessage: Hashable, Sendable {
  /// The answer to hello.
  case welcome(Welcome)
  /// The final outcome of a modify; the same again each time the request is repeated.
  case outcome(ModifyOutcome)
  /// The answer to a fetch, in the order asked; `nil` where there is no such record.
  case fetched([Change?])
  /// Entries of the account's directory: all of them in answer to `zones`, otherwise those that
  /// changed.
  case directory(DirectoryPage)
  /// Earlier states of the record asked about.
  case history(HistoryPage)
  /// Deleted records of the zone asked about.
  case trash(TrashPage)
  /// What the request asked about deleted.
  case cascaded(CascadedPage)
  /// Newest states of a zone's records, in the order of their revisions.
  case changes(ZoneChanges)
  /// The receiver has been sent everything up to `head`: what it holds is consistent.
  /// `former` is the history that this one continues, after a restored backup.
  case level(
    zone: ZoneID, incarnation: Incarnation, head: Revision, scanStart: Revision,
    former: FormerHistory? = nil)
  /// The receiver's position in the zone is worthless (`changeTokenExpired`), or it may not follow
  /// it: start again without a token, or stop, as the error says.
  case reset(zone: ZoneID, RecordsError)
  /// Everything committed before the checkpoint was asked for has been sent.
  case checkpoint
  /// The answer to a ping.
  case pong
  /// The message was refused; nothing was done.
  case error(RecordsError)
  /// The connection ends, for this reason.
  case goodbye(RecordsError)
  /// The answer to a query.
  case found(FoundPage)
  /// The subscription is stored and sees every change from here on.
  case subscriptionSaved
  /// There is no such subscription any more.
  case subscriptionDeleted
  /// Subscriptions of the account by id; `isWhole` where nothing comes behind them.
  case subscriptions([SubscriptionState], isWhole: Bool)
  /// What subscriptions told.
  case notifications(NotificationPage)
  /// The answer to an offer and to each piece of an asset.
  case assetStanding(AssetStanding)
  /// The answer to a fetch of an asset.
  case assetPiece(AssetPiece)
  /// Files that the broker has lost and takes again from the receiver, by their digests, at most
  /// `Limits.wantedAssetsPerPage`; `isWhole` where nothing comes behind them. By itself: the first of
  /// them, because it has lost some since.
  case wantedAssets([Asset], isWhole: Bool)
  /// The answer to an order about a share.
  case shared(ShareAnswer)
  /// The accounts asked about; `isWhole` where nothing comes behind them.
  case accounts([AccountProfile], isWhole: Bool)
  /// The order was carried out; one sentence says what came of it.
  case administered(String)
}

/// The answer to hello.
package struct Welcome: Hashable, Sendable {
  /// The protocol version that is spoken from here on.
  package let version: Int
  /// The account the device belongs to.
  package let account: AccountID
  /// The account's name.
  package let accountName: String
  /// The device's id, newly made if the hello had none.
  package let device: DeviceID
  /// The last of the device's numbers that has an outcome. Lower than the device's own
  /// acknowledged number proves that the broker lost history.
  package let lastNumber: RequestNumber
  /// The directory's revision.
  package let directory: Revision
  /// The silence after which either side may take the other for dead.
  package let heartbeatSeconds: Int
  /// The largest asset the broker takes.
  package let assetBytes: Int
  /// The longest piece of an asset that the broker takes and gives.
  package let assetPieceBytes: Int
  /// The pieces that may be asked for at a time.
  package let assetFetchesInFlight: Int

  /// A welcome.
  package init(
    version: Int, account: AccountID, accountName: String, device: DeviceID,
    lastNumber: RequestNumber, directory: Revision, heartbeatSeconds: Int,
    assetBytes: Int = Limits.assetBytes, assetPieceBytes: Int = Limits.assetPieceBytes,
    assetFetchesInFlight: Int = Limits.assetFetchesInFlight
  ) {
    self.version = version
    self.account = account
    self.accountName = accountName
    self.device = device
    self.lastNumber = lastNumber
    self.directory = directory
    self.heartbeatSeconds = heartbeatSeconds
    self.assetBytes = assetBytes
    self.assetPieceBytes = assetPieceBytes
    self.assetFetchesInFlight = assetFetchesInFlight
  }
}

/// Newest states of a zone's records. Live, a frame holds whole commits; while catching up, a page
/// holds what the disk had between two revisions.
package struct ZoneChanges: Hashable, Sendable {
  /// The zone.
  package let zone: ZoneID
  /// Its history.
  package let incarnation: Incarnation
  /// The receiver must have read up to exactly here.
  package let from: Revision
  /// Afterwards it has read up to here.
  package let to: Revision
  /// The head when the receiver's first scan of the zone began; live frames, which are the same
  /// for everybody, leave it out.
  package let scanStart: Revision?
  /// The states, by rising tag, each between `from` (exclusive) and `to` (inclusive).
  package let changes: [Change]

  /// A stretch of a zone's feed.
  package init(
    zone: ZoneID, incarnation: Incarnation, from: Revision, to: Revision, scanStart: Revision?,
    changes: [Change]
  ) {
    self.zone = zone
    self.incarnation = incarnation
    self.from = from
    self.to = to
    self.scanStart = scanStart
    self.changes = changes
  }
}

/// Entries of an account's directory: the zones it may see, as of a revision of the directory.
package struct DirectoryPage: Hashable, Sendable {
  /// The receiver must have read up to here, or `from` is zero and the page is the whole.
  package let from: Revision
  /// Afterwards it has read up to here.
  package let to: Revision
  /// The entries, by rising revision.
  package let entries: [DirectoryEntry]
  /// The account's devices that are new or were renamed, the latest first.
  package let devices: [DirectoryDevice]
  /// The account's subscriptions that were saved, deleted or switched off.
  package let subscriptions: [SubscriptionState]

  /// A stretch of a directory.
  package init(
    from: Revision, to: Revision, entries: [DirectoryEntry], devices: [DirectoryDevice] = [],
    subscriptions: [SubscriptionState] = []
  ) {
    self.from = from
    self.to = to
    self.entries = entries
    self.devices = devices
    self.subscriptions = subscriptions
  }

  /// Whether it tells of devices and nothing else.
  package var isAboutDevicesOnly: Bool { entries.isEmpty && subscriptions.isEmpty }
}

/// One device of the account.
package struct DirectoryDevice: Hashable, Sendable {
  /// The device.
  package let id: DeviceID
  /// What it is called.
  package let name: String
  /// When it was here last, to the day.
  package let seen: Timestamp

  /// A device.
  package init(id: DeviceID, name: String, seen: Timestamp) {
    self.id = id
    self.name = name
    self.seen = seen
  }
}

/// One zone as an account sees it.
package struct DirectoryEntry: Hashable, Sendable {
  /// What the account is to the zone.
  package enum Role: UInt8, Hashable, Sendable, CaseIterable {
    case owner = 0
    case administrator = 1
    case member = 2
  }

  /// The directory's revision at which this became so.
  package let revision: Revision
  /// The zone.
  package var zone: ZoneID
  /// Its title; empty for the standard zone, which each program names as it likes.
  package let title: String
  /// The account's role.
  package let role: Role
  /// Whether the account may change records.
  package let isWritable: Bool
  /// The zone's present history.
  package let incarnation: Incarnation
  /// Whether the zone is gone for this account.
  package let isDeleted: Bool
  /// What was deleted at or below this revision is erased everywhere.
  package let erasedThrough: Revision
  /// The name of the owner's account.
  package let ownerName: String
  /// For the owner: whether somebody else is in. For everybody else: true.
  package let isShared: Bool
  /// What people call the owner; empty from a broker that does not tell it yet.
  package let ownerDisplayName: String
  /// Everybody but the owner who is in a shared zone.
  package var members: [ZoneMember]
  /// Who asks to be let in; empty for who may not manage the share.
  package var requests: [AccessRequest]

  /// An entry.
  package init(
    revision: Revision, zone: ZoneID, title: String, role: Role, isWritable: Bool,
    incarnation: Incarnation, isDeleted: Bool, erasedThrough: Revision = .zero,
    ownerName: String = "", isShared: Bool = false, ownerDisplayName: String = "",
    members: [ZoneMember] = [], requests: [AccessRequest] = []
  ) {
    self.ownerDisplayName = ownerDisplayName
    self.members = members
    self.requests = requests
    self.revision = revision
    self.zone = zone
    self.title = title
    self.role = role
    self.isWritable = isWritable
    self.incarnation = incarnation
    self.isDeleted = isDeleted
    self.erasedThrough = erasedThrough
    self.ownerName = ownerName
    self.isShared = isShared
  }
}
