// The output file: the only one that writes to the two streams. Results go to stdout, everything
// else to stderr. A closed pipe (`| head`) is the reader's good right and ends the program quietly.

import Foundation

/// Writes results and errors in the style that was asked for.
struct Printer: Sendable {
  /// How results look.
  enum Style: Sendable {
    /// For people: sections, colour.
    case terminal
    /// Tab-separated, no header.
    case plain
    /// JSON.
    case json

    /// The style the flags ask for; without any, what stdout is decides.
    static func chosen(json: Bool, plain: Bool) -> Style {
      if json { return .json }
      return plain || isatty(STDOUT_FILENO) == 0 ? .plain : .terminal
    }
  }

  /// How results look.
  let style: Style
  /// Whether a terminal gets colour.
  let isColored: Bool
  /// Whether remarks are left out.
  let isQuiet: Bool
  /// Whether a person may be asked something.
  let mayAsk: Bool
  /// Where results go.
  let terminal: Terminal
  /// What this run of the program has changed.
  let saved = SavedChanges()
  private let environment: [String: String]

  /// A printer as the global flags among `arguments` ask for it; they are looked for before the
  /// line is parsed, because a line that cannot be parsed is told in the same style.
  init(flags arguments: some Sequence<String>) {
    let given = Set(arguments.prefix { $0 != "--" })
    environment = ProcessInfo.processInfo.environment
    style = .chosen(json: given.contains("--json"), plain: given.contains("--plain"))
    isColored = Terminal.wantsColor(
      environment: environment, isTerminal: style == .terminal,
      isRefused: given.contains("--no-color"))
    isQuiet = given.contains("-q") || given.contains("--quiet")
    mayAsk = !given.contains("--no-input") && style != .json && Terminal.canAsk
    terminal = Terminal(environment: environment)
  }

  /// Writes one line of columns: tabs between them, or blanks on a terminal.
  func row(_ columns: [String]) {
    rows([columns])
  }

  /// Writes lines of columns, in one write. On a terminal the columns stand under each other and
  /// fit its width, those in `whole` uncut; more lines than it has go through the pager.
  func rows(_ rows: [[String]], whole: Set<Int> = []) {
    let cleaned = rows.map { $0.map(PlainText.clean) }
    guard style == .terminal else {
      return text(cleaned.map { $0.joined(separator: "\t") }.joined(separator: "\n"))
    }
    let shown = cleaned.map { $0.map(LocalTime.shown) }
    page(TextTable(shown, whole: whole).lines(limit: terminal.columns))
  }

  /// Writes lines that are safe and fit, through the pager when they are more than the screen has.
  func page(_ lines: [String]) {
    let all = lines.joined(separator: "\n")
    guard style == .terminal, lines.count >= terminal.lines,
      Pager.show(Array((all + "\n").utf8), environment: environment)
    else { return text(all) }
  }

  /// Writes text that is safe already, and a line end; nothing for no text.
  func text(_ text: String) {
    guard !text.isEmpty else { return }
    write(Array((text + "\n").utf8), to: STDOUT_FILENO)
  }

  /// Writes JSON as the agent sent it, and a line end. Control characters are escaped: an agent of an
  /// older version writes those of U+0080…U+009F as they are, and a terminal obeys them.
  func json(_ bytes: [UInt8]) {
    write(JSONText.escapingControls(bytes) + [UInt8(ascii: "\n")], to: STDOUT_FILENO)
  }

  /// Writes bytes as they are.
  func content(_ bytes: [UInt8]) {
    write(bytes, to: STDOUT_FILENO)
  }

  /// Writes a remark for people to stderr, unless they want none.
  func remark(_ text: String) {
    guard !isQuiet, style != .json else { return }
    write(Array((PlainText.clean(text) + "\n").utf8), to: STDERR_FILENO)
  }

  /// Writes bytes to stdout as they are.
  func bytes(_ bytes: [UInt8]) {
    write(bytes, to: STDOUT_FILENO)
  }

  /// Whether progress is shown: to a person, on stderr, and nowhere else.
  var showsProgress: Bool { !isQuiet && style != .json && isatty(STDERR_FILENO) != 0 }

  /// Shows how far something is, in the place of what was shown before; empty takes it away.
  func progress(_ text: String) {
    guard showsProgress else { return }
    write(Array(("\r\u{1B}[K" + PlainText.clean(text)).utf8), to: STDERR_FILENO)
  }

  /// A way to set words off where colour is shown.
  enum Color: String {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
  }

  /// `text` set off from the rest where colour is shown.
  func emphasized(_ text: String, _ color: Color = .bold) -> String {
    style != .json && isColored ? "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// Asks a person on stderr; `nil` when nobody may be asked, or nothing more is typed.
  func ask(_ question: String) -> String? {
    guard mayAsk else { return nil }
    write(Array((PlainText.clean(question) + " ").utf8), to: STDERR_FILENO)
    return readLine()
  }

  /// Tells what went wrong, on stderr.
  func failed(_ failure: ControlFailure) {
    guard style != .json else {
      let encoded = (try? JSONText.encoded(ErrorView(failure))) ?? []
      return write(encoded + [UInt8(ascii: "\n")], to: STDERR_FILENO)
    }
    // Each wrong field has a line of its own.
    let message = failure.message.split(separator: "\n").map { PlainText.clean(String($0)) }
    let lines =
      message + failure.excerpt + (failure.hint.isEmpty ? [] : [PlainText.clean(failure.hint)])
    let name = isatty(STDERR_FILENO) != 0 ? emphasized("contactsctl:", .red) : "contactsctl:"
    write(Array((name + " " + lines.joined(separator: "\n") + "\n").utf8), to: STDERR_FILENO)
  }

  /// Ends the process.
  func end(_ status: ExitStatus) -> Never {
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

  /// The stream takes no more. Without errors and remarks the program goes on; without results it ends.
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
