// What the broker needs of a database for shares and for what accounts are told of each other.

import BrokerCore
import Records

/// Reads about accounts, beside the transactions.
package protocol SharingStore: Sendable {
  /// The accounts asked about that `identity` may know; whether nothing comes behind them.
  func accounts(
    _ order: AccountRequest, of identity: SessionIdentity
  ) throws -> (profiles: [AccountProfile], isWhole: Bool)
}

/// Changes to shares and accounts, inside a transaction.
package protocol SharingTransaction {
  /// Plans and carries out an order about a share; `linkDigest` is the digest of the secret it shows.
  /// What is refused has changed nothing.
  func perform(
    _ order: SharingRequest, linkDigest: [UInt8]?, of identity: SessionIdentity, at now: Timestamp
  ) throws -> ShareOutcome

  /// Changes what an account says of itself, and answers with its profile. Another name concerns
  /// everybody who shares a zone with it.
  func perform(
    _ order: AccountRequest, of identity: SessionIdentity
  ) throws -> (profiles: [AccountProfile], effects: CommitEffects)
}
