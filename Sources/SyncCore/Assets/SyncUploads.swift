// Uploads files before the records that refer to them. The device offers a file again on each connection: that costs
// one round trip, and an earlier answer may no longer be true. The broker answers with the offset to continue from, so
// bytes that were sent before a connection broke are not sent again.

import Records

extension SyncMachine {
  /// The files that the broker is known to have, so that records may refer to them.
  package var heldAssets: Set<AssetDigest> { transfers.held }

  /// Whether a record that was rejected because of its file is sent again after the file was offered again. After
  /// several rejections in a row it is not.
  package var offersAgain: Bool { transfers.refusals <= AssetTransfers.refusalsMaximum }

  /// Whether another upload may start now.
  package var looksForUploads: Bool {
    conversation.isReady && !transfers.areStuck
      && transfers.uploads.count < AssetTransfers.uploadsMaximum
  }

  /// Whether no upload may start because the number of deferred files has reached its limit.
  package var areUploadsStuck: Bool { transfers.areStuck }

  /// Files that are being uploaded, or whose transfer is repeated later.
  package var assetsNotToOffer: Set<AssetDigest> {
    transfers.deferred.union(transfers.uploads.keys)
  }

  /// Starts the upload of a file, unless it is one of `assetsNotToOffer`.
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
      let reports: [SyncStep] =
        isReturn
        ? [.report("The broker had lost the file \(standing.digest); it was uploaded again.")] : []
      return reports + [.store(.assetHeld(standing.digest))]
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

  /// Ends the upload of a file that cannot be read. A file that is missing or changed is given up. After any other
  /// error the upload is repeated later.
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
    // The broker has another part of the file than expected. The answer to the next offer says which.
    if error.reason == "notOffered" || error.reason == "wrongOffset", attempts < 3 {
      return [.store(.sendMore)]
    }
    return [.store(.rejectAsset(digest, error))]
  }

  /// Defers a file, so that another one can be transferred.
  mutating func pause(_ digest: AssetDigest, _ error: RecordsError) -> [SyncStep] {
    transfers.deferred.insert(digest)
    let asked = (error.retryAfterSeconds ?? 0) * 1000
    return [
      .wait(.transfers, milliseconds: max(asked, AssetTransfers.pauseMilliseconds)),
      .store(.sendMore),
    ]
  }

  /// Forgets which files the broker has if it rejected a record because of its file.
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
  /// Whether the error has a temporary cause that does not depend on the file.
  var isTemporary: Bool {
    code.isTransient || code == .internalError || code == .serverResponseLost
      || code == .operationCancelled
  }
}
