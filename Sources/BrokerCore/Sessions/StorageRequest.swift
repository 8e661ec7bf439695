// What the broker asks of its store. Everything that must happen in one order with the commits
// (signing in and attaching read the heads that the feed goes on from) goes through the storage
// thread as a `StorageRequest`; what may happen beside them is a `ReadRequest`.

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
}

/// Who signed in and what it lacks.
package struct SignedIn: Sendable {
  /// Who it is.
  package let identity: SessionIdentity
  /// The account's name.
  package let accountName: String
  /// The last of the device's numbers with an outcome.
  package let lastNumber: RequestNumber
  /// What changed in the directory since the revision the greeting gave.
  package let directory: DirectoryPage
  /// The zones of the greeting as they stand, in its order.
  package let zones: [AttachedZone]
  /// What the account's other devices are told: this one is new, or goes by another name.
  package let announcements: [DirectoryCommit]

  /// The result of signing in.
  package init(
    identity: SessionIdentity, accountName: String, lastNumber: RequestNumber,
    directory: DirectoryPage, zones: [AttachedZone], announcements: [DirectoryCommit] = []
  ) {
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

  /// Effects.
  package init(zones: [ZoneCommit] = [], directories: [DirectoryCommit] = []) {
    self.zones = zones
    self.directories = directories
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
  /// A record's earlier states, below a revision where one is given.
  case history(ConnectionID, replyTo: UInt64, SessionIdentity, RecordID, below: Revision?)
  /// A zone's deleted records, below a revision where one is given.
  case trash(ConnectionID, replyTo: UInt64, SessionIdentity, ZoneID, below: Revision?)
}

/// A stretch of a zone's feed to read.
package struct PageRequest: Hashable, Sendable {
  /// The application's namespace.
  package let container: StoreKey
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

  /// Asks for a page.
  package init(
    container: StoreKey, key: StoreKey, zone: ZoneID, incarnation: Incarnation, after: Revision,
    scanStart: Revision
  ) {
    self.container = container
    self.key = key
    self.zone = zone
    self.incarnation = incarnation
    self.after = after
    self.scanStart = scanStart
  }
}

/// What came of a read request.
package enum ReadResult: Sendable {
  /// A page: the frame to send, and the revision to which it brings the reader.
  case page(ConnectionID, PageRequest, frame: [UInt8], to: Revision)
  /// The page cannot be read: the reader must begin again, or stop.
  case pageRefused(ConnectionID, PageRequest, RecordsError)
  /// Records by name.
  case fetched(ConnectionID, replyTo: UInt64, [Change?])
  /// The whole directory.
  case directory(ConnectionID, replyTo: UInt64, DirectoryPage)
  /// What of the past was asked for.
  case past(ConnectionID, replyTo: UInt64, BrokerMessage)
  /// The read failed.
  case failed(ConnectionID, replyTo: UInt64, RecordsError)
}
