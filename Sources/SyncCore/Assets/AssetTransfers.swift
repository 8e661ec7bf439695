// The asset uploads and downloads of a connection. A few files are transferred at a time, with a few chunks in flight
// each. More would not be faster and would delay edits and the feed on the same connection. The state ends with the
// connection. The next connection continues with the bytes that arrived on either disk.

import Records

/// A missing file that a local record refers to.
package struct AssetWant: Hashable, Sendable {
  /// A zone with a record that refers to it.
  package let zone: ZoneID
  /// The file.
  package let asset: Asset

  package init(zone: ZoneID, asset: Asset) {
    self.zone = zone
    self.asset = asset
  }
}

/// The transfers of the current connection.
struct AssetTransfers: Sendable {
  /// The maximum number of concurrent uploads.
  static let uploadsMaximum = 3
  /// The maximum number of concurrent downloads. Chunks of the next files arrive while others are made durable.
  static let downloadsMaximum = 8
  /// The maximum number of chunks of one upload that are in flight.
  static let piecesMaximum = 4
  /// The delay before a transfer that failed for a temporary reason is repeated.
  static let pauseMilliseconds = 30_000
  /// The number of deferred files at which no transfer is started, because the cause is probably not a single file.
  static let deferredMaximum = 64
  /// How often in a row the broker may reject a record because of a file that it had reported to have.
  static let refusalsMaximum = 3

  struct Upload: Sendable {
    let asset: Asset
    /// The offset of the next chunk; `nil` until the offer is answered.
    var next: Int?
    /// The unanswered messages, with the times at which they were sent.
    var waiting: [UInt64: Timestamp]
  }

  struct Download: Sendable {
    let want: AssetWant
    /// The number of the download. Earlier downloads are completed first.
    let turn: UInt64
    /// The offset of the next request; `nil` until the length of the local part is known.
    var next: Int?
    /// The number of bytes received, in order.
    var received = 0
    /// The number of chunks that are not written to disk yet.
    var unwritten = 0
    /// The unanswered requests.
    var waiting: [UInt64: Question] = [:]

    struct Question: Sendable {
      let offset: Int
      let asked: Timestamp
    }
  }

  /// The broker's maximum size of a chunk.
  var pieceBytesMaximum = Limits.assetPieceBytesMinimum
  /// The broker's maximum number of chunks that one connection may request at a time.
  var fetchesMaximum = 1
  var sentPieces = PieceSize()
  var fetchedPieces = PieceSize()
  var uploads: [AssetDigest: Upload] = [:]
  var downloads: [AssetDigest: Download] = [:]
  /// The number of downloads that were started.
  var turns: UInt64 = 0
  /// The files that the broker has, as it said on this connection. A later connection cannot rely on this, because the
  /// broker deletes files that no record refers to.
  var held: Set<AssetDigest> = []
  /// The files that the broker has lost and asks for.
  var returns = AssetReturns()
  /// Files that the broker has lost. They are requested again when it reports that it has them.
  var missing: Set<AssetDigest> = []
  /// Files whose transfer is repeated when the timer fires.
  var deferred: Set<AssetDigest> = []
  /// Messages of ended uploads whose answers are ignored. Some answers never arrive, because a chunk that could not
  /// be read was not sent.
  var abandoned: Set<UInt64> = []
  /// Unanswered requests of ended downloads, whose answers are ignored.
  var abandonedFetches: Set<UInt64> = []
  /// How often each file was offered again after an upload failed.
  var attempts: [AssetDigest: Int] = [:]
  var refusals = 0
  /// Whether the store may have wanted files that were not examined.
  var mayHaveWants = true

  /// Forgets all transfers, because the connection ended.
  mutating func reset() {
    let refusals = refusals
    self = AssetTransfers()
    self.refusals = refusals
  }

  /// Whether the number of deferred files has reached its limit, so that no transfer is started.
  var areStuck: Bool { deferred.count >= Self.deferredMaximum }

  /// The number of chunks that may be requested now. A completely received file needs no more requests. Unanswered
  /// requests of ended downloads still count.
  var roomForFetches: Int {
    downloads.values.reduce(fetchesMaximum - abandonedFetches.count) { room, download in
      let isWhole = download.received == download.want.asset.byteCount
      return isWhole ? room : room - download.waiting.count - download.unwritten
    }
  }

  mutating func endUpload(_ digest: AssetDigest) {
    guard let upload = uploads.removeValue(forKey: digest) else { return }
    abandoned.formUnion(upload.waiting.keys)
  }

  mutating func endDownload(_ digest: AssetDigest) {
    guard let download = downloads.removeValue(forKey: digest) else { return }
    abandonedFetches.formUnion(download.waiting.keys)
    mayHaveWants = true
  }
}
