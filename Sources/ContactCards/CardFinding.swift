// What was odd about a card, said so that its owner can find the place and decide. A card is never
// given up for an odd property; each finding says what became of the thing.

import Records

/// One oddity of a card.
package struct CardFinding: Hashable, Sendable {
  /// What became of the thing.
  package enum Outcome: String, Hashable, Sendable, CaseIterable {
    /// Read as it was most likely meant; nothing is missing.
    case guessed
    /// Kept as it came, though it cannot be right or has no place among a contact's properties.
    case kept
    /// Not kept: larger than anything we hold.
    case lost
    /// The whole card is not kept.
    case failed
  }

  /// The line of the file, counted from 1; a row of a table, an item of a list of JSON.
  package var line: Int
  /// The property it is about; empty for the whole card.
  package var property: String
  /// What became of the thing.
  package var outcome: Outcome
  /// One sentence for people.
  package var message: String

  /// Says `message` of `property` at `line`.
  package init(line: Int, property: String = "", outcome: Outcome, _ message: String) {
    self.line = line
    self.property = property
    self.outcome = outcome
    self.message = message
  }
}

/// The bounds of what is read from a file. What is beyond one is left out with a finding; reading
/// goes on.
package enum CardLimits {
  /// One line with everything folded into it: the largest picture in base-64, and some room.
  package static let lineBytes = mediaBytes / 3 * 4 + (1 << 20)
  /// One picture or sound: what can be kept as a file.
  package static let mediaBytes = Limits.assetBytes
  /// The other properties of one card together: what one record holds.
  package static let cardBytes = 1 << 20
  /// All lines of one card together, pictures included: two of the largest.
  package static let cardBytesWithMedia = 2 * lineBytes
  /// The properties of one card.
  package static let propertiesPerCard = 4096
  /// Cards inside cards (`AGENT`).
  package static let nestedCards = 8
  /// Findings told of one card; it is clear by then that it is broken.
  package static let findingsPerCard = 50
}
