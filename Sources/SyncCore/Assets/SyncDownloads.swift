// Files that are fetched. The next piece is asked for when an earlier one is on this device's disk,
// so a slow disk slows the broker down and nothing piles up in between.

import Records

extension SyncMachine {
  /// Whether something more may be fetched now, and something may be wanted.
  package var looksForWants: Bool {
    conversation.isReady && transfers.mayHaveWants && !transfers.areStuck
      && transfers.downloads.count < AssetTransfers.downloadsMaximum
  }

  /// Files that met an obstacle and are tried again later.
  package var deferredAssets: Set<AssetDigest> { transfers.deferred.union(transfers.missing) }

  /// Files that are wanted here and that the broker has lost, as far as it was asked for them on this
  /// connection; in order.
  package var lostAssets: [AssetDigest] { transfers.missing.sorted() }

  /// How much of a file that is being fetched has come; `nil` when it is not under way.
  package func fetchedBytes(of digest: AssetDigest) -> Int? {
    transfers.downloads[digest]?.received
  }

  /// Something new is wanted.
  package mutating func wantsChanged() {
    transfers.mayHaveWants = true
  }

  /// Somebody waits for this file: it is asked for also where the broker had lost it.
  package mutating func isAwaited(_ digest: AssetDigest) {
    transfers.missing.remove(digest)
    transfers.mayHaveWants = true
  }

  /// These files are wanted, the most urgent first, without those of `deferredAssets`. All there
  /// are, or more than can be under way.
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

  /// So much of the file is on the device's disk, from an earlier connection or from this one.
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

  /// Asks for pieces, as many as may be under way: of the files that were begun first before the others,
  /// so that one after the other is whole, and made durable while the next one comes.
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

  /// The file is whole and on the device's disk.
  package mutating func arrived(_ digest: AssetDigest) -> [SyncStep] {
    transfers.endDownload(digest)
    return fetchPieces()
  }

  /// The file could not be written here, or is not what its name says; it is tried again later.
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
    // NB: the broker remembers as many for whom it has to tell.
    if error.reason == "damaged", transfers.missing.count < Limits.missedAssetsPerSession {
      transfers.missing.insert(digest)
      return [.action(.assetLost(digest, error))]
    }
    // It may be wanted from another zone meanwhile.
    transfers.mayHaveWants = true
    return [.store(.giveUpAsset(want)), .action(.assetLost(digest, error))]
  }

  /// The answer to something about a file was an error; `nil` if it was about something else.
  mutating func assetRefused(_ error: RecordsError, replyTo: UInt64) -> [SyncStep]? {
    if transfers.abandoned.remove(replyTo) != nil { return [] }
    if transfers.abandonedFetches.remove(replyTo) != nil { return fetchPieces() }
    // NB: it is answered with that, and no longer waited for.
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
