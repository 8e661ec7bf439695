// The path of the agent's socket, with the same defaults as in contactsd: `NAME.sock` with --device NAME,
// otherwise `contactsd.sock`, in `$XDG_RUNTIME_DIR/contactsd`.

import Foundation

/// The path of an agent's socket, and the command that starts the agent.
struct AgentAddress: Sendable {
  /// The path of the socket.
  let path: String
  /// The command to suggest if no agent answers.
  let startCommand: String

  /// Determines the agent from the flags, or else the environment, or else the default.
  init(_ flags: GlobalFlags) throws(ControlFailure) {
    try self.init(
      agent: flags.agent, device: flags.device, environment: ProcessInfo.processInfo.environment,
      userID: getuid())
  }

  /// The same with all inputs as parameters.
  init(
    agent: String?, device: String?, environment: [String: String], userID: UInt32
  ) throws(ControlFailure) {
    if let path = agent ?? (device == nil ? environment["CONTACTSD_SOCKET"] : nil) {
      self.path = path
      startCommand = "contactsd --socket \(path)"
    } else if let device {
      guard !device.isEmpty, !device.contains("/"), !device.hasPrefix(".") else {
        throw .usage(
          "Invalid device name “\(PlainText.clean(device))”: "
            + "it cannot be empty, contain “/” or begin with “.”."
        )
      }
      path = "\(Self.directory(environment, userID))/\(device).sock"
      let isWord = device.allSatisfy { $0.isLetter || $0.isNumber || "-_.".contains($0) }
      startCommand = "contactsd --device " + (isWord ? device : "\"\(device)\"")
    } else {
      path = "\(Self.directory(environment, userID))/contactsd.sock"
      startCommand = "systemctl --user start contactsd (or run: contactsd)"
    }
    // The kernel's sockaddr_un holds 108 bytes, the last of them zero.
    guard path.utf8.count <= 107 else {
      throw .usage("The socket path is too long: \(path.utf8.count) bytes; the limit is 107.")
    }
  }

  private static func directory(_ environment: [String: String], _ userID: UInt32) -> String {
    let runtime = environment["XDG_RUNTIME_DIR"].flatMap { $0.isEmpty ? nil : $0 }
    return "\(runtime ?? "/run/user/\(userID)")/contactsd"
  }
}
