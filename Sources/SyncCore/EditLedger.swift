// Counts edits by their outcome. No edit may be lost after the user has seen “saved” and before the broker has it, so
// each edit is counted exactly once.

/// The numbers of edits made on a device, by their outcome.
package struct EditLedger: Hashable, Sendable {
  /// All edits made.
  package var made: Int = 0
  /// Edits that the broker applied.
  package var applied: Int = 0
  /// Edits that were merged with another device's, or lost to it and left a conflict.
  package var merged: Int = 0
  /// Edits that were sent as part of a later edit of the same record.
  package var coalesced: Int = 0
  /// Edits that were undone before they were sent.
  package var undone: Int = 0
  /// Edits that the broker rejected and that are stored with the reason.
  package var rejected: Int = 0
  /// Edits that have no outcome yet.
  package var pending: Int = 0

  /// Creates a ledger without edits.
  package init() {}

  /// Whether every edit is accounted for.
  package var isBalanced: Bool {
    made == applied + merged + coalesced + undone + rejected + pending
  }
}
