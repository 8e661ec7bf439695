import Records

/// Why a connection over ssh ended.
struct SSHFailure: Sendable {
  let destination: SSHDestination
  let ending: SSHProcess.Ending
  /// What the channel reported.
  let reason: RecordsError

  /// ssh's own exit status if it failed to connect; otherwise it exits like the command on the server.
  private static let connectionFailed: CInt = 255
  /// The exit status of a shell that does not find the command.
  private static let commandNotFound: CInt = 127

  /// The error to report.
  var error: RecordsError {
    switch ending {
    case .notInstalled:
      return failure(
        "There is no program ssh.", hint: "Install the OpenSSH client: apt install openssh-client")
    case .notStarted(let cause): return failure("ssh could not be started: \(cause).")
    case .killed, .exited(0, _): return reason
    case .exited(let status, let bytes):
      return error(status: status, message: PrintedText.lastLine(bytes))
    }
  }

  private func error(status: CInt, message: String) -> RecordsError {
    if status == Self.commandNotFound {
      return failure(
        "“\(destination.host)” has no command contacts-broker.",
        hint: "Install contacts on the server, in a directory that is in the PATH of ssh commands.")
    }
    // Without a message, ssh ended because the channel did.
    guard !message.isEmpty else { return reason }
    guard status == Self.connectionFailed else {
      return failure("“\(destination.host)” reports: \(message)")
    }
    return failure(
      "ssh cannot connect to “\(destination.host)”: \(message)",
      hint: "To try it by hand: ssh -T \(destination.login) \(destination.remoteCommand)")
  }

  private func failure(_ sentence: String, hint: String = "") -> RecordsError {
    RecordsError(.networkUnavailable, sentence, hint: hint, retryAfterSeconds: 5)
  }
}
