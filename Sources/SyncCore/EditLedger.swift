// Where every edit went. Nothing may vanish between the moment a person is told “saved” and the
// moment the broker has it, so each edit is counted into exactly one of these.

/// A count of all edits made on a device by what became of them.
package struct EditLedger: Hashable, Sendable {
  /// Edits made.
  package var made: Int = 0
  /// Edits the broker took as they were.
  package var applied: Int = 0
  /// Edits that were merged with another device's, or gave way to it, a conflict saying so.
  package var merged: Int = 0
  /// Edits that went out as part of a later one of the same record.
  package var coalesced: Int = 0
  /// Edits that were taken back before they were sent.
  package var undone: Int = 0
  /// Edits that the broker refused, parked with the reason.
  package var rejected: Int = 0
  /// Edits still under way.
  package var pending: Int = 0

  /// No edits.
  package init() {}

  /// Whether every edit is accounted for.
  package var isBalanced: Bool {
    made == applied + merged + coalesced + undone + rejected + pending
  }
}
