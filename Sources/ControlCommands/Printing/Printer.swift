// Writes to stdout and stderr; no other file does. Results go to stdout, everything else to stderr. A closed
// pipe (`| head`) is not an error and ends the program silently.

import AgentAPI
import Foundation

/// Writes results and errors in the requested style.
struct Printer: Sendable {
  /// The style of results.
  enum Style: Sendable {
    /// For people: sections, color.
    case terminal
    /// Tab-separated, no header.
    case plain
    /// JSON.
    case json

    /// Returns the style for the flags; without any, it depends on stdout.
    static func chosen(json: Bool, plain: Bool) -> Style {
      if json { return .json }
      return plain || isatty(STDOUT_FILENO) == 0 ? .plain : .terminal
    }
  }

  /// The style of results.
  let style: Style
  /// Whether a terminal gets colors.
  let isColored: Bool
  /// Whether remarks are suppressed.
  let isQuiet: Bool
  /// Whether the user can be asked.
  let mayAsk: Bool
  /// Whether the program waits for Enter before it ends, because the terminal's window closes with it.
  let holds: Bool
  /// The terminal of the results.
  let terminal: Terminal
  /// The changes of this run of the program.
  let saved = SavedChanges()
  private let environment: [String: String]

  /// Creates a printer for the global flags in `arguments`. They are read before the line is parsed, because
  /// parse errors are printed in the same style.
  init(flags arguments: some Sequence<String>) {
    let given = Set(arguments.prefix { $0 != "--" })
    environment = ProcessInfo.processInfo.environment
    style = .chosen(json: given.contains("--json"), plain: given.contains("--plain"))
    isColored = Terminal.wantsColor(
      environment: environment, isTerminal: style == .terminal,
      isRefused: given.contains("--no-color"))
    isQuiet = given.contains("-q") || given.contains("--quiet")
    mayAsk = !given.contains("--no-input") && style != .json && Terminal.canAsk
    holds = given.contains("--hold")
    terminal = Terminal(environment: environment)
  }

  /// Writes one line of columns, separated by tabs, or by blanks on a terminal.
  func row(_ columns: [String]) {
    guard style == .terminal else { return text(Self.line(columns)) }
    let table = TextTable([columns.map { LocalTime.shown(PlainText.clean($0)) }], whole: [])
    text(table.lines(limit: terminal.columns).joined(separator: "\n"))
  }

  /// Writes several lines of columns at once. On a terminal the columns are aligned and fit its width, with
  /// those in `whole` never truncated; if there are more lines than the screen has, they are shown in the
  /// pager.
  func rows(_ rows: [[String]], whole: Set<Int> = []) async {
    guard style == .terminal else { return text(rows.map(Self.line).joined(separator: "\n")) }
    let shown = rows.map { $0.map { LocalTime.shown(PlainText.clean($0)) } }
    await page(TextTable(shown, whole: whole).lines(limit: terminal.columns))
  }

  /// Returns a line of columns as programs get it.
  static func line(_ columns: [String]) -> String {
    var line = ""
    line.reserveCapacity(columns.reduce(columns.count) { $0 + $1.utf8.count })
    for (index, column) in columns.enumerated() {
      if index > 0 { line += "\t" }
      line += PlainText.clean(column)
    }
    return line
  }

  /// Writes lines of columns of which the last is a sentence. On a terminal it is not truncated: it continues
  /// below itself.
  func sentences(_ rows: [[String]]) async {
    guard style == .terminal else { return await self.rows(rows) }
    await page(wrapped(rows))
  }

  /// Writes one line of columns of which the last is a sentence, as `sentences` does.
  func sentence(_ columns: [String]) {
    guard style == .terminal else { return row(columns) }
    text(wrapped([columns]).joined(separator: "\n"))
  }

  private func wrapped(_ rows: [[String]]) -> [String] {
    let shown = rows.map { $0.map { LocalTime.shown(PlainText.clean($0)) } }
    return TextTable(shown).wrappedLines(limit: terminal.columns)
  }

  /// Writes a list of things with ids in the columns `ids`. On a terminal the columns `leading` come first, and
  /// short ids last; programs get the rows unchanged.
  func list(_ rows: [[String]], ids: [Int] = [0], leading: [Int] = []) async {
    guard style == .terminal else { return await self.rows(rows) }
    let table = IdentifiedTable(rows, ids: ids, leading: leading)
    await page(table.lines(limit: terminal.columns))
  }

  /// Writes lines that are already safe and fit, in the pager if there are more than the screen has.
  func page(_ lines: [String]) async {
    let all = lines.joined(separator: "\n")
    guard style == .terminal, lines.count >= terminal.lines,
      await Pager.show(Array((all + "\n").utf8), environment: environment)
    else { return text(all) }
  }

  /// Writes text that is already safe, and a line end; nothing for an empty text.
  func text(_ text: String) {
    guard !text.isEmpty else { return }
    write(Array((text + "\n").utf8), to: STDOUT_FILENO)
  }

  /// Writes JSON and a line end. The agent and `JSONText` escape control characters, which a terminal would obey.
  func json(_ bytes: [UInt8]) {
    write(bytes + [UInt8(ascii: "\n")], to: STDOUT_FILENO)
  }

  /// Writes the parts of JSON that `JoinedJSON` joined, and a line end.
  func json(_ parts: [[UInt8]]) {
    for part in parts { write(part, to: STDOUT_FILENO) }
    write([UInt8(ascii: "\n")], to: STDOUT_FILENO)
  }

  /// Writes bytes unchanged.
  func content(_ bytes: [UInt8]) {
    write(bytes, to: STDOUT_FILENO)
  }

  /// Writes a remark to stderr, unless remarks are suppressed.
  func remark(_ text: String) {
    guard !isQuiet, style != .json else { return }
    write(Array((PlainText.clean(text) + "\n").utf8), to: STDERR_FILENO)
  }

  /// Whether the results go to a terminal, in whatever style.
  var isOnTerminal: Bool { isatty(STDOUT_FILENO) != 0 }

  /// Writes bytes to stdout unchanged.
  func bytes(_ bytes: [UInt8]) {
    write(bytes, to: STDOUT_FILENO)
  }

  /// Whether progress is shown: to a user, on stderr only.
  var showsProgress: Bool { !isQuiet && style != .json && isatty(STDERR_FILENO) != 0 }

  /// Shows progress in place of the former text; an empty text removes it.
  func progress(_ text: String) {
    guard showsProgress else { return }
    write(Array(("\r\u{1B}[K" + PlainText.clean(text)).utf8), to: STDERR_FILENO)
  }

  /// A style for emphasis if colors are enabled.
  enum Color: String {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
  }

  /// Returns `text` with emphasis if colors are enabled.
  func emphasized(_ text: String, _ color: Color = .bold) -> String {
    style != .json && isColored ? "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// Asks the user on stderr; `nil` if asking is not possible, or if the input ends.
  func ask(_ question: String) -> String? {
    guard mayAsk else { return nil }
    write(Array((PlainText.clean(question) + " ").utf8), to: STDERR_FILENO)
    return readLine()
  }

  /// Reports a failure on stderr.
  func failed(_ failure: ControlFailure) {
    guard style != .json else {
      let encoded = (try? JSONText.encoded(ErrorView(failure))) ?? []
      return write(encoded + [UInt8(ascii: "\n")], to: STDERR_FILENO)
    }
    // Each invalid field has a line of its own.
    let message = failure.message.split(separator: "\n").map { PlainText.clean(String($0)) }
    let lines =
      message + failure.excerpt + (failure.hint.isEmpty ? [] : [PlainText.clean(failure.hint)])
    let name = isatty(STDERR_FILENO) != 0 ? emphasized("contactsctl:", .red) : "contactsctl:"
    write(Array((name + " " + lines.joined(separator: "\n") + "\n").utf8), to: STDERR_FILENO)
  }

  /// Ends the process, with `--hold` after the user has pressed Enter.
  func end(_ status: ExitStatus) -> Never {
    if holds { _ = ask("Press Enter to close this window.") }
    exit(status.rawValue)
  }

  private func write(_ bytes: [UInt8], to file: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        var descriptor = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
        _ = poll(&descriptor, 1, -1)
      } else if errno != EINTR {
        return lost(file, errno)
      }
    }
  }

  /// Handles a stream that cannot be written. Without stderr the program continues; without stdout it ends.
  private func lost(_ file: Int32, _ number: Int32) {
    guard file == STDOUT_FILENO else { return }
    if number == EPIPE { end(.done) }
    let reason =
      number == EBADF ? "it is closed" : String(cString: strerror(number))
    failed(
      ControlFailure(
        code: "inputOutput", message: "Cannot write to standard output: \(reason).",
        hint: saved.sentence ?? "", exitCode: .inputOutput))
    end(.inputOutput)
  }
}
