// The problems of a card, with the line and the outcome, so that the user can find the place and decide. One
// bad property does not make the reader reject a card.

import Records

/// A problem with a card.
package struct CardFinding: Hashable, Sendable {
  /// What the reader did about the problem.
  package enum Outcome: String, Hashable, Sendable, CaseIterable {
    /// It read the value as most likely intended; nothing is missing.
    case guessed
    /// It retained the value unchanged, though it is implausible or has no place among a contact's
    /// properties.
    case kept
    /// It omitted the value, because it exceeds a limit.
    case lost
    /// It rejected the card.
    case failed
  }

  /// The line of the file, counted from 1; for tables the row, for JSON the item.
  package var line: Int
  /// The affected property; empty for the whole card.
  package var property: String
  /// What the reader did about the problem.
  package var outcome: Outcome
  /// One sentence for people.
  package var message: String

  /// Creates a finding about `property` at `line`.
  package init(line: Int, property: String = "", outcome: Outcome, _ message: String) {
    self.line = line
    self.property = property
    self.outcome = outcome
    self.message = message
  }
}

/// The limits for files. The reader omits what exceeds a limit, reports a finding and continues.
package enum CardLimits {
  /// An unfolded line: the largest picture in base-64, and some room.
  package static let lineBytes = mediaBytes / 3 * 4 + (1 << 20)
  /// A picture or sound: the largest asset.
  package static let mediaBytes = Limits.assetBytes
  /// All other properties of one card: the capacity of a record.
  package static let cardBytes = 1 << 20
  /// All lines of one card, including pictures: two of the largest.
  package static let cardBytesWithMedia = 2 * lineBytes
  /// The properties of one card.
  package static let propertiesPerCard = 4096
  /// The depth of nested cards (`AGENT`).
  package static let nestedCards = 8
  /// The number of findings for one card; more add nothing.
  package static let findingsPerCard = 50
}
