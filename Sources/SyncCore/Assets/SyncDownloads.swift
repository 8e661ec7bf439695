// Files that are fetched. The next piece is asked for when an earlier one is on this device's disk,
// so a slow disk slows the broker down and nothing piles up in between.

import Records

extension SyncMachine {
  /// Whether something more may be fetched now, and something may be wanted.
  package var looksForWants: Bool {
    connection == .ready && transfers.mayHaveWants && !transfers.areStuck
      && transfers.downloads.count < AssetTransfers.filesMaximum
  }

  /// Files that met an obstacle and are tried again later.
  package var deferredAssets: Set<AssetDigest> { transfers.deferred }

  /// How much of a file that is being fetched has come; `nil` when it is not under way.
  package func fetchedBytes(of digest: AssetDigest) -> Int? {
    transfers.downloads[digest]?.received
  }

  /// Something new is wanted.
  package mutating func wantsChanged() {
    transfers.mayHaveWants = true
  }

  /// These files are wanted, the most urgent first, without those of `deferredAssets`. All there
  /// are, or more than can be under way.
  package mutating func download(_ wants: [AssetWant]) -> [SyncStep] {
    guard connection == .ready else { return [] }
    var steps: [SyncStep] = []
    for want in wants where transfers.downloads[want.asset.id] == nil {
      guard !transfers.deferred.contains(want.asset.id) else { continue }
      guard transfers.downloads.count < AssetTransfers.filesMaximum else { return steps }
      transfers.downloads[want.asset.id] = AssetTransfers.Download(want: want)
      steps.append(.openAsset(want.asset))
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
    var steps: [SyncStep] = []
    var next = download.next ?? byteCount
    while next < download.want.asset.byteCount,
      download.waiting.count + download.unwritten < AssetTransfers.piecesMaximum
    {
      let id = freshID()
      let count = min(Limits.assetPieceBytes, download.want.asset.byteCount - next)
      let fetch = AssetFetch(
        zone: download.want.zone, digest: digest, offset: next, byteCount: count)
      steps.append(.send(id: id, .fetchAsset(fetch)))
      download.waiting[id] = next
      next += count
    }
    download.next = next
    transfers.downloads[digest] = download
    return steps
  }

  mutating func came(_ piece: AssetPiece, replyTo: UInt64) -> [SyncStep] {
    guard var download = transfers.downloads[piece.digest],
      let asked = download.waiting.removeValue(forKey: replyTo)
    else { return [] }
    guard piece.offset == asked, piece.offset == download.received,
      piece.end <= download.want.asset.byteCount
    else {
      return failed(
        piece.digest,
        RecordsError(.serverResponseLost, "A piece of a file came out of its place."))
    }
    download.received = piece.end
    download.unwritten += 1
    transfers.downloads[piece.digest] = download
    return [.keepAssetPiece(download.want.asset, piece)]
  }

  /// The file is whole and on the device's disk.
  package mutating func arrived(_ digest: AssetDigest) {
    transfers.endDownload(digest)
  }

  /// The file could not be written here, or is not what its name says; it is tried again later.
  package mutating func failed(_ digest: AssetDigest, _ error: RecordsError) -> [SyncStep] {
    guard transfers.downloads[digest] != nil else { return [] }
    transfers.endDownload(digest)
    return [.report("A file could not be fetched: \(error.message)")] + pause(digest, error)
  }

  private mutating func downloadRefused(
    _ want: AssetWant, _ error: RecordsError
  ) -> [SyncStep] {
    transfers.endDownload(want.asset.id)
    guard !error.mayPass else { return pause(want.asset.id, error) }
    // It may be wanted from another zone meanwhile.
    transfers.mayHaveWants = true
    return [.loseAsset(want, error)]
  }

  /// The answer to something about a file was an error; `nil` if it was about something else.
  mutating func assetRefused(_ error: RecordsError, replyTo: UInt64) -> [SyncStep]? {
    if transfers.abandoned.remove(replyTo) != nil { return [] }
    for (digest, upload) in transfers.uploads where upload.waiting.contains(replyTo) {
      return uploadRefused(digest, error)
    }
    for download in transfers.downloads.values where download.waiting[replyTo] != nil {
      return downloadRefused(download.want, error)
    }
    return nil
  }
}
