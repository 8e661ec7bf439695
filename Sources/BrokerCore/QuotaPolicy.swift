// How much the broker takes of everybody, as its administrator has set it. What is the same for all
// brokers stands in Records/Limits.swift.

import Records

/// How much the broker takes. Beyond → `quotaExceeded`, or `limitExceeded` for one asset.
package struct QuotaPolicy: Hashable, Sendable {
  /// The largest asset.
  package let assetBytes: Int
  /// What the assets of one account may weigh together.
  package let accountBytes: Int
  /// The records of one account: those in its own zones, and those it made in the public database.
  package let accountRecords: Int
  /// The bytes that those records have together, with their earlier states and tombstones.
  package let accountRecordBytes: Int

  /// A policy.
  package init(
    assetBytes: Int = Limits.assetBytes, accountBytes: Int = Self.accountBytes,
    accountRecords: Int = Self.accountRecords, accountRecordBytes: Int = Self.accountRecordBytes
  ) {
    self.accountRecordBytes = accountRecordBytes
    self.assetBytes = assetBytes
    self.accountBytes = accountBytes
    self.accountRecords = accountRecords
  }

  /// Unless the administrator says otherwise: photos of an address book of 100,000.
  package static let accountBytes = 20 << 30
  /// Unless the administrator says otherwise: ten address books of 100,000.
  package static let accountRecords = 1_000_000
  /// Unless the administrator says otherwise: a million records of a kibibyte, each with three earlier
  /// states.
  package static let accountRecordBytes = 4 << 30
}
