import Records

/// A change of the device's store that the sync machine decided.
package enum StoreStep: Hashable, Sendable {
  // MARK: The conversation

  /// Store the names under which the broker knows the device, and delete the former device.
  case storeWelcome(Welcome)
  /// The broker lost history: number the frozen requests again, from the one after this.
  case renumber(after: RequestNumber)
  /// Another device uses this one's identity: replace the key, and store the id and the key that the device had as those
  /// of its former device.
  case takeNewIdentity
  /// Look for more to send and to download.
  case sendMore

  // MARK: Requests

  /// Send the frozen request of this number.
  case sendRequest(id: UInt64, RequestNumber)
  /// Store the outcome of a request.
  case storeOutcome(ModifyOutcome)
  /// The broker rejects the requests from this one on, the first because of the error. Their edits are pending again.
  /// Each group of the first is sent alone next, or rejected if it was alone.
  case unfreeze(from: RequestNumber, RecordsError)

  // MARK: Zones

  /// Store a part of the directory, or the whole of it.
  case storeDirectory(DirectoryPage, isWhole: Bool)
  /// Store changes of a zone, which has then been read up to the token.
  case storeChanges(ZoneChanges, token: ChangeToken)
  /// The zone has been read up to the token. What a repeated reading did not find was deleted; or the broker lost it,
  /// and its history continues the former one.
  case reachLevel(ZoneID, token: ChangeToken, sweep: Sweep, former: FormerHistory? = nil)
  /// Read the zone from the start again.
  case reread(ZoneID, sweep: Sweep)
  /// The account can no longer read the zone, for this reason.
  case dropZone(ZoneID, RecordsError)
  /// The broker lost a zone of this account: create it again, with everything that this device has of it.
  case recreateZone(ZoneID)
  /// Everything that the broker had was read. Where a moved record has not been found, it does not exist.
  case giveUpTargets

  // MARK: The past

  /// Store earlier states of a record.
  case storeHistory(RecordID, HistoryPage)
  /// Store deleted records of a zone.
  case storeTrash(ZoneID, TrashPage)

  // MARK: Assets

  /// The broker has the file: edits that waited for it can be sent.
  case assetHeld(AssetDigest)
  /// The broker rejects the file: reject the edits that refer to it.
  case rejectAsset(AssetDigest, RecordsError)
  /// The broker does not return the file from this zone: it is no longer wanted from there.
  case giveUpAsset(AssetWant)

  // MARK: Subscriptions and notifications

  /// The broker saved or deleted the subscription.
  case subscriptionAccepted(PendingSubscriptionChange)
  /// The broker rejected the request.
  case subscriptionRejected(PendingSubscriptionChange, RecordsError)
  /// Store notifications.
  case storeNotifications(NotificationPage)
  /// Deliver the notifications that still wait for their records.
  case releaseNotifications

  // MARK: The public database

  /// Mark all public records that are stored, to find out which of them the reading does not return.
  case markPublicRecords
  /// Store the history of the public database. Another history than before means that records were lost.
  case notePublicHistory(Incarnation)
  /// Store public records that a query returned.
  case storeFound([Change])
  /// Call `fetchMissing` with the marked records.
  case findMissing
  /// Store public records that were fetched by name. Unless the run fetched them, the broker may have read them before
  /// the run began.
  case storeFetched([NamedState], isOfRun: Bool)
  /// Public records that cannot be fetched now: they stay as they are, and count as found.
  case skipPublicRecords([RecordName])
  /// The public database has been read. Deletions are kept if older states of the deleted records may still arrive.
  case endPublicReading(keepsDeletions: Bool)
}

/// What a repeated reading of a zone means for what it does not find.
package enum Sweep: Int, Hashable, Sendable, CaseIterable {
  /// The zone is not read again.
  case none = 0
  /// The change token expired or is missing. A record that the broker no longer sends was deleted.
  case expired = 1
  /// The broker lost history: what is not found, or is found older than it is here, may have been
  /// lost with it.
  case restored = 2
}
