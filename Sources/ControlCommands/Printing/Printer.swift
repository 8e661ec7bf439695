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

  /// Whether stdout is a terminal that shows colour and nobody asked for none.
  static var wantsColor: Bool {
    let environment = ProcessInfo.processInfo.environment
    let isRefused = !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
    return isatty(STDOUT_FILENO) != 0 && !isRefused
  }

  /// Writes one line of columns: tabs between them, or blanks on a terminal.
  func row(_ columns: [String]) {
    rows([columns])
  }

  /// Writes lines of columns, in one write; on a terminal the columns stand under each other.
  func rows(_ rows: [[String]]) {
    let cleaned = rows.map { $0.map(PlainText.clean) }
    guard style == .terminal else {
      return text(cleaned.map { $0.joined(separator: "\t") }.joined(separator: "\n"))
    }
    var widths: [Int] = []
    for row in cleaned {
      for (index, column) in row.enumerated() {
        if index == widths.count { widths.append(0) }
        widths[index] = max(widths[index], column.count)
      }
    }
    let lines = cleaned.map { row in
      row.enumerated().map { index, column in
        let isLast = index == row.count - 1
        let padding = isLast ? 0 : widths[index] - column.count + 2
        return column + String(repeating: " ", count: padding)
      }.joined()
    }
    text(lines.joined(separator: "\n"))
  }

  /// Writes text that is safe already, and a line end; nothing for no text.
  func text(_ text: String) {
    guard !text.isEmpty else { return }
    write(Array((text + "\n").utf8), to: STDOUT_FILENO)
  }

  /// Writes JSON as the agent sent it, and a line end.
  func json(_ bytes: [UInt8]) {
    write(bytes + [UInt8(ascii: "\n")], to: STDOUT_FILENO)
  }

  /// Writes a remark for people to stderr, unless they want none.
  func remark(_ text: String) {
    guard !isQuiet, style != .json else { return }
    write(Array((PlainText.clean(text) + "\n").utf8), to: STDERR_FILENO)
  }

  /// `text` set off from the rest where colour is shown.
  func emphasized(_ text: String) -> String {
    style == .terminal && isColored ? "\u{1B}[1m\(text)\u{1B}[0m" : text
  }

  /// Tells what went wrong, on stderr.
  func failed(_ failure: ControlFailure) {
    guard style != .json else {
      let encoded = (try? JSONText.encoded(ErrorView(failure))) ?? []
      return write(encoded + [UInt8(ascii: "\n")], to: STDERR_FILENO)
    }
    // Each wrong field has a line of its own.
    let message = failure.message.split(separator: "\n").map { PlainText.clean(String($0)) }
    let lines = message + (failure.hint.isEmpty ? [] : [PlainText.clean(failure.hint)])
    write(Array(("contactsctl: " + lines.joined(separator: "\n") + "\n").utf8), to: STDERR_FILENO)
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
      } else if errno == EPIPE {
        end(.done)
      } else if errno == EAGAIN {
        var descriptor = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
        _ = poll(&descriptor, 1, -1)
      } else if errno != EINTR {
        end(.inputOutput)
      }
    }
  }
}
