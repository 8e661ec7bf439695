import BrokerCore
import Records

/// Reads of account profiles, which run concurrently with the transactions.
package protocol SharingStore: Sendable {
  /// Returns the requested profiles that `identity` may see. `isWhole` says that no more match.
  func accounts(
    _ request: AccountRequest, of identity: SessionIdentity
  ) throws -> (profiles: [AccountProfile], isWhole: Bool)
}

/// Changes to shares and accounts, inside a transaction.
package protocol SharingTransaction {
  /// Plans and applies a share request. `linkDigest` is the digest of the link secret that the request
  /// contains, if any. A refused request changes nothing.
  func perform(
    _ request: SharingRequest, linkDigest: [UInt8]?, of identity: SessionIdentity,
    at now: Timestamp
  ) throws -> ShareOutcome

  /// Changes the account's own profile and returns it. A new name also updates the directories of all
  /// accounts that share a zone with it.
  func perform(
    _ request: AccountRequest, of identity: SessionIdentity
  ) throws -> (profiles: [AccountProfile], effects: CommitEffects)
}
