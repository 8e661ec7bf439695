/// A violated invariant, with the values that show it.
package struct InvariantViolation: Error, CustomStringConvertible {
  /// The invariant's id in the glossary, such as `I4`, or a word such as `trash`.
  package let invariant: String
  /// The observed values.
  package let what: String

  package init(_ invariant: String, _ what: String) {
    self.invariant = invariant
    self.what = what
  }

  package var description: String { "\(invariant): \(what)" }
}
