// A text longer than the screen goes through the person's pager, as git and journalctl do it: less
// leaves what fits on the screen, colours stay, and leaving it is leaving the command.

import Foundation

/// Shows a long text.
enum Pager {
  /// `less` where there is one.
  private static let usual = "command -v less >/dev/null 2>&1 && exec less || exec cat"

  /// The command that shows long texts; `nil` where a person wants none (`PAGER=` or `cat`).
  static func command(environment: [String: String]) -> String? {
    let named = environment["CONTACTSCTL_PAGER"] ?? environment["PAGER"]
    guard let named else { return usual }
    return named.isEmpty || named == "cat" ? nil : named
  }

  /// Shows `bytes`; `false` when no pager could be had, and nothing was shown.
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
    // A pager that is left early closes its end; that is no failure.
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
    // The shell says 127 for a command there is not: then nothing was shown.
    return status != .exited(127)
  }
}
