// The properties of the output: whether it is a terminal, its size, and whether color is enabled. They are
// determined once, from the streams and the environment, by the usual conventions.

import Foundation

/// The terminal of the output.
struct Terminal: Sendable {
  /// The number of columns.
  let columns: Int
  /// The number of lines.
  let lines: Int

  /// The terminal at stdout; 80 by 24 if unknown.
  init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    var size = winsize()
    let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0
    columns = Self.extent(isKnown ? size.ws_col : 0, environment["COLUMNS"], usual: 80)
    lines = Self.extent(isKnown ? size.ws_row : 0, environment["LINES"], usual: 24)
  }

  /// Creates a terminal of this size.
  init(columns: Int, lines: Int) {
    self.columns = columns
    self.lines = lines
  }

  /// Whether the user can be asked: stdin and stderr are terminals.
  static var canAsk: Bool { isatty(STDIN_FILENO) != 0 && isatty(STDERR_FILENO) != 0 }

  /// Whether the output is colored. `--no-color` takes precedence; then NO_COLOR, if it is not empty; then
  /// FORCE_COLOR and CLICOLOR_FORCE; then CLICOLOR=0; otherwise it depends on the terminal. Output to a pipe
  /// is for programs and never colored.
  static func wantsColor(
    environment: [String: String], isTerminal: Bool, isRefused: Bool
  ) -> Bool {
    if isRefused || !(environment["NO_COLOR"] ?? "").isEmpty { return false }
    for variable in ["FORCE_COLOR", "CLICOLOR_FORCE"] {
      if let forced = environment[variable], !forced.isEmpty { return forced != "0" }
    }
    return isTerminal && environment["TERM"] != "dumb" && environment["CLICOLOR"] != "0"
  }

  /// The maximum size in the environment: larger than any screen, and small enough to add to.
  private static let extentMaximum = 10_000

  private static func extent(_ known: UInt16, _ variable: String?, usual: Int) -> Int {
    if known > 0 { return Int(known) }
    guard let asked = variable.flatMap({ Int($0) }), asked > 0 else { return usual }
    return min(asked, extentMaximum)
  }
}
