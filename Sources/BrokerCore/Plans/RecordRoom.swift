// How many records an account may have, and in how many bytes: those in its own zones, whoever wrote
// them, and those that it made in the public database. Bytes count what is kept of a record, its earlier
// states and tombstones included. At the limit of records an account can change and delete records, at the
// limit of bytes only delete. A deletion makes room for a record that follows it in the same request;
// bytes are free once the trash was emptied or the history has expired.

import Records

/// What the broker keeps for an account.
package struct AccountUsage: Hashable, Sendable {
  /// The records that exist.
  package var records: Int
  /// The bytes of their states and tombstones, with `BrokerLimits.bytesPerState` for each.
  package var bytes: Int

  /// What is kept.
  package init(records: Int = 0, bytes: Int = 0) {
    self.records = records
    self.bytes = bytes
  }

  /// Adds what else is kept.
  package mutating func add(_ other: AccountUsage) {
    records += other.records
    bytes += other.bytes
  }
}

/// The room for records that those have whom a request concerns.
package struct RecordRoom: Hashable, Sendable {
  private let limit: AccountUsage
  private var usages: [AccountID: AccountUsage]

  /// The room of accounts that have so much of `limit`; others are not counted.
  package init(limit: AccountUsage, usages: [AccountID: AccountUsage]) {
    self.limit = limit
    self.usages = usages
  }

  /// Nobody is counted.
  package static let unbounded = RecordRoom(
    limit: AccountUsage(records: .max, bytes: .max), usages: [:])

  /// One more record for `payer`, made by `account`. Returns why there is no room, or `nil`.
  mutating func take(for payer: AccountID, by account: AccountID) -> RecordsError? {
    guard let count = usages[payer]?.records else { return nil }
    guard count < limit.records else {
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
    usages[payer]?.records = count + 1
    return nil
  }

  /// One state of `byteCount` more for `payer`, saved by `account`. Returns why there is no room, or
  /// `nil`.
  mutating func take(
    _ byteCount: Int, for payer: AccountID, by account: AccountID
  ) -> RecordsError? {
    guard let bytes = usages[payer]?.bytes else { return nil }
    let total = bytes + byteCount + BrokerLimits.bytesPerState
    guard total <= limit.bytes else {
      let mebibytes = limit.bytes >> 20
      return payer == account
        ? RecordsError(
          .quotaExceeded,
          "This account's records and their history have reached the limit of \(mebibytes) MiB.",
          hint: "Delete records that you do not need and empty the trash, or ask the broker's "
            + "administrator for a higher limit.",
          reason: "recordBytes")
        : RecordsError(
          .quotaExceeded,
          "The records of this zone's owner have reached the limit of \(mebibytes) MiB.",
          hint: "Ask the owner to delete records.", reason: "ownersQuota")
    }
    usages[payer]?.bytes = total
    return nil
  }

  /// One record less.
  mutating func giveBack(to payer: AccountID) { usages[payer]?.records -= 1 }
}
