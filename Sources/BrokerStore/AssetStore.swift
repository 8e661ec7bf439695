// The database interface for assets. The files are elsewhere. A row says that an account has a file; it is
// written after the file is durable. Uses say which records refer to the file; they change in the transaction
// that changes the record. A record therefore never refers to a missing file, and a file is deleted only
// after its last use has ended.

import BrokerCore
import Records

/// Reads of assets, which run concurrently with the transactions.
package protocol AssetStore: Sendable {
  /// Returns the asset with this digest if a record of `zone` refers to it and `identity` may read the zone.
  /// Returns `nil` in all other cases, so that the answer reveals nothing about other accounts' files.
  func asset(
    _ digest: AssetDigest, in zone: ZoneID, for identity: SessionIdentity
  ) throws -> Asset?

  /// Returns those of `digests` that an account has. All other files on the disk may be deleted.
  func registered(_ digests: [AssetDigest]) throws -> Set<AssetDigest>

  /// Whether the file was found missing or damaged, and no device has uploaded it again.
  func isLost(_ digest: AssetDigest) throws -> Bool

  /// Returns the lost files after `digest` that the account may upload again, by digest, at most
  /// `countMaximum`: files that its records refer to, and files that records of shared zones refer to if it
  /// may write to them.
  func wantedAssets(
    of identity: SessionIdentity, after digest: AssetDigest?, countMaximum: Int
  ) throws -> [Asset]

  /// Returns the files of all accounts after `digest`, by digest, at most `countMaximum`, to compare them
  /// with the disk.
  func storedAssets(after digest: AssetDigest?, countMaximum: Int) throws -> [StoredAsset]
}

/// A file that at least one account has.
package struct StoredAsset: Hashable, Sendable {
  /// The digest and the size of the file.
  package let asset: Asset
  /// Whether the file is known to be missing or damaged.
  package let isLost: Bool

  package init(asset: Asset, isLost: Bool) {
    self.asset = asset
    self.isLost = isLost
  }
}

/// Changes to assets, inside a transaction.
package protocol AssetTransaction {
  /// Returns whether the account has the file that it offers, or must upload it. If it has the file without
  /// using it, the grace period starts again, so that the record that will refer to it can be saved.
  func offered(
    _ asset: Asset, by identity: SessionIdentity, at now: Timestamp
  ) throws -> AssetOffer

  /// Registers a file that is on the disk for the account, charges the account for it, and clears its mark as
  /// lost. The grace period runs until a record refers to the file.
  func registerAsset(_ asset: Asset, _ id: UploadID, at now: Timestamp) throws

  /// Marks files that were found missing or damaged, and clears the marks of files that are available again.
  /// - Returns: the number of new marks.
  func recordAssets(lost: [AssetDigest], found: [AssetDigest], at now: Timestamp) throws -> Int
}
