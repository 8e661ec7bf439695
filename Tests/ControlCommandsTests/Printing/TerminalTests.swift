// The size of a terminal that the environment states.

import Glibc
import Testing

@testable import ControlCommands

@Suite("size of the terminal")
struct TerminalTests {
  /// The tests themselves may run at a terminal, whose size takes precedence.
  private static var isAtTerminal: Bool { isatty(STDOUT_FILENO) != 0 }

  @Test(
    .enabled(if: !isAtTerminal),
    arguments: [
      (nil, 80), ("132", 132), ("1", 1), ("0", 80), ("-5", 80), ("", 80), ("wide", 80),
      ("1e3", 80), (" 100", 80), ("10001", 10_000), ("9223372036854775807", 10_000),
      ("99999999999999999999", 80),
    ] as [(String?, Int)])
  func `COLUMNS is used if it is a size`(variable: String?, columns: Int) {
    let environment = variable.map { ["COLUMNS": $0] } ?? [:]
    #expect(Terminal(environment: environment).columns == columns)
    #expect(Terminal(environment: environment).lines == 24)
  }

  @Test(
    .enabled(if: !isAtTerminal),
    arguments: [("50", 50), ("0", 24), ("x", 24), ("100000", 10_000)])
  func `LINES is used if it is a size`(variable: String, lines: Int) {
    #expect(Terminal(environment: ["LINES": variable]).lines == lines)
  }
}
