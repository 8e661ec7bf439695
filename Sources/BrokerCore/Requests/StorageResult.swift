// The results of storage requests. The broker answers a client with one, and publishes the changes in it to subscribers.

import Records

/// The result of a storage request.
package enum StorageResult: Sendable {
  /// The device is signed in, or the connection ends with the error.
  case signedIn(Result<SignedIn, RecordsError>, ConnectionID)
  case administered(
    Result<AdministrationOutcome, RecordsError>, ConnectionID, replyTo: UInt64)
  case joined(Result<Joined, RecordsError>, ConnectionID, replyTo: UInt64)
  /// The outcome of a signed-in device's request.
  case client(StorageOutcome, RequestContext)
  /// The number of files that are newly lost, and the files that are available again.
  case recordedAssets(lost: Int, found: [AssetDigest])
  case maintained(MaintenanceResult)
  /// Commits of other brokers. They come before the results that follow.
  case foreign(CommitNotice)
}

extension StorageResult {
  /// Whether it is the result of a request.
  package var isAnswer: Bool {
    if case .foreign = self { false } else { true }
  }
}

/// The outcome of a signed-in device's request.
package enum StorageOutcome: Sendable {
  /// The request has a final outcome. A repeated request has its first outcome and no effects.
  case modified(ModifyOutcome, CommitEffects)
  /// Any other answer, or an error. A rejected request used no number and has no effects.
  case answered(BrokerMessage, CommitEffects)
  /// Stored outcomes were deleted, or that failed. The device acknowledges them again, so it needs no answer.
  case acknowledged
  /// The zones in the order of the request; on an error the connection ends.
  case attached(Result<[AttachedZone], RecordsError>)
  case assetOffered(Asset, AssetOffer)
  /// The store registered the file, or failed with the error.
  case assetRegistered(UploadID, RecordsError?)
  /// Where delivery of the device's notifications resumes.
  case following(NotificationStart)
  /// The invitation was stored and ends at this time, or was refused with the error.
  case invited(Result<Timestamp, RecordsError>)
  /// A device was removed or renamed; `expelled` names the sessions that end.
  case deviceChanged(CommitEffects, expelled: Expulsion?)
  /// `isLinkAttempt` says whether the request tried a link's secret; see `AttemptLimiter`.
  case shared(ShareOutcome, isLinkAttempt: Bool)

  /// An error that changed nothing.
  package static func failed(_ error: RecordsError) -> StorageOutcome {
    .answered(.error(error), CommitEffects())
  }
}

/// A device that signed in, with the data for its welcome.
package struct SignedIn: Sendable {
  /// The device and account, as their rows say.
  package let identity: SessionIdentity
  /// The account's name, for the welcome.
  package let accountName: String
  /// The highest request number of the device that has an outcome.
  package let lastNumber: RequestNumber
  /// The directory's changes since the revision in the greeting. Empty if there are too many of them.
  package let directory: DirectoryPage
  /// Whether there were too many changes: the broker sends the whole directory after the welcome.
  package let isDirectoryLeftOut: Bool
  /// The directory's revision when the broker was last rewound.
  package let rewoundAt: Revision
  /// The zones of the greeting, in its order.
  package let zones: [AttachedZone]
  /// Directory changes for the account's other devices: this device is new or has a new name.
  package let announcements: [DirectoryCommit]

  package init(
    identity: SessionIdentity, accountName: String, lastNumber: RequestNumber,
    directory: DirectoryPage, isDirectoryLeftOut: Bool = false, rewoundAt: Revision = .zero,
    zones: [AttachedZone],
    announcements: [DirectoryCommit] = []
  ) {
    self.isDirectoryLeftOut = isDirectoryLeftOut
    self.rewoundAt = rewoundAt
    self.announcements = announcements
    self.identity = identity
    self.accountName = accountName
    self.lastNumber = lastNumber
    self.directory = directory
    self.zones = zones
  }
}

/// A zone that a device wants to follow.
package struct AttachedZone: Sendable {
  /// The requested zone and position, with the owner's account filled in.
  package let position: ZonePosition
  /// The zone's row; `nil` if there is no such zone, or the account may not read it.
  package let stored: StoredZone?
  /// The zone's revision when the account joined it last; zero for the owner. Earlier deletions are not sent.
  package let joined: Revision

  package init(position: ZonePosition, stored: StoredZone?, joined: Revision = .zero) {
    self.position = position
    self.stored = stored
    self.joined = joined
  }
}
