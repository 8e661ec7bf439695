// What the broker needs of a database for assets. The files themselves are not here: a row says that
// an account has a file, and was entered after the file was durable; uses say which records name it,
// and change in the transaction that changes the record. So a record never points at a file that is
// not there, and a file goes only after the last thing that needed it.

import BrokerCore
import Records

/// Reads about assets, beside the transactions.
package protocol AssetStore: Sendable {
  /// The asset of this digest, if a record of `zone` names it and `identity` may read the zone.
  /// Whoever asks for anything else is told the same: nothing.
  func asset(
    _ digest: AssetDigest, in zone: ZoneID, for identity: SessionIdentity
  ) throws -> Asset?

  /// Those of `digests` that any account has: what a sweep of the files leaves alone.
  func entered(_ digests: [AssetDigest]) throws -> Set<AssetDigest>

  /// Whether the file was found to be gone or damaged, and nobody has sent it again yet.
  func isLost(_ digest: AssetDigest) throws -> Bool

  /// Lost files behind a digest that the account may send again, at most `countMaximum`, by their
  /// digests: those it has for its records, and those that records name where it may write.
  func wantedAssets(
    of identity: SessionIdentity, after digest: AssetDigest?, countMaximum: Int
  ) throws -> [Asset]

  /// The files behind a digest, at most `countMaximum`, by their digests: for whoever compares them
  /// with the disk.
  func keptAssets(after digest: AssetDigest?, countMaximum: Int) throws -> [KeptAsset]
}

/// A file that some account has.
package struct KeptAsset: Hashable, Sendable {
  /// The file.
  package let asset: Asset
  /// Whether it is known not to be as it should.
  package let isLost: Bool

  /// A file.
  package init(asset: Asset, isLost: Bool) {
    self.asset = asset
    self.isLost = isLost
  }
}

/// Changes to assets, inside a transaction.
package protocol AssetTransaction {
  /// How the account stands to a file it offers. One that it has and does not use begins its grace
  /// anew, so that the record which is to name it finds it.
  func offered(
    _ asset: Asset, by identity: SessionIdentity, at now: Timestamp
  ) throws -> AssetOffer

  /// Enters a file that is on the disk; charges it to the account. Until a record names it, its
  /// grace runs.
  func keep(_ asset: Asset, _ id: UploadID, at now: Timestamp) throws

  /// Notes which files were found to be gone or damaged, and which are there again. What was sent
  /// again with `keep` is no longer lost either.
  /// - Returns: how many are lost that were not lost before.
  func recordAssets(lost: [AssetDigest], found: [AssetDigest], at now: Timestamp) throws -> Int
}
