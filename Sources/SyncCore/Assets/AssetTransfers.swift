// Files on their way between a device and its broker. A few at a time, a few pieces each: more would
// fill the connection that edits and the feed need, and gain nothing on it. What is under way is
// forgotten with the connection; what has arrived on either disk is found there by the next one.

import Records

/// A file that a record here names and that is not here.
package struct AssetWant: Hashable, Sendable {
  /// A zone with a record that names it.
  package let zone: ZoneID
  /// The file.
  package let asset: Asset

  /// Wants a file.
  package init(zone: ZoneID, asset: Asset) {
    self.zone = zone
    self.asset = asset
  }
}

/// What is under way on the present connection.
struct AssetTransfers: Sendable {
  /// Files sent at a time.
  static let uploadsMaximum = 3
  /// Files fetched at a time: while some are made durable, the next one's pieces come.
  static let downloadsMaximum = 8
  /// Pieces of one file that are under way.
  static let piecesMaximum = 4
  /// How long a file that met a passing obstacle waits.
  static let pauseMilliseconds = 30_000
  /// Files that wait for that at a time; with more of them nothing else is tried either, because the
  /// obstacle is hardly one file's.
  static let deferredMaximum = 64
  /// How often in a row the broker may refuse a record for a file it had said to hold.
  static let refusalsMaximum = 3

  struct Upload: Sendable {
    let asset: Asset
    /// Where the next piece begins; `nil` until the offer is answered.
    var next: Int?
    /// Messages that are not answered, and when they were sent.
    var waiting: [UInt64: Timestamp]
  }

  struct Download: Sendable {
    let want: AssetWant
    /// Its place among the files that were begun: the first are finished first.
    let turn: UInt64
    /// Where the next question begins; `nil` until the disk has said what is there.
    var next: Int?
    /// What came, in order, up to here.
    var received = 0
    /// Pieces on their way to the disk.
    var unwritten = 0
    /// Questions that are not answered.
    var waiting: [UInt64: Question] = [:]

    struct Question: Sendable {
      let offset: Int
      let asked: Timestamp
    }
  }

  /// How long a piece is at most, as the broker said.
  var pieceBytesMaximum = Limits.assetPieceBytesMinimum
  /// Pieces of all files that are asked for at a time: what the broker takes of one connection, as it said.
  var fetchesMaximum = 1
  var sentPieces = PieceSize()
  var fetchedPieces = PieceSize()
  var uploads: [AssetDigest: Upload] = [:]
  var downloads: [AssetDigest: Download] = [:]
  /// How many files were begun.
  var turns: UInt64 = 0
  /// What the broker has said to hold on this connection. Not kept longer: it may collect what no
  /// record names.
  var held: Set<AssetDigest> = []
  /// What the broker wants back.
  var returns = AssetReturns()
  /// Files that the broker has lost; not asked for until it says that it has them again.
  var missing: Set<AssetDigest> = []
  /// Files that wait for the timer.
  var deferred: Set<AssetDigest> = []
  /// Answers to offers and pieces that nobody waits for any more. Some never come: a piece that could not
  /// be read was not sent.
  var abandoned: Set<UInt64> = []
  /// Answers to fetches that are of no use any more, and still to come.
  var abandonedFetches: Set<UInt64> = []
  /// How often a file was offered again after something went wrong with it.
  var attempts: [AssetDigest: Int] = [:]
  var refusals = 0
  /// Whether the store may have wants that were not looked at.
  var mayHaveWants = true

  /// The connection is gone.
  mutating func reset() {
    let refusals = refusals
    self = AssetTransfers()
    self.refusals = refusals
  }

  /// Whether so many files met an obstacle that no other is tried.
  var areStuck: Bool { deferred.count >= Self.deferredMaximum }

  /// How many pieces may be asked for now. A file of which everything came needs none; answers to
  /// what is of no use any more still have to come.
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
