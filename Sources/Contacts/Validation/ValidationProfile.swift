// The rules that a typed contact must satisfy. They are in this folder only; no command, route or page has
// rules of its own. Every save checks all fields, so that a person learns of all problems at once, with at
// most one sentence for each field.

import Records

/// A set of rules for what is typed.
package enum ValidationProfile: String, Hashable, Sendable, CaseIterable {
  /// Accepts the content of real address books and rejects only what cannot be right.
  case standard
  /// The strict form for US contacts (rows V1 to V9).
  case usForm = "us-form"

  /// Returns the problems of `contact`, at most one for each field, in the order of the fields; empty if it
  /// may be saved.
  package func problems(in contact: Contact) -> [FieldProblem] {
    switch self {
    case .standard: StandardRules.problems(in: contact)
    case .usForm: USFormRules.problems(in: contact)
    }
  }

  /// Throws all problems of `contact`, if there are any.
  /// - Parameter before: The contact before the edit. `standard` ignores problems that it already had,
  ///   because a card imported with one bad field must stay editable in its other fields; `usForm` checks all
  ///   fields again.
  package func check(_ contact: Contact, changedFrom before: Contact? = nil) throws(ContactRefusal)
  {
    let known =
      switch self {
      case .standard: before.map { Set(self.problems(in: $0)) } ?? []
      case .usForm: Set<FieldProblem>()
      }
    let problems = problems(in: contact).filter { !known.contains($0) }
    guard problems.isEmpty else { throw ContactRefusal(problems: problems) }
  }
}
