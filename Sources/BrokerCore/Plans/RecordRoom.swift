// How many records an account may have: those in its own zones, whoever wrote them, and those that it
// made in the public database. Who has as many changes and deletes as before, and makes no more. A
// deletion makes room for what comes behind it in the same request.

import Records

/// The room for records that those have whom a request concerns.
package struct RecordRoom: Hashable, Sendable {
  private let limit: Int
  private var counts: [AccountID: Int]

  /// The room of accounts that have so many of `limit`; others are not counted.
  package init(limit: Int, counts: [AccountID: Int]) {
    self.limit = limit
    self.counts = counts
  }

  /// Nobody is counted.
  package static let unbounded = RecordRoom(limit: .max, counts: [:])

  /// One more for `payer`, made by `account`. Returns why there is no room, or `nil`.
  mutating func take(for payer: AccountID, by account: AccountID) -> RecordsError? {
    guard let count = counts[payer] else { return nil }
    guard count < limit else {
      return payer == account
        ? RecordsError(
          .quotaExceeded, "This account has as many records as it may: \(limit).",
          hint: "Delete what is not needed, or ask the broker's administrator for more.",
          reason: "records")
        : RecordsError(
          .quotaExceeded, "The owner of this zone has as many records as it may: \(limit).",
          hint: "Ask the owner to delete what is not needed.", reason: "ownersQuota")
    }
    counts[payer] = count + 1
    return nil
  }

  /// One less.
  mutating func giveBack(to payer: AccountID) {
    if let count = counts[payer] { counts[payer] = count - 1 }
  }
}
