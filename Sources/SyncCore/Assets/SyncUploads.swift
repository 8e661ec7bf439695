// A file goes before the record that names it. It is offered on each connection anew: a question
// costs a round trip, and an answer of yesterday may no longer be true. The broker says from where
// to send, so what was sent before a connection broke is not sent again.

import Records

extension SyncMachine {
  /// What the broker holds for certain, so that records may name it.
  package var heldAssets: Set<AssetDigest> { transfers.held }

  /// Whether a record that was refused for its file is sent again once the file has been offered
  /// again; a broker that goes on refusing means it.
  package var offersAgain: Bool { transfers.refusals <= AssetTransfers.refusalsMaximum }

  /// Whether another file may be offered now.
  package var looksForUploads: Bool {
    conversation.isReady && !transfers.areStuck
      && transfers.uploads.count < AssetTransfers.uploadsMaximum
  }

  /// Whether so many files met an obstacle that no other is offered for the time being.
  package var areUploadsStuck: Bool { transfers.areStuck }

  /// Files that are on their way, or tried again later.
  package var assetsNotToOffer: Set<AssetDigest> {
    transfers.deferred.union(transfers.uploads.keys)
  }

  /// The file, none of `assetsNotToOffer`, is needed on the broker before something else can be sent.
  package mutating func upload(_ asset: Asset) -> [SyncStep] {
    guard looksForUploads, !assetsNotToOffer.contains(asset.id) else { return [] }
    let id = freshID()
    transfers.uploads[asset.id] = AssetTransfers.Upload(asset: asset, next: nil, waiting: [id: now])
    return [.send(id: id, .offerAsset(asset))]
  }

  mutating func stands(_ standing: AssetStanding, replyTo: UInt64) -> [SyncStep] {
    if replyTo == 0, standing.isHeld { return isBack(standing.digest) }
    guard var upload = transfers.uploads[standing.digest],
      let sent = upload.waiting.removeValue(forKey: replyTo)
    else {
      transfers.abandoned.remove(replyTo)
      return []
    }
    transfers.uploads[standing.digest] = upload
    if standing.isHeld {
      transfers.endUpload(standing.digest)
      transfers.attempts[standing.digest] = nil
      transfers.held.insert(standing.digest)
      let isReturn = transfers.returns.returning.remove(standing.digest) != nil
      let said: [SyncStep] =
        isReturn
        ? [.report("The broker had lost the file \(standing.digest); it was uploaded again.")] : []
      return said + [.store(.assetHeld(standing.digest))]
    }
    if upload.next != nil {
      transfers.sentPieces.answered(
        sentAt: sent, now: now, maximum: transfers.pieceBytesMaximum)
    }
    var next = upload.next ?? standing.offset
    var steps: [SyncStep] = []
    while next < upload.asset.byteCount, upload.waiting.count < AssetTransfers.piecesMaximum {
      let id = freshID()
      let count = min(transfers.sentPieces.bytes, upload.asset.byteCount - next)
      steps.append(.action(.file(.send(id: id, upload.asset, offset: next, byteCount: count))))
      upload.waiting[id] = now
      next += count
    }
    upload.next = next
    transfers.uploads[standing.digest] = upload
    return steps
  }

  /// The device cannot read the file that it is to send. One that is not there or not what it was
  /// never will be; a disk or a process in trouble gets over it.
  package mutating func unreadable(_ digest: AssetDigest, _ error: RecordsError) -> [SyncStep] {
    guard transfers.uploads[digest] != nil else { return [] }
    transfers.endUpload(digest)
    guard error.code == .assetNotAvailable else {
      return [.report("A file could not be read: \(error.logText).")] + pause(digest, error)
    }
    return [.store(.rejectAsset(digest, error))]
  }

  mutating func uploadRefused(_ digest: AssetDigest, _ error: RecordsError) -> [SyncStep] {
    transfers.endUpload(digest)
    if error.isTemporary { return pause(digest, error) }
    let attempts = transfers.attempts[digest, default: 0] + 1
    transfers.attempts[digest] = attempts
    // What the broker has is not what was thought: its next answer says what it has.
    if error.reason == "notOffered" || error.reason == "wrongOffset", attempts < 3 {
      return [.store(.sendMore)]
    }
    return [.store(.rejectAsset(digest, error))]
  }

  /// Puts a file off; another may go in its place.
  mutating func pause(_ digest: AssetDigest, _ error: RecordsError) -> [SyncStep] {
    transfers.deferred.insert(digest)
    let asked = (error.retryAfterSeconds ?? 0) * 1000
    return [
      .wait(.transfers, milliseconds: max(asked, AssetTransfers.pauseMilliseconds)),
      .store(.sendMore),
    ]
  }

  /// Looks at an outcome: a record refused for its file means that nothing said before holds.
  mutating func noticeAssets(in outcome: ModifyOutcome) {
    let isRefused = outcome.groups.contains { group in
      group.contains { result in
        guard case .failed(let error, _) = result else { return false }
        return error.code == .assetNotAvailable
      }
    }
    if isRefused {
      transfers.held = []
      transfers.refusals += 1
    } else {
      transfers.refusals = 0
    }
  }
}

extension RecordsError {
  /// Whether it says something of the moment, and nothing of the file.
  var isTemporary: Bool {
    code.isTransient || code == .internalError || code == .serverResponseLost
      || code == .operationCancelled
  }
}
