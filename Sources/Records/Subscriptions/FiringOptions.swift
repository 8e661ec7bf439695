// Which changes a subscription tells of, and why it was told of one. The reason is judged on the
// record before and after the change, never on the words of the request.

/// Which changes of a record a subscription tells of.
package struct FiringOptions: OptionSet, Hashable, Sendable {
  /// The bits.
  package let rawValue: UInt8

  /// The options of these bits.
  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// A record that matches is made.
  package static let creation = FiringOptions(rawValue: 1)
  /// A record that matches, or did before, is changed.
  package static let update = FiringOptions(rawValue: 2)
  /// A record that matches is deleted.
  package static let deletion = FiringOptions(rawValue: 4)
}

/// Why a subscription is told, judged on the record before and after.
package enum MatchReason: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// A record was made that matches.
  case created
  /// A record matched before and does still.
  case updated
  /// A record did not match before and does now.
  case entered
  /// A record matched before and no longer does.
  case left
  /// A record that matched was deleted.
  case deleted
}
