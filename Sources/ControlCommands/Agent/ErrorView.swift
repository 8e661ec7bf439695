// Errors as JSON, from the agent and in the output of `--json`.

import Records

/// `{"error": {"code", "message", "hint", "field"}}`.
struct ErrorView: Codable, Sendable {
  struct Content: Codable, Sendable {
    let code: String
    let message: String
    let hint: String?
    let field: String?
    let column: Int?
    var problems: [ProblemView]?
    var reason: String?
  }

  let error: Content

  init(_ failure: ControlFailure) {
    error = Content(
      code: failure.code, message: failure.message, hint: failure.hint, field: failure.field,
      column: failure.column, problems: failure.problems.isEmpty ? nil : failure.problems,
      reason: failure.reason)
  }

  init(_ content: Content) {
    error = content
  }

  /// The error as a failure of this program; an unknown code becomes a general failure.
  var failure: ControlFailure {
    let status = ErrorCode(rawValue: error.code).map { ExitStatus($0) } ?? .failed
    var failure = ControlFailure(
      code: error.code, message: error.message, hint: error.hint ?? "", field: error.field,
      exitCode: status)
    failure.column = error.column
    failure.problems = error.problems ?? []
    failure.reason = error.reason
    return failure
  }
}

/// A problem with one field, from the agent.
struct ProblemView: Codable, Hashable, Sendable {
  /// `firstName`; `phones/ENTRY`; `addresses/ENTRY/city`; `contact` for the whole.
  let field: String
  /// The value of the field.
  let value: String
  /// One sentence.
  let message: String
}
