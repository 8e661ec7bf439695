// Errors as JSON: how the agent tells them, and how `--json` prints them.

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

  /// The failure it tells of; a code this version does not know counts as a general failure.
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

/// One wrong field as the agent tells it.
struct ProblemView: Codable, Hashable, Sendable {
  /// `firstName`; `phones/ENTRY`; `addresses/ENTRY/city`; `contact` for the whole.
  let field: String
  /// What stands there.
  let value: String
  /// One sentence.
  let message: String
}
