// Shows a text that is longer than the screen in the user's pager, as git and journalctl do: less exits if
// the text fits, colors are preserved, and leaving the pager ends the command.

import Foundation

/// Shows a long text.
enum Pager {
  /// `less` if it is installed.
  private static let usual = "command -v less >/dev/null 2>&1 && exec less || exec cat"

  /// Returns the pager command; `nil` if the user wants none (`PAGER=` or `cat`).
  static func command(environment: [String: String]) -> String? {
    let named = environment["CONTACTSCTL_PAGER"] ?? environment["PAGER"]
    guard let named else { return usual }
    return named.isEmpty || named == "cat" ? nil : named
  }

  /// Shows `bytes`; returns `false` if no pager could be started and nothing was shown.
  static func show(_ bytes: [UInt8], environment: [String: String]) -> Bool {
    guard let command = command(environment: environment) else { return false }
    var variables = environment
    if variables["LESS"] == nil { variables["LESS"] = "FIRX" }
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return false }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    guard
      let program = try? ExternalProgram.start(
        command, arguments: [], environment: variables, standardInput: ends[0])
    else {
      close(ends[0])
      close(ends[1])
      return false
    }
    close(ends[0])
    // A pager that exits early closes its end, which is not an error.
    signal(SIGPIPE, SIG_IGN)
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(ends[1], $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        break
      }
    }
    close(ends[1])
    let status = program.wait()
    // The shell returns 127 for an unknown command: then nothing was shown.
    return status != .exited(127)
  }
}
