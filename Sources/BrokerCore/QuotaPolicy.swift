// The quotas that the broker's operator can set. Limits that are the same for all brokers are in
// Records/Limits.swift.

import Records

/// The quotas of every account. Requests beyond them fail with `quotaExceeded`, or with `limitExceeded` for
/// one asset.
package struct QuotaPolicy: Hashable, Sendable {
  /// The maximum size of an asset, in bytes.
  package let assetBytes: Int
  /// The maximum total size of an account's assets, in bytes.
  package let accountBytes: Int
  /// The maximum number of an account's records: those in its own zones, and those it created in the public
  /// database.
  package let accountRecords: Int
  /// The maximum total size of these records with their earlier versions and tombstones, in bytes.
  package let accountRecordBytes: Int
  /// The part of an owner's quotas that the participants of its zones can use together, in percent. The rest is left to
  /// the owner, also after a participant has written as much as it could.
  package let participantsPercent: Int

  package init(
    assetBytes: Int = Limits.assetBytes, accountBytes: Int = Self.accountBytes,
    accountRecords: Int = Self.accountRecords, accountRecordBytes: Int = Self.accountRecordBytes,
    participantsPercent: Int = Self.participantsPercent
  ) {
    self.participantsPercent = participantsPercent
    self.accountRecordBytes = accountRecordBytes
    self.assetBytes = assetBytes
    self.accountBytes = accountBytes
    self.accountRecords = accountRecords
  }

  /// The default: the photos of an address book of 100,000 contacts.
  package static let accountBytes = 20 << 30
  /// The default: ten address books of 100,000 contacts.
  package static let accountRecords = 1_000_000
  /// The default: a million records of 1 KiB, each with three earlier versions.
  package static let accountRecordBytes = 4 << 30
  /// The default: half.
  package static let participantsPercent = 50

  /// The limit of the participants together for a quota of the owner.
  package func ofParticipants(_ limit: Int) -> Int {
    limit / 100 * participantsPercent + limit % 100 * participantsPercent / 100
  }
}
