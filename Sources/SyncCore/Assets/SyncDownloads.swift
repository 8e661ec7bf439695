// Downloads files. The next chunk is requested when an earlier one is on this device's disk, so a slow disk slows the
// broker down and chunks do not accumulate in memory.

import Records

extension SyncMachine {
  /// Whether another download may start now, and the store may have a wanted file.
  package var looksForWants: Bool {
    conversation.isReady && transfers.mayHaveWants && !transfers.areStuck
      && transfers.downloads.count < AssetTransfers.downloadsMaximum
  }

  /// Files whose download failed and is repeated later.
  package var deferredAssets: Set<AssetDigest> { transfers.deferred.union(transfers.missing) }

  /// The wanted files that the broker has lost, as far as they were requested on this connection, in order.
  package var lostAssets: [AssetDigest] { transfers.missing.sorted() }

  /// The number of bytes received of a file; `nil` if it is not being downloaded.
  package func fetchedBytes(of digest: AssetDigest) -> Int? {
    transfers.downloads[digest]?.received
  }

  /// Records that the store has new wanted files.
  package mutating func wantsChanged() {
    transfers.mayHaveWants = true
  }

  /// Requests a file for a caller that waits for it, even if the broker has lost it.
  package mutating func isAwaited(_ digest: AssetDigest) {
    transfers.missing.remove(digest)
    transfers.mayHaveWants = true
  }

  /// Starts downloads.
  /// - Parameter wants: wanted files without those of `deferredAssets`, the most urgent first: all of them, or more
  ///   than can be downloaded at a time.
  package mutating func download(_ wants: [AssetWant]) -> [SyncStep] {
    guard conversation.isReady else { return [] }
    var steps: [SyncStep] = []
    for want in wants where transfers.downloads[want.asset.id] == nil {
      guard !deferredAssets.contains(want.asset.id) else { continue }
      guard transfers.downloads.count < AssetTransfers.downloadsMaximum else { return steps }
      transfers.turns += 1
      transfers.downloads[want.asset.id] = AssetTransfers.Download(
        want: want, turn: transfers.turns)
      steps.append(.action(.file(.open(want.asset))))
    }
    transfers.mayHaveWants = false
    return steps
  }

  /// Records that `byteCount` bytes of the file are on this device's disk, from this connection or an earlier one.
  package mutating func reached(_ digest: AssetDigest, byteCount: Int) -> [SyncStep] {
    guard var download = transfers.downloads[digest] else { return [] }
    if download.next == nil {
      download.next = byteCount
      download.received = byteCount
    } else {
      download.unwritten -= 1
    }
    transfers.downloads[digest] = download
    return fetchPieces()
  }

  /// Requests as many chunks as allowed, first of the earliest download. So the files are completed one after another,
  /// and each is made durable while the next one arrives.
  private mutating func fetchPieces() -> [SyncStep] {
    var steps: [SyncStep] = []
    var room = transfers.roomForFetches
    guard room > 0 else { return [] }
    let turns = transfers.downloads.sorted { $0.value.turn < $1.value.turn }
    for (digest, download) in turns where room > 0 {
      guard var next = download.next else { continue }
      while room > 0, next < download.want.asset.byteCount {
        let id = freshID()
        let count = min(transfers.fetchedPieces.bytes, download.want.asset.byteCount - next)
        let fetch = AssetFetch(
          zone: download.want.zone, digest: digest, offset: next, byteCount: count)
        steps.append(.send(id: id, .fetchAsset(fetch)))
        transfers.downloads[digest]?.waiting[id] = .init(offset: next, asked: now)
        next += count
        room -= 1
      }
      transfers.downloads[digest]?.next = next
    }
    return steps
  }

  mutating func came(_ piece: AssetPiece, replyTo: UInt64) -> [SyncStep] {
    guard var download = transfers.downloads[piece.digest],
      let asked = download.waiting.removeValue(forKey: replyTo)
    else {
      transfers.abandonedFetches.remove(replyTo)
      return fetchPieces()
    }
    transfers.downloads[piece.digest] = download
    transfers.fetchedPieces.answered(
      sentAt: asked.asked, now: now, maximum: transfers.pieceBytesMaximum)
    guard piece.offset == asked.offset, piece.offset == download.received,
      piece.end <= download.want.asset.byteCount
    else {
      return failed(
        piece.digest,
        RecordsError(.serverResponseLost, "A file chunk is out of order."))
    }
    download.received = piece.end
    download.unwritten += 1
    transfers.downloads[piece.digest] = download
    return [.action(.file(.append(download.want.asset, piece)))] + fetchPieces()
  }

  /// Ends the download of a file that is complete on this device's disk.
  package mutating func arrived(_ digest: AssetDigest) -> [SyncStep] {
    transfers.endDownload(digest)
    return fetchPieces()
  }

  /// Ends the download of a file that could not be written or does not match its digest, and repeats it later.
  package mutating func failed(_ digest: AssetDigest, _ error: RecordsError) -> [SyncStep] {
    guard transfers.downloads[digest] != nil else { return [] }
    transfers.endDownload(digest)
    return [.report("A file could not be fetched: \(error.logText).")] + pause(digest, error)
      + fetchPieces()
  }

  private mutating func downloadRefused(
    _ want: AssetWant, _ error: RecordsError
  ) -> [SyncStep] {
    let digest = want.asset.id
    transfers.endDownload(digest)
    guard !error.isTemporary else { return pause(digest, error) }
    // NB: the broker remembers only this number of missing files for each connection.
    if error.reason == "damaged", transfers.missing.count < Limits.missedAssetsPerSession {
      transfers.missing.insert(digest)
      return [.action(.assetLost(digest, error))]
    }
    // The file may still be available through another zone.
    transfers.mayHaveWants = true
    return [.store(.giveUpAsset(want)), .action(.assetLost(digest, error))]
  }

  /// Handles the rejection of a message about a file. Returns `nil` if the broker rejected another message.
  mutating func assetRefused(_ error: RecordsError, replyTo: UInt64) -> [SyncStep]? {
    if transfers.abandoned.remove(replyTo) != nil { return [] }
    if transfers.abandonedFetches.remove(replyTo) != nil { return fetchPieces() }
    // NB: the error is the answer, so the message must not be abandoned as well.
    for digest in transfers.uploads.keys
    where transfers.uploads[digest]?.waiting.removeValue(forKey: replyTo) != nil {
      return uploadRefused(digest, error)
    }
    for (digest, download) in transfers.downloads
    where transfers.downloads[digest]?.waiting.removeValue(forKey: replyTo) != nil {
      return downloadRefused(download.want, error) + fetchPieces()
    }
    return nil
  }
}
