// The kinds of change that a subscription matches, and the reason of a match. The reason follows
// from the record's state before and after the change, not from the kind of request.

/// The kinds of change that a subscription matches.
package struct FiringOptions: OptionSet, Hashable, Sendable {
  /// The bits.
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// A matching record is created.
  package static let creation = FiringOptions(rawValue: 1)
  /// A record that matches, or matched before, is changed.
  package static let update = FiringOptions(rawValue: 2)
  /// A matching record is deleted.
  package static let deletion = FiringOptions(rawValue: 4)
}

/// Why a subscription matched, determined from the record before and after the change.
package enum MatchReason: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// A matching record was created.
  case created
  /// A record matched before and still matches.
  case updated
  /// A record did not match before and does now.
  case entered
  /// A record matched before and no longer does.
  case left
  /// A matching record was deleted.
  case deleted
}
