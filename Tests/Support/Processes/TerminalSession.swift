// A program at a pseudo terminal, and the keys that a person presses. Shells complete words and programs ask
// questions only at a terminal.

import Foundation
import Records

/// A program that runs at a pseudo terminal.
package final class TerminalSession {
  /// How long the terminal must be silent before its output counts as complete.
  private static let quietMilliseconds = 300

  /// TIOCSPTLCK and TIOCGPTN. Swift does not import them, because macros compute them.
  private static let unlock: UInt = 0x4004_5431
  private static let numberOf: UInt = 0x8004_5430

  private let process: ChildProcess
  private let master: Int32
  private var received: [UInt8] = []

  /// Starts the program at `path` with a new terminal as its standard input, output and error.
  package init(
    _ path: String, _ arguments: [String] = [], environment: [String: String] = [:],
    directory: String
  ) throws {
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var number: UInt32 = 0
    var isLocked: Int32 = 0
    guard master >= 0, ioctl(master, Self.unlock, &isLocked) == 0,
      ioctl(master, Self.numberOf, &number) == 0
    else { throw RecordsError(.serviceUnavailable, "This machine gives no terminal.") }
    _ = fcntl(master, F_SETFL, O_NONBLOCK)
    var size = winsize(ws_row: 40, ws_col: 240, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    let slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    let terminal = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
    process = try ChildProcess(
      "/usr/bin/setsid", ["--ctty", "--wait", path] + arguments,
      environment: [
        "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": directory, "TERM": "xterm",
        "LANG": "C.UTF-8",
      ].merging(environment) { $1 },
      directory: directory,
      files: ChildProcess.Files(input: terminal, output: terminal, error: terminal))
  }

  deinit {
    process.send(SIGTERM)
    // Closing the terminal sends SIGHUP to its programs.
    close(master)
  }

  /// The output of the terminal so far.
  package var shown: String {
    var chunk = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      let count = read(master, &chunk, chunk.count)
      guard count > 0 else { break }
      received += chunk[..<count]
    }
    return String(decoding: received, as: UTF8.self)
  }

  /// Whether the program has not ended.
  package var isRunning: Bool { process.end == nil }

  /// Presses the keys of `text`.
  package func type(_ text: String) {
    let bytes = Array(text.utf8)
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
      if count > 0 { rest = rest.dropFirst(count) } else { _ = shown }
    }
  }

  /// Waits until the terminal shows `text` after the first `offset` bytes.
  package func shows(_ text: String, after offset: Int = 0) async throws {
    try await Patience.wait(until: "the terminal to show “\(text)”: \(shown)") {
      String(shown.utf8.dropFirst(offset))?.contains(text) ?? false
    }
  }

  /// Waits until the terminal has been silent for a moment.
  package func settles() async throws {
    var count = -1
    while count != shown.utf8.count {
      count = shown.utf8.count
      try await Task.sleep(for: .milliseconds(Self.quietMilliseconds))
    }
  }

  /// Waits until the program has ended. Returns its exit status.
  package func end() async throws -> Int32 {
    try await Patience.wait(until: "the program at the terminal to end: \(shown)") {
      _ = shown
      return !isRunning
    }
    return process.wait().code
  }
}
