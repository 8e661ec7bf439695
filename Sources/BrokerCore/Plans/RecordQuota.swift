// The limits of an account on records and their bytes. An account pays for all records in its zones, also
// those that participants wrote, and for the records that it created in the public database. Bytes include
// earlier versions and tombstones. Participants can use only a part of the owner's quota, so that the owner can still save
// when they have used it up.
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
  /// Those of the records that participants created.
  package var participantsRecords: Int
  /// Those of the bytes that participants saved.
  package var participantsBytes: Int

  package init(
    records: Int = 0, bytes: Int = 0, participantsRecords: Int = 0, participantsBytes: Int = 0
  ) {
    self.records = records
    self.bytes = bytes
    self.participantsRecords = participantsRecords
    self.participantsBytes = participantsBytes
  }

  /// Adds the usage `other`.
  package mutating func add(_ other: AccountUsage) {
    records += other.records
    bytes += other.bytes
    participantsRecords += other.participantsRecords
    participantsBytes += other.participantsBytes
  }
}

/// The usage of the accounts that a request charges, against their limit.
package struct RecordQuota: Hashable, Sendable {
  private let quotas: QuotaPolicy
  private var usages: [AccountID: AccountUsage]

  /// Creates a quota for the accounts in `usages`. Other accounts are not limited.
  package init(_ quotas: QuotaPolicy, usages: [AccountID: AccountUsage]) {
    self.quotas = quotas
    self.usages = usages
  }

  /// A quota that limits no account.
  package static let unbounded = RecordQuota(QuotaPolicy(), usages: [:])

  /// Charges `payer` for a record that `account` creates, or for all those that it restores. Returns the error if the
  /// limit would be exceeded.
  mutating func chargeRecords(
    _ recordCount: Int = 1, to payer: AccountID, by account: AccountID
  ) -> RecordsError? {
    guard var usage = usages[payer] else { return nil }
    usage.records += recordCount
    if payer != account {
      usage.participantsRecords += recordCount
      let limit = quotas.ofParticipants(quotas.accountRecords)
      guard usage.participantsRecords <= limit else { return .participants("\(limit) records") }
    }
    guard usage.records <= quotas.accountRecords else {
      return payer == account
        ? .ownRecords(quotas.accountRecords) : .owner("\(quotas.accountRecords) records")
    }
    usages[payer] = usage
    return nil
  }

  /// Charges `payer` for a version of `byteCount` bytes that `account` saves. Returns the error if the
  /// limit would be exceeded.
  mutating func charge(
    _ byteCount: Int, to payer: AccountID, by account: AccountID
  ) -> RecordsError? {
    guard var usage = usages[payer] else { return nil }
    usage.bytes += byteCount + BrokerLimits.bytesPerState
    if payer != account {
      usage.participantsBytes += byteCount + BrokerLimits.bytesPerState
      let limit = quotas.ofParticipants(quotas.accountRecordBytes)
      guard usage.participantsBytes <= limit else {
        return .participants("\(ByteCount(limit).limit) of records and their history")
      }
    }
    guard usage.bytes <= quotas.accountRecordBytes else {
      let size = ByteCount(quotas.accountRecordBytes).limit
      return payer == account ? .ownBytes(size) : .owner("\(size) of records and their history")
    }
    usages[payer] = usage
    return nil
  }

  /// Credits `payer` with one record, which `creator` had created.
  mutating func creditRecord(to payer: AccountID, createdBy creator: AccountID) {
    usages[payer]?.records -= 1
    if creator != payer { usages[payer]?.participantsRecords -= 1 }
  }
}

extension RecordsError {
  fileprivate static func ownRecords(_ limit: Int) -> RecordsError {
    RecordsError(
      .quotaExceeded, "This account has reached its limit of \(limit) records.",
      hint: "Delete records that you do not need, or ask the broker's administrator for a "
        + "higher limit.",
      reason: "records")
  }

  fileprivate static func ownBytes(_ size: String) -> RecordsError {
    RecordsError(
      .quotaExceeded,
      "This account's records and their history have reached the limit of \(size).",
      hint: "Delete records that you do not need and empty the trash, or ask the broker's "
        + "administrator for a higher limit.",
      reason: "recordBytes")
  }

  fileprivate static func owner(_ limit: String) -> RecordsError {
    RecordsError(
      .quotaExceeded, "The owner of this zone has reached the limit of \(limit).",
      hint: "Ask the owner to delete records.", reason: "ownersQuota")
  }

  /// The error for a save by which the participants of an owner's zones would use more than their part of its quota.
  static func participants(_ limit: String) -> RecordsError {
    RecordsError(
      .quotaExceeded,
      "The participants of this owner's zones have reached their limit of \(limit).",
      hint: "Delete what is not needed, and ask the owner to empty the trash.",
      reason: "participantsQuota")
  }
}
