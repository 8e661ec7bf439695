// The error type of this target: the message to print and the exit code.

import AgentAPI
import Records

/// Why a subcommand failed.
struct ControlFailure: Error, Sendable {
  /// A word for programs: an `RecordsError.Code`, `usage` or `agentNotReachable`.
  let code: String
  /// What happened, one sentence; several lines if several fields are wrong.
  let message: String
  /// What to do; may be empty.
  let hint: String
  /// The affected field, if any.
  var field: String?
  /// The affected position in a text, if any; counted in characters from 1.
  var column: Int?
  /// The lines that show the position.
  var excerpt: [String] = []
  /// All invalid fields of a rejected contact.
  var problems: [ProblemView] = []
  /// A word that is more specific than the code, if the agent gave one: `ambiguous`, `taken`.
  var reason: String?
  /// The exit code of the process.
  let exitCode: ExitStatus

  /// Creates a usage error; the help of `subcommand` explains more.
  static func usage(_ message: String, subcommand: String = "") -> Self {
    let help = ["contactsctl help", subcommand].filter { !$0.isEmpty }.joined(separator: " ")
    return Self(code: "usage", message: message, hint: "See: \(help)", exitCode: .usage)
  }

  /// Returns the failure; of a usage error that names no subcommand, with the help of `subcommand`.
  func naming(subcommand: String) -> Self {
    guard code == "usage", hint == Self.usage("").hint else { return self }
    return .usage(message, subcommand: subcommand)
  }

  /// Creates an error with a known code.
  static func error(_ code: RecordsError.Code, _ message: String, hint: String = "") -> Self {
    Self(code: code.rawValue, message: message, hint: hint, exitCode: ExitStatus(code))
  }

  /// The answer of the agent is not what this version of the program expects.
  static func unreadableAnswer() -> Self {
    .error(
      .incompatibleVersion, "contactsctl cannot read the answer of contactsd.",
      hint: "Install the same version of both programs and restart contactsd.")
  }

  /// The connection broke after the request was sent and before a response arrived.
  static func answerLost() -> Self {
    Self(
      code: RecordsError.Code.serverResponseLost.rawValue,
      message: "The connection to contactsd was lost.",
      hint: "Try again.", exitCode: .tryLater)
  }

  /// The agent stopped during a change and did not start again, or only as another version.
  static func changeUnknown(_ address: AgentAddress) -> Self {
    Self(
      code: "agentNotReachable",
      message: "contactsd stopped before it answered, so the change may or may not be saved.",
      hint: "Check this before you repeat the command. If contactsd is not running, start it: "
        + address.startCommand, exitCode: .unreachable)
  }

  /// The change was made before, and the agent has no more details of its response.
  static func changeRepeated(action: String?) -> Self {
    Self(
      code: "answerLost",
      message:
        "The change was saved, but contactsd restarted before it answered, so the result is not "
        + "shown.",
      hint: action.map { "Undo: contactsctl undo \($0)" } ?? "", exitCode: .done)
  }

  /// The agent does not answer.
  static func unreachable(_ address: AgentAddress, reason: String, isForbidden: Bool = false)
    -> Self
  {
    Self(
      code: "agentNotReachable",
      message: "contactsd does not answer at \(address.path): \(reason).",
      hint: isForbidden
        ? "The socket belongs to another user. Start your own contactsd: "
          + "systemctl --user start contactsd"
        : "Start it: \(address.startCommand)", exitCode: .unreachable)
  }
}
