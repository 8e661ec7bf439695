/// The body of a response that reports an error: `{"error": {"code", "message", "hint", …}}`.
package struct ErrorView: Codable, Hashable, Sendable {
  /// The error.
  package var error: Content

  package init(_ error: Content) {
    self.error = error
  }

  /// An error. Programs distinguish errors by code and reason; the texts are for people.
  package struct Content: Codable, Hashable, Sendable {
    /// A code of the closed list; see `RecordsError.Code`.
    package var code: String
    /// What happened.
    package var message: String
    /// What to do; empty if there is nothing to say.
    package var hint: String
    /// The property or parameter that the error is about.
    @Sparse package var field: String?
    /// The position in a predicate, from 1.
    @Sparse package var column: Int?
    /// Distinguishes errors with the same code.
    @Sparse package var reason: String?
    /// All problems of a rejected contact.
    @Sparse package var problems: [ProblemView]

    package init(
      code: String, message: String, hint: String, field: String? = nil, column: Int? = nil,
      reason: String? = nil, problems: [ProblemView] = []
    ) {
      self.code = code
      self.message = message
      self.hint = hint
      self.field = field
      self.column = column
      self.reason = reason
      self.problems = problems
    }
  }
}

/// A problem with one field.
package struct ProblemView: Codable, Hashable, Sendable {
  /// `firstName`; `phones/ENTRY`; `addresses/ENTRY/city`; `contact` for the whole.
  package var field: String
  /// The value of the field.
  package var value: String
  /// One sentence.
  package var message: String

  package init(field: String, value: String, message: String) {
    self.field = field
    self.value = value
    self.message = message
  }
}
