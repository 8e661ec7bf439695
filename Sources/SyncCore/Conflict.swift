// A conflict is a record like any other, so it travels to the account's other devices and is gone
// everywhere once it is resolved on one. Its name is a digest of what it is about, so two devices
// that find the same conflict make the same record.

import Records

/// An edit that lost against another device's, kept for its author.
package struct Conflict: Hashable, Sendable {
  /// How the two edits met.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Both sides gave a field, or a scalar in an entry, different values; the broker's stayed.
    case values
    /// This side changed what the other deleted; the change stayed.
    case deletedThere
    /// This side deleted what the other changed; the change stayed.
    case deletedHere
  }
}
