// What is known of where the output goes: whether a person looks at it, how much room there is, and
// whether colour is wanted. Decided once, from the streams and the environment, by the usual rules.

import Foundation

/// Where the output goes.
struct Terminal: Sendable {
  /// Columns of a line.
  let columns: Int
  /// Lines of the screen.
  let lines: Int

  /// The terminal that stdout is; 80 by 24 where that is not known.
  init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    var size = winsize()
    let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0
    columns = Self.extent(isKnown ? size.ws_col : 0, environment["COLUMNS"], usual: 80)
    lines = Self.extent(isKnown ? size.ws_row : 0, environment["LINES"], usual: 24)
  }

  /// A terminal of this size.
  init(columns: Int, lines: Int) {
    self.columns = columns
    self.lines = lines
  }

  /// Whether somebody can be asked: both ends are a person's.
  static var canAsk: Bool { isatty(STDIN_FILENO) != 0 && isatty(STDERR_FILENO) != 0 }

  /// Whether the output is coloured. `--no-color` is the last word; then NO_COLOR, if it is not
  /// empty; then FORCE_COLOR and CLICOLOR_FORCE; then CLICOLOR=0; else it is a terminal's that can
  /// show colour. What goes into a pipe has columns for programs and never any colour.
  static func wantsColor(
    environment: [String: String], isTerminal: Bool, isRefused: Bool
  ) -> Bool {
    if isRefused || !(environment["NO_COLOR"] ?? "").isEmpty { return false }
    for variable in ["FORCE_COLOR", "CLICOLOR_FORCE"] {
      if let forced = environment[variable], !forced.isEmpty { return forced != "0" }
    }
    return isTerminal && environment["TERM"] != "dumb" && environment["CLICOLOR"] != "0"
  }

  /// The largest extent that the environment may name: beyond any screen, and small enough to add to.
  private static let extentMaximum = 10_000

  private static func extent(_ known: UInt16, _ variable: String?, usual: Int) -> Int {
    if known > 0 { return Int(known) }
    guard let asked = variable.flatMap({ Int($0) }), asked > 0 else { return usual }
    return min(asked, extentMaximum)
  }
}
