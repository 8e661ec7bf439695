// What the sync machine decided, in order. The replica does the steps that concern its store in one
// transaction, and passes the others on to its driver once that is committed.

import Records

/// One decision of the sync machine.
package enum SyncStep: Hashable, Sendable {
  // MARK: For the driver

  /// Open a connection.
  case connect
  /// Send a message under this correlation number.
  case send(id: UInt64, ClientMessage)
  /// Send the frozen request of this number.
  case sendRequest(id: UInt64, RequestNumber)
  /// Close the connection.
  case disconnect
  /// Let the timer run out after so long.
  case wait(SyncTimer, milliseconds: Int)
  /// The phase is another.
  case phaseChanged(Phase)
  /// A wait for everything to be sent and read is over.
  case synchronized(id: UInt64)
  /// A question about the past was answered as far as it can be; what came of it is kept.
  case answered(id: UInt64, isWhole: Bool)
  /// An order was carried out, or not.
  case ordered(id: UInt64, OrderAnswer)
  /// One line for the operator's log.
  case report(String)
  /// Read a piece of a file and send it under this correlation number.
  case sendAsset(id: UInt64, Asset, offset: Int, byteCount: Int)
  /// Say how much of a file is here already, from an earlier attempt to fetch it.
  case openAsset(Asset)
  /// Append a piece to a file that is being fetched.
  case keepAssetPiece(Asset, AssetPiece)

  /// A run over the public database is over.
  case publicReadingEnded(PublicReading.Ending)

  // MARK: For the store

  /// The broker knows the device under these names.
  case keepGreeting(Welcome)
  /// The broker lost history: the requests under way are numbered anew, from the one after this.
  case renumber(after: RequestNumber)
  /// Another device goes by this one's identity: forget the device id, draw a new key, number the
  /// requests under way from 1.
  case takeNewIdentity
  /// A request ended.
  case keepOutcome(ModifyOutcome)
  /// The broker will not read the requests from this one on, the first because of the error: their
  /// edits are pending again, and each group of the first is to be sent alone, or parked if it was.
  case thaw(from: RequestNumber, RecordsError)
  /// The directory changed; a whole one names every zone there is.
  case keepDirectory(DirectoryPage, isWhole: Bool)
  /// Records of a zone changed; afterwards it has been read up to the token.
  case keepChanges(ZoneChanges, token: ChangeToken)
  /// Earlier states of a record, to be kept.
  case keepHistory(RecordID, HistoryPage)
  /// Deleted records of a zone, to be kept.
  case keepTrash(ZoneID, TrashPage)
  /// What is held of the zone is consistent; what a repeated reading did not find is gone, or was
  /// lost by the broker, whose history goes on from the former one.
  case reachLevel(ZoneID, token: ChangeToken, sweep: Sweep, former: FormerHistory? = nil)
  /// The zone is read from the start again.
  case reread(ZoneID, sweep: Sweep)
  /// The zone is no longer this account's to see, for this reason.
  case drop(ZoneID, RecordsError)
  /// The broker lost the history of a zone of this account's: the zone is made again, with
  /// everything this device has of it.
  case remake(ZoneID)
  /// The broker holds the file: what waited for that can be sent.
  case assetHeld(AssetDigest)
  /// Files came or may be asked for again: see what can be sent and fetched now.
  case assetsChanged
  /// The broker will not take the file: what names it is refused.
  case refuseAsset(AssetDigest, RecordsError)
  /// The broker does not give the file out there: it is no longer wanted from there.
  case loseAsset(AssetWant, RecordsError)
  /// The broker has lost the file: whoever waits for it is told, and it stays wanted.
  case missAsset(AssetWant, RecordsError)
  /// The broker did what was wished.
  case keepWish(SubscriptionWish)
  /// The broker will not do what was wished.
  case refuseWish(SubscriptionWish, RecordsError)
  /// Wishes that were put off may be sent.
  case wishesWait
  /// Everything that the broker had was read: where what waits for a moved record has not found it, it
  /// cannot be found.
  case giveUpTargets
  /// What subscriptions told, to be kept.
  case keepNotifications(NotificationPage)
  /// Notifications have waited long enough for their records.
  case releaseNotifications
  /// A run over the public database begins: see what of it can be sent now.
  case publicReadingBegan
  /// Note all records of the public database that are here, to know which the run does not find.
  case markPublicRecords
  /// The public database has this history now; another than before means that records were lost.
  case notePublicHistory(Incarnation)
  /// Records of the public database were found.
  case keepFound([Change])
  /// Say which records the run has not found (`seek`).
  case seekMissing
  /// What the broker has of records that were asked for by name.
  case keepFetched([NamedState])
  /// What the broker has of these cannot be had: they stay as they are here, and count as found.
  case passPublicRecords([RecordName])
  /// Everything of the public database was read.
  case endPublicReading
}

/// What a repeated reading of a zone means for what it does not find.
package enum Sweep: Int, Hashable, Sendable, CaseIterable {
  /// The zone is not read again.
  case none = 0
  /// The token had expired, or there was none: what is not found was deleted meanwhile.
  case expired = 1
  /// The broker lost history: what is not found, or found older than it is here, may have been
  /// lost with it.
  case restored = 2
}
