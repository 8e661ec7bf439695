// The limits of an account on records and their bytes. An account pays for all records in its zones, also
// those that participants wrote, and for the records that it created in the public database. Bytes include
// earlier versions and tombstones.
//
// At the record limit an account can still change and delete records; at the byte limit it can only delete.
// A deletion frees a record for a later operation of the same request. Bytes are freed when the trash is
// emptied or the history expires.

import ByteCounts
import Records

/// The storage that an account uses.
package struct AccountUsage: Hashable, Sendable {
  /// The number of records that exist.
  package var records: Int
  /// The bytes of their versions and tombstones, including `BrokerLimits.bytesPerState` for each.
  package var bytes: Int

  package init(records: Int = 0, bytes: Int = 0) {
    self.records = records
    self.bytes = bytes
  }

  /// Adds the usage `other`.
  package mutating func add(_ other: AccountUsage) {
    records += other.records
    bytes += other.bytes
  }
}

/// The usage of the accounts that a request charges, against their limit.
package struct RecordQuota: Hashable, Sendable {
  private let limit: AccountUsage
  private var usages: [AccountID: AccountUsage]

  /// Creates a quota for the accounts in `usages`. Other accounts are not limited.
  package init(limit: AccountUsage, usages: [AccountID: AccountUsage]) {
    self.limit = limit
    self.usages = usages
  }

  /// A quota that limits no account.
  package static let unbounded = RecordQuota(
    limit: AccountUsage(records: .max, bytes: .max), usages: [:])

  /// Charges `payer` for a record that `account` creates, or for all those that it restores. Returns the error if the
  /// limit would be exceeded.
  mutating func chargeRecords(
    _ recordCount: Int = 1, to payer: AccountID, by account: AccountID
  ) -> RecordsError? {
    guard let count = usages[payer]?.records else { return nil }
    guard count <= limit.records - recordCount else {
      return payer == account
        ? RecordsError(
          .quotaExceeded, "This account has reached its limit of \(limit.records) records.",
          hint: "Delete records that you do not need, or ask the broker's administrator for a "
            + "higher limit.",
          reason: "records")
        : RecordsError(
          .quotaExceeded,
          "The owner of this zone has reached the limit of \(limit.records) records.",
          hint: "Ask the owner to delete records.", reason: "ownersQuota")
    }
    usages[payer]?.records = count + recordCount
    return nil
  }

  /// Charges `payer` for a version of `byteCount` bytes that `account` saves. Returns the error if the
  /// limit would be exceeded.
  mutating func charge(
    _ byteCount: Int, to payer: AccountID, by account: AccountID
  ) -> RecordsError? {
    guard let bytes = usages[payer]?.bytes else { return nil }
    let total = bytes + byteCount + BrokerLimits.bytesPerState
    guard total <= limit.bytes else {
      let size = ByteCount(limit.bytes).limit
      return payer == account
        ? RecordsError(
          .quotaExceeded,
          "This account's records and their history have reached the limit of \(size).",
          hint: "Delete records that you do not need and empty the trash, or ask the broker's "
            + "administrator for a higher limit.",
          reason: "recordBytes")
        : RecordsError(
          .quotaExceeded,
          "The records of this zone's owner have reached the limit of \(size).",
          hint: "Ask the owner to delete records.", reason: "ownersQuota")
    }
    usages[payer]?.bytes = total
    return nil
  }

  /// Credits `payer` with one record.
  mutating func creditRecord(to payer: AccountID) { usages[payer]?.records -= 1 }
}
