// What the broker asks of its store. Everything that must happen in one order with the commits
// (signing in and attaching read the heads that the feed goes on from) goes through the storage
// thread as a `StorageRequest`; what may happen beside them is a `ReadRequest`.

import Predicates
import Records

/// A request for the storage thread. Its results come back in the order of the requests.
package enum StorageRequest: Sendable {
  /// Find or enter the account and the device, and look up what the greeting asks for.
  case signIn(ConnectionID, SignInRequest)
  /// Plan and carry out a modify; `byteCount` is what it weighs in the queue.
  case modify(
    ConnectionID, replyTo: UInt64, SessionIdentity, ModifyRequest, byteCount: Int)
  /// Forget outcomes up to a number.
  case acknowledge(ConnectionID, SessionIdentity, RequestNumber)
  /// Look up zones to follow.
  case attach(ConnectionID, SessionIdentity, [ZonePosition])
  /// Say whether the account has a file.
  case offerAsset(ConnectionID, replyTo: UInt64, SessionIdentity, Asset)
  /// Enter a file that is on the disk.
  case keepAsset(ConnectionID, replyTo: UInt64, UploadID, Asset)
  /// Note which files are gone or damaged, and which are there again.
  case noteAssets(lost: [AssetDigest], found: [AssetDigest])
  /// Save a subscription, whose zone names its owner; `byteCount` is what it weighs in the queue.
  case saveSubscription(
    ConnectionID, replyTo: UInt64, SessionIdentity, SubscriptionForm, byteCount: Int)
  /// Delete a subscription.
  case deleteSubscription(ConnectionID, replyTo: UInt64, SessionIdentity, SubscriptionID)
  /// Note what is safe on a device, and where it is read on from.
  case followNotifications(
    ConnectionID, replyTo: UInt64, SessionIdentity, NotificationNumber)
  /// Note what is safe on devices, forget what nobody needs, and move what absent devices need out of
  /// the way.
  case sweepNotifications(NotificationSweep)
  /// Remove some of what accounts that were deleted have left in public databases.
  case removeLeft
  /// Delete some of what goes with deleted records and was too much for their own transaction.
  case reapCascades
  /// Do some of what orders and requests have left to be done for others.
  case runErrands
  /// Plan and carry out an order about a share; with the digest of the link it shows.
  case share(
    ConnectionID, replyTo: UInt64, SessionIdentity, SharingRequest, linkDigest: [UInt8]?)
  /// Change what an account says of itself.
  case account(ConnectionID, replyTo: UInt64, SessionIdentity, AccountRequest)
  /// Carry out an administrator's order.
  case administer(ConnectionID, replyTo: UInt64, AdministrativeRequest)
}

/// What came of a storage request.
package enum StorageResult: Sendable {
  /// The connection is signed in.
  case signedIn(ConnectionID, SignedIn)
  /// The connection cannot go on: nobody is signed in, or its zones could not be read.
  case refused(ConnectionID, RecordsError)
  /// The request has a final outcome, with these effects (none when it was carried out before).
  case modified(
    ConnectionID, replyTo: UInt64, ModifyOutcome, CommitEffects, byteCount: Int)
  /// The request was refused and used no number.
  case modifyRefused(ConnectionID, replyTo: UInt64, RecordsError, byteCount: Int)
  /// Outcomes were forgotten, or could not be; the device will say it again.
  case acknowledged(ConnectionID)
  /// The zones as they stand, in the order asked.
  case attached(ConnectionID, [AttachedZone])
  /// How the account stands to a file.
  case assetOffered(ConnectionID, replyTo: UInt64, Asset, AssetOffer)
  /// The file is entered; or not, with the error.
  case assetKept(ConnectionID, replyTo: UInt64, UploadID, RecordsError?)
  /// So many files are lost that were not before, and these are there again.
  case notedAssets(lost: Int, found: [AssetDigest])
  /// The request is answered, with these effects; `byteCount` is what it weighed in the queue.
  case answered(
    ConnectionID, replyTo: UInt64, BrokerMessage, CommitEffects, byteCount: Int)
  /// Where the device is read on from.
  case following(ConnectionID, NotificationStart)
  /// What was swept; `nil` where it could not be.
  case sweptNotifications(SweptNotifications?)
  /// What was removed; `nil` where it could not be.
  case removedLeft(RemovedRecords?)
  /// Some was deleted, with these effects; `nil` where it could not be.
  case reapedCascades(CommitEffects?)
  /// Some was done, with these effects; `nil` where it could not be.
  case ranErrands(CommitEffects?)
  /// What came of an order about a share.
  case shared(
    ConnectionID, replyTo: UInt64, SessionIdentity, wasTry: Bool, ShareOutcome)
  /// What came of an administrator's order.
  case administered(
    ConnectionID, replyTo: UInt64, Result<AdministrationOutcome, RecordsError>)
}

/// What is to be done about notifications that were told some time ago.
package struct NotificationSweep: Hashable, Sendable {
  /// Up to where each device has them, by its row.
  package let acknowledged: [StoreKey: NotificationNumber]
  /// Up to where nothing need be kept for a device, by its row, although it did not say so.
  package let passed: [StoreKey: NotificationNumber]
  /// Those up to here are old enough for absent devices' entries to be moved; `nil` for all.
  package let through: NotificationNumber?

  /// A sweep.
  package init(
    acknowledged: [StoreKey: NotificationNumber],
    passed: [StoreKey: NotificationNumber] = [:], through: NotificationNumber?
  ) {
    self.acknowledged = acknowledged
    self.passed = passed
    self.through = through
  }
}

/// What a sweep came to.
package struct SweptNotifications: Hashable, Sendable {
  /// The devices that can read on, because their folding has ended.
  package var unfolded: [StoreKey]
  /// Whether there is more to do at once.
  package var isMore: Bool

  /// A sweep's result.
  package init(unfolded: [StoreKey] = [], isMore: Bool = false) {
    self.unfolded = unfolded
    self.isMore = isMore
  }
}

/// Who signed in and what it lacks.
package struct SignedIn: Sendable {
  /// Who it is.
  package let identity: SessionIdentity
  /// The account's name.
  package let accountName: String
  /// The last of the device's numbers with an outcome.
  package let lastNumber: RequestNumber
  /// What changed in the directory since the revision the greeting gave; without entries where that is
  /// much.
  package let directory: DirectoryPage
  /// Whether so much changed that the directory is to be read behind the welcome.
  package let isDirectoryLeftOut: Bool
  /// The zones of the greeting as they stand, in its order.
  package let zones: [AttachedZone]
  /// What the account's other devices are told: this one is new, or goes by another name.
  package let announcements: [DirectoryCommit]

  /// The result of signing in.
  package init(
    identity: SessionIdentity, accountName: String, lastNumber: RequestNumber,
    directory: DirectoryPage, isDirectoryLeftOut: Bool = false, zones: [AttachedZone],
    announcements: [DirectoryCommit] = []
  ) {
    self.isDirectoryLeftOut = isDirectoryLeftOut
    self.announcements = announcements
    self.identity = identity
    self.accountName = accountName
    self.lastNumber = lastNumber
    self.directory = directory
    self.zones = zones
  }
}

/// A zone that a device wants to follow, as it stands; `stored` is `nil` where there is none that
/// the account may read.
package struct AttachedZone: Sendable {
  /// What was asked for, the owner named.
  package let position: ZonePosition
  /// The zone.
  package let stored: StoredZone?

  /// A zone to follow.
  package init(position: ZonePosition, stored: StoredZone?) {
    self.position = position
    self.stored = stored
  }
}

/// What a carried-out request changed, for those who must hear of it.
package struct CommitEffects: Sendable {
  /// The record changes, zone by zone.
  package var zones: [ZoneCommit]
  /// The directories that changed.
  package var directories: [DirectoryCommit]
  /// The notifications that were written.
  package var notified: [NotificationCommit]
  /// Who can no longer see a zone.
  package var losses: [AccessLoss] = []
  /// What was refused, for the journal.
  package var refusals: [ZoneRefusal] = []
  /// The devices whose notifications are no longer folded.
  package var unfolded: [StoreKey]
  /// Whether something is hidden that has still to be deleted.
  package var leavesCascade = false
  /// Whether others have still to be told, or cleared of what they lost.
  package var leavesErrands = false

  /// Effects.
  package init(
    zones: [ZoneCommit] = [], directories: [DirectoryCommit] = [],
    notified: [NotificationCommit] = [], unfolded: [StoreKey] = []
  ) {
    self.zones = zones
    self.directories = directories
    self.notified = notified
    self.unfolded = unfolded
  }

  /// Adds the effects of something else in the same transaction.
  package mutating func add(_ other: CommitEffects) {
    zones += other.zones
    directories += other.directories
    notified += other.notified
    unfolded += other.unfolded
    losses += other.losses
    refusals += other.refusals
    leavesCascade = leavesCascade || other.leavesCascade
    leavesErrands = leavesErrands || other.leavesErrands
  }
}

/// A notification that was written, and the rows of the devices that it concerns.
package struct NotificationCommit: Hashable, Sendable {
  /// Its number.
  package let number: NotificationNumber
  /// The devices.
  package let receivers: [StoreKey]

  /// A notification.
  package init(number: NotificationNumber, receivers: [StoreKey]) {
    self.number = number
    self.receivers = receivers
  }
}

/// The record changes that one request made in one zone.
package struct ZoneCommit: Sendable {
  /// The application's namespace.
  package let container: StoreKey
  /// The zone, after the request.
  package var zone: StoredZone
  /// The head before the request.
  package let from: Revision
  /// The changes by rising tag; the last one's tag is the zone's head.
  package var changes: [Change]

  /// A request's changes to a zone.
  package init(container: StoreKey, zone: StoredZone, from: Revision, changes: [Change]) {
    self.container = container
    self.zone = zone
    self.from = from
    self.changes = changes
  }
}

/// What one request changed in the directory of one account.
package struct DirectoryCommit: Sendable {
  /// The application's namespace.
  package let container: StoreKey
  /// The account.
  package let account: StoreKey
  /// The entries that changed.
  package let page: DirectoryPage

  /// A request's changes to a directory.
  package init(container: StoreKey, account: StoreKey, page: DirectoryPage) {
    self.container = container
    self.account = account
    self.page = page
  }
}

/// A request for the reading thread, which runs beside commits.
package enum ReadRequest: Sendable {
  /// A page of a zone's feed for a connection that is behind.
  case page(ConnectionID, PageRequest)
  /// Records by name.
  case fetch(ConnectionID, replyTo: UInt64, SessionIdentity, [RecordID])
  /// The whole directory.
  case directory(ConnectionID, replyTo: UInt64, SessionIdentity)
  /// The same for a connection that did not ask, and missed a change of it.
  case missedDirectory(ConnectionID, SessionIdentity)
  /// A record's earlier states, below a revision where one is given.
  case history(ConnectionID, replyTo: UInt64, SessionIdentity, RecordID, below: Revision?)
  /// A zone's deleted records, below a revision where one is given.
  case trash(ConnectionID, replyTo: UInt64, SessionIdentity, ZoneID, below: Revision?)
  /// What a request of the device deleted in a zone, behind a tag.
  case cascaded(
    ConnectionID, replyTo: UInt64, SessionIdentity, ZoneID, by: RequestNumber, after: Revision)
  /// The account's subscriptions behind an id.
  case subscriptions(ConnectionID, replyTo: UInt64, SessionIdentity, after: SubscriptionID?)
  /// The accounts asked about.
  case accounts(ConnectionID, replyTo: UInt64, SessionIdentity, AccountRequest)
  /// Lost files behind a digest that the account may send again.
  case wantedAssets(ConnectionID, replyTo: UInt64, SessionIdentity, after: AssetDigest?)
  /// A page of a device's notifications.
  case notifications(ConnectionID, NotificationRead)
  /// A page of a query. It may take long, and is done beside the other reads.
  case query(ConnectionID, replyTo: UInt64, SessionIdentity, RecordQuery, QueryCursor?)
}

/// A stretch of a zone's feed to read.
package struct PageRequest: Hashable, Sendable {
  /// Who reads: the page looks at its rights.
  package let reader: SessionIdentity
  /// The zone's row.
  package let key: StoreKey
  /// The zone, its owner named.
  package let zone: ZoneID
  /// Its history.
  package let incarnation: Incarnation
  /// Read what is above this revision.
  package let after: Revision
  /// The head when the first scan began; tombstones at or below it are skipped.
  package let scanStart: Revision
  /// Which of the connection's followings of the zone it is for.
  package let attachment: Int

  /// Asks for a page.
  package init(
    reader: SessionIdentity, key: StoreKey, zone: ZoneID, incarnation: Incarnation,
    after: Revision, scanStart: Revision, attachment: Int
  ) {
    self.reader = reader
    self.key = key
    self.zone = zone
    self.incarnation = incarnation
    self.after = after
    self.scanStart = scanStart
    self.attachment = attachment
  }
}

/// What came of a read request.
package enum ReadResult: Sendable {
  /// A page: the frame to send, and the revision to which it brings the reader.
  case page(
    ConnectionID, PageRequest, frame: [UInt8], to: Revision, withheld: Set<RecordName> = [])
  /// The page cannot be read: the reader must begin again, or stop.
  case pageRefused(ConnectionID, PageRequest, RecordsError)
  /// Records by name.
  case fetched(ConnectionID, replyTo: UInt64, [Change?])
  /// The whole directory.
  case directory(ConnectionID, replyTo: UInt64, DirectoryPage)
  /// The whole directory for a connection that did not ask; `nil` where it could not be read.
  case missedDirectory(ConnectionID, DirectoryPage?)
  /// Lost files that the account may send again; the error, where they could not be read.
  case wantedAssets(ConnectionID, replyTo: UInt64, BrokerMessage)
  /// What else was asked for.
  case answered(ConnectionID, replyTo: UInt64, BrokerMessage)
  /// A page of a device's notifications.
  case notifications(ConnectionID, NotificationRead, NotificationStretch)
  /// The page could not be read.
  case notificationsFailed(ConnectionID, NotificationRead)
  /// A page of a query, or why there is none.
  case queried(ConnectionID, replyTo: UInt64, BrokerMessage)
  /// The read failed.
  case failed(ConnectionID, replyTo: UInt64, RecordsError)
}
