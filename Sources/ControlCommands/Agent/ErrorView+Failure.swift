// Errors as JSON, from the agent and in the output of `--json`.

import AgentAPI
import Records

extension ErrorView {
  /// Creates the JSON of a failure of this program.
  init(_ failure: ControlFailure) {
    self.init(
      Content(
        code: failure.code, message: failure.message, hint: failure.hint, field: failure.field,
        column: failure.column, reason: failure.reason, problems: failure.problems))
  }
}

extension ControlFailure {
  /// Creates the failure for an error of the agent; an unknown code becomes a general failure.
  init(_ error: ErrorView.Content) {
    let status = RecordsError.Code(rawValue: error.code).map { ExitStatus($0) } ?? .failed
    self.init(
      code: error.code, message: error.message, hint: error.hint, field: error.field,
      exitCode: status)
    column = error.column
    problems = error.problems
    reason = error.reason
  }
}
