// What a typed contact must satisfy. Rules live in this folder only; no command, route or page has
// one. All fields are looked at on every save, so that a person learns everything at once, and each
// field has at most one sentence.

import Records

/// A set of rules for what is typed.
package enum ValidationProfile: String, Hashable, Sendable, CaseIterable {
  /// Accepts what real address books hold and refuses only what cannot be right.
  case standard
  /// The strict form for US contacts (rows V1 to V9).
  case usForm = "us-form"

  /// What is wrong with `contact`, at most one problem a field, in the order of the fields; empty
  /// when it may be saved.
  package func problems(in contact: Contact) -> [FieldProblem] {
    switch self {
    case .standard: StandardRules.problems(in: contact)
    case .usForm: USFormRules.problems(in: contact)
    }
  }

  /// Lets `contact` pass or refuses it with all its problems.
  /// - Parameter before: the contact as it was. Under `standard` what was wrong then is let pass,
  ///   because a card that came from elsewhere with one bad field must still be editable in its
  ///   others; `usForm` is strict and looks at everything anew.
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
