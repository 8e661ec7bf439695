// The one error of this target: what is printed and what the process ends with.

import Records

/// Why a verb did not do what was asked.
struct ControlFailure: Error, Sendable {
  /// A word for programs: an `ErrorCode`, `usage` or `agentNotReachable`.
  let code: String
  /// What happened, one sentence; several lines where several fields are wrong.
  let message: String
  /// What to do; may be empty.
  let hint: String
  /// The field it is about, where there is one.
  var field: String?
  /// The place in a text it is about, where there is one; counted in characters from 1.
  var column: Int?
  /// The lines that show the place.
  var excerpt: [String] = []
  /// All wrong fields of a contact that was refused.
  var problems: [ProblemView] = []
  /// A word that says more than the code, where the agent gave one: `ambiguous`, `taken`.
  var reason: String?
  /// What the process ends with.
  let exitCode: ExitStatus

  /// The command line is wrong; `verb` says more.
  static func usage(_ message: String, verb: String = "") -> Self {
    let help = ["contactsctl help", verb].filter { !$0.isEmpty }.joined(separator: " ")
    return Self(code: "usage", message: message, hint: "See: \(help)", exitCode: .usage)
  }

  /// An error of a known kind.
  static func error(_ code: ErrorCode, _ message: String, hint: String = "") -> Self {
    Self(code: code.rawValue, message: message, hint: hint, exitCode: ExitStatus(code))
  }

  /// The connection to the agent broke after something was sent and before it was answered.
  static func answerLost() -> Self {
    Self(
      code: ErrorCode.serverResponseLost.rawValue, message: "The connection to contactsd was lost.",
      hint: "Try again.", exitCode: .tryLater)
  }

  /// The agent went away with a change and did not come back, or came back as another version.
  static func changeUnknown(_ address: AgentAddress) -> Self {
    Self(
      code: "agentNotReachable",
      message: "contactsd stopped before it answered, so the change may or may not be saved.",
      hint: "Check this before you repeat the command. If contactsd is not running, start it: "
        + address.startCommand, exitCode: .unreachable)
  }

  /// The change was made, and the agent no longer knows more of its answer than that.
  static func changeRepeated(action: String?) -> Self {
    Self(
      code: "answerLost",
      message:
        "The change was saved, but contactsd restarted before it answered, so the result is not "
        + "shown.",
      hint: action.map { "Undo: contactsctl undo \($0)" } ?? "", exitCode: .done)
  }

  /// The agent does not answer.
  static func unreachable(_ address: AgentAddress, reason: String) -> Self {
    Self(
      code: "agentNotReachable",
      message: "contactsd does not answer at \(address.path): \(reason).",
      hint: "Start it: \(address.startCommand)", exitCode: .unreachable)
  }
}
