// What a checker says when it finds something that must never happen.

/// A broken invariant of the reliability page, with enough to understand it.
package struct InvariantViolation: Error, CustomStringConvertible {
  /// Which one: `I4`.
  package let invariant: String
  /// What was seen.
  package let what: String

  /// A broken invariant.
  package init(_ invariant: String, _ what: String) {
    self.invariant = invariant
    self.what = what
  }

  package var description: String { "\(invariant): \(what)" }
}
