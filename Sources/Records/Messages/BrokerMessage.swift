// Messages from the broker to a device. Their zones always name an owner and never `.current`,
// because a feed's frames are encoded once for all subscribers of a zone.

/// A message from the broker.
package enum BrokerMessage: Hashable, Sendable {
  /// The answer to hello.
  case welcome(Welcome)
  /// The final outcome of a modify request; repeated unchanged each time the request is repeated.
  case outcome(ModifyOutcome)
  /// The answer to a fetch, in the requested order; `nil` for a record that does not exist.
  case fetched([Change?])
  /// Entries of the account's directory: all entries in answer to `zones`, otherwise the changed
  /// ones.
  case directory(DirectoryPage)
  /// Earlier versions of the requested record.
  case history(HistoryPage)
  /// Deleted records of the requested zone.
  case trash(TrashPage)
  /// Records that the requested cascade deleted.
  case cascaded(CascadedPage)
  /// Newest states of a zone's records, by ascending revision.
  case changes(ZoneChanges)
  /// The broker has sent every change up to `head`, so the device is caught up and its copy of the
  /// zone is consistent. `former` is the history that this one continues after a backup was restored.
  case level(
    zone: ZoneID, incarnation: Incarnation, head: Revision, scanStart: Revision,
    former: FormerHistory? = nil)
  /// The device's position in the zone is invalid (`changeTokenExpired`), or it may not follow the
  /// zone. Depending on the error, the device starts again without a token or stops.
  case reset(zone: ZoneID, RecordsError)
  /// Every change committed before the checkpoint request has been sent.
  case checkpoint
  /// The answer to a ping.
  case pong
  /// The request was rejected and changed nothing.
  case error(RecordsError)
  /// The broker closes the connection for this reason.
  case goodbye(RecordsError)
  /// The answer to a query.
  case found(FoundPage)
  /// The subscription is stored and matches every change from now on.
  case subscriptionSaved
  /// The subscription does not exist any more.
  case subscriptionDeleted
  /// Subscriptions of the account, ordered by id. `isWhole` is true on the last page.
  case subscriptions([SubscriptionState], isWhole: Bool)
  /// Notifications of the account's subscriptions.
  case notifications(NotificationPage)
  /// The answer to an asset offer and to each uploaded chunk.
  case assetStanding(AssetStanding)
  /// The answer to a fetch of an asset.
  case assetPiece(AssetPiece)
  /// Assets that the broker has lost and that this device may send again, ordered by digest; at
  /// most `Limits.wantedAssetsPerPage`. `isWhole` is true on the last page. The broker also sends
  /// the first page unrequested, after it has lost further assets.
  case wantedAssets([Asset], isWhole: Bool)
  /// The answer to a share request.
  case shared(ShareAnswer)
  /// The requested accounts. `isWhole` is true on the last page.
  case accounts([AccountProfile], isWhole: Bool)
  /// The administrative request was carried out; the text describes the result.
  case administered(String)
  /// Answers `join`.
  case joined(Joined)
  /// Answers `invite`, with the addresses at which devices on other machines reach the broker, each
  /// HOST:PORT, and the end of the invitation by the broker's clock.
  case invited(addresses: [String], expires: Timestamp)
  /// Answers `device`.
  case deviceChanged
  /// Answers `connections`.
  case connections([DeviceConnection])
}

/// The answer to hello.
package struct Welcome: Hashable, Sendable {
  /// The protocol version of the rest of the connection.
  package let version: Int
  /// The account that the device belongs to.
  package let account: AccountID
  /// The account's name.
  package let accountName: String
  /// The device's id, newly assigned if the hello had none.
  package let device: DeviceID
  /// The highest request number of the device that has an outcome. A value below the number that
  /// the device has acknowledged proves that the broker lost history.
  package let lastNumber: RequestNumber
  /// The directory's revision.
  package let directory: Revision
  /// The seconds of silence after which either side may consider the other dead.
  package let heartbeatSeconds: Int
  /// The bytes of the largest asset that the broker accepts.
  package let assetBytes: Int
  /// The bytes of the longest asset chunk that the broker accepts and sends.
  package let assetPieceBytes: Int
  /// The number of chunks that may be requested ahead of their answers.
  package let assetFetchesInFlight: Int
  /// The directory's revision when the broker was last rewound to a backup; zero if it never was. To a device that has
  /// not seen this value, what the broker has is later than everything that it had confirmed before.
  package let rewoundAt: Revision

  package init(
    version: Int, account: AccountID, accountName: String, device: DeviceID,
    lastNumber: RequestNumber, directory: Revision, heartbeatSeconds: Int,
    assetBytes: Int = Limits.assetBytes, assetPieceBytes: Int = Limits.assetPieceBytes,
    assetFetchesInFlight: Int = Limits.assetFetchesInFlight, rewoundAt: Revision = .zero
  ) {
    self.rewoundAt = rewoundAt
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

/// Newest states of a zone's records. A live frame contains whole commits. During catch-up, a page
/// contains the stored changes between two revisions.
package struct ZoneChanges: Hashable, Sendable {
  /// The zone.
  package let zone: ZoneID
  /// The zone's history.
  package let incarnation: Incarnation
  /// The receiver's position before these changes. A receiver at another revision cannot apply them.
  package let from: Revision
  /// The receiver's position after these changes.
  package let to: Revision
  /// The zone's head when the receiver's first scan began; `nil` in live frames, which are the same
  /// for all subscribers.
  package let scanStart: Revision?
  /// The histories that the zone's present one continues; `nil` in live frames.
  package let lineage: Lineage?
  /// The changes by ascending tag, each above `from` and at most `to`.
  package let changes: [Change]

  package init(
    zone: ZoneID, incarnation: Incarnation, from: Revision, to: Revision, scanStart: Revision?,
    lineage: Lineage? = nil, changes: [Change]
  ) {
    self.lineage = lineage
    self.zone = zone
    self.incarnation = incarnation
    self.from = from
    self.to = to
    self.scanStart = scanStart
    self.changes = changes
  }
}

/// Entries of an account's directory as of one of its revisions.
package struct DirectoryPage: Hashable, Sendable {
  /// The receiver's directory revision before this page. Zero means that the page is the whole
  /// directory.
  package let from: Revision
  /// The receiver's directory revision after this page.
  package let to: Revision
  /// The zones, by ascending revision.
  package let entries: [DirectoryEntry]
  /// The account's new, renamed and removed devices, most recent first.
  package let devices: [DirectoryDevice]
  /// The account's subscriptions that were saved, deleted or switched off.
  package let subscriptions: [SubscriptionState]

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

  /// Whether the page contains changed devices and nothing else.
  package var isAboutDevicesOnly: Bool { entries.isEmpty && subscriptions.isEmpty }
}

/// A device of the account.
package struct DirectoryDevice: Hashable, Sendable {
  /// The device's id.
  package let id: DeviceID
  /// The device's name.
  package let name: String
  /// The day on which the device was last connected.
  package let seen: Timestamp
  /// Whether the device was removed. Its name still belongs to the changes that it made.
  package let isRemoved: Bool

  package init(id: DeviceID, name: String, seen: Timestamp, isRemoved: Bool = false) {
    self.isRemoved = isRemoved
    self.id = id
    self.name = name
    self.seen = seen
  }
}

/// The deletion of a zone that its owner can restore.
package struct ZoneDeletion: Hashable, Sendable {
  /// When the broker deleted the zone.
  package let time: Timestamp
  /// The number of records in the zone, of all types.
  package let recordCount: Int
  /// The zone's revision.
  package let head: Revision
  /// Whether the zone's own trash has records, which can be restored after the zone.
  package let hasDeletedRecords: Bool

  package init(
    time: Timestamp, recordCount: Int, head: Revision, hasDeletedRecords: Bool = false
  ) {
    self.time = time
    self.recordCount = recordCount
    self.head = head
    self.hasDeletedRecords = hasDeletedRecords
  }
}

/// A zone as one account sees it.
package struct DirectoryEntry: Hashable, Sendable {
  /// The account's role in the zone.
  package enum Role: UInt8, Hashable, Sendable, CaseIterable {
    case owner = 0
    case administrator = 1
    case member = 2
  }

  /// The directory revision of the entry's last change.
  package let revision: Revision
  /// The zone.
  package var zone: ZoneID
  /// The zone's title; empty for the standard zone, for which each program uses a name of its own.
  package let title: String
  /// The revision of the title. After a restore, a device with a later title saves it again.
  package let titleRevision: Revision
  /// The account's role.
  package let role: Role
  /// Whether the account may change records.
  package let isWritable: Bool
  /// The zone's present history.
  package let incarnation: Incarnation
  /// Whether the account has lost the zone, by deletion or by losing access.
  package let isDeleted: Bool
  /// The deletion of a zone whose records the broker keeps for its owner; `nil` for every other entry.
  package let deletion: ZoneDeletion?
  /// Earlier versions of records deleted at or below this revision are erased on every device.
  package let erasedThrough: Revision
  /// The account name of the owner.
  package let ownerName: String
  /// For the owner, whether the zone has other participants. Always true for participants.
  package let isShared: Bool
  /// The owner's display name; its account name if none was set.
  package let ownerDisplayName: String
  /// The participants of a shared zone, except the owner.
  package var members: [ZoneMember]
  /// The revision of the participants. After a restore, the owner's devices with a later one remove participants again.
  package let membersRevision: Revision
  /// How often the zone was deleted and restored; 0 for a zone of another account.
  package let restorations: Int
  /// Pending requests for access; empty unless the account may manage the share.
  package var requests: [AccessRequest]

  /// Creates an entry. Without a display name, the owner's account name is used.
  package init(
    revision: Revision, zone: ZoneID, title: String, role: Role, isWritable: Bool,
    incarnation: Incarnation, isDeleted: Bool, deletion: ZoneDeletion? = nil,
    erasedThrough: Revision = .zero, ownerName: String = "", isShared: Bool = false,
    ownerDisplayName: String? = nil,
    members: [ZoneMember] = [], requests: [AccessRequest] = [], titleRevision: Revision = .zero,
    membersRevision: Revision = .zero, restorations: Int = 0
  ) {
    self.restorations = restorations
    self.membersRevision = membersRevision
    self.titleRevision = titleRevision
    self.ownerDisplayName = ownerDisplayName ?? ownerName
    self.members = members
    self.requests = requests
    self.revision = revision
    self.zone = zone
    self.title = title
    self.role = role
    self.isWritable = isWritable
    self.incarnation = incarnation
    self.isDeleted = isDeleted
    self.deletion = deletion
    self.erasedThrough = erasedThrough
    self.ownerName = ownerName
    self.isShared = isShared
  }
}
