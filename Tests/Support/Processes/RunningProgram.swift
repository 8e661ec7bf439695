// One of the programs as a process, started as a shell would. Its output goes to files, so it never blocks on
// a reader; its environment contains only the variables that the test sets.

import Foundation
import Glibc
import Records

/// A process of a program under test.
package final class RunningProgram {
  private let process: ChildProcess
  private let name: String
  private let output: TemporaryDirectory

  /// Starts the program `name` of this build, or the program at an absolute path.
  package init(
    _ name: String, _ arguments: [String] = [], environment: [String: String] = [:]
  ) throws {
    self.name = name
    output = try TemporaryDirectory()
    let store =
      name == "contacts-broker"
      ? try BrokerStoreKind.ofThisRun.settings(ofCommand: arguments) : [:]
    process = try ChildProcess(
      Self.path(of: name), arguments,
      environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": output.path]
        .merging(store) { $1 }.merging(environment) { $1 },
      directory: output.path,
      files: ChildProcess.Files(
        input: FileHandle(forReadingFrom: URL(filePath: "/dev/null")),
        output: Self.writing(output.file("out")), error: Self.writing(output.file("err"))))
  }

  deinit {
    send(SIGKILL)
    process.wait()
  }

  /// Returns the path of a program of this build; an absolute path is returned unchanged.
  package static func path(of name: String) -> String {
    name.hasPrefix("/") ? name : folder.appending(path: name).path
  }

  /// The folder of the test program and of the programs under test. These are one file, which a link starts under each
  /// of their names.
  private static let folder: URL = {
    let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent()
    for name in ["contacts-broker", "contactsd", "contactsctl"] {
      // Not in place: another test process may make the same link, or start a program through it, at this moment. What an
      // older build left under the name is replaced.
      let path = folder.appending(path: name).path
      let link = "\(path).\(getpid())"
      guard (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != "contacts" else {
        continue
      }
      guard symlink("contacts", link) == 0, rename(link, path) == 0 else {
        let reason = String(cString: strerror(errno))
        preconditionFailure("Cannot link \(path) to the program: \(reason).")
      }
    }
    return folder
  }()

  private static func writing(_ path: String) throws -> FileHandle {
    try Data().write(to: URL(filePath: path))
    return try FileHandle(forWritingTo: URL(filePath: path))
  }

  /// Whether the process has not ended.
  package var isRunning: Bool { process.end == nil }

  /// The standard output so far.
  package var standardOutput: String { String(decoding: output.bytes(of: "out"), as: UTF8.self) }

  /// The standard error so far.
  package var standardError: String { String(decoding: output.bytes(of: "err"), as: UTF8.self) }

  /// The complete lines of the standard output so far.
  package var lines: [String] {
    standardOutput.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .map(String.init)
  }

  /// The process's id.
  package var processID: Int32 { process.id }

  /// The resident memory of the process.
  package var residentBytes: Int {
    let path = "/proc/\(process.id)/status"
    let status = FileManager.default.contents(atPath: path) ?? Data()
    let line = String(decoding: status, as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix("VmRSS:") }
    return (line?.split(separator: " ").dropLast().last.flatMap { Int($0) } ?? 0) << 10
  }

  /// Sends a signal to the process.
  package func send(_ signal: Int32) {
    process.send(signal)
  }

  /// Kills the process (SIGKILL) and waits until it ended.
  package func kill() async throws {
    send(SIGKILL)
    _ = try await end()
  }

  /// Waits until the process has ended. Returns its exit status, or the negated signal that ended it.
  package func end(within limit: Duration = Patience.limit) async throws -> Int32 {
    try await Patience.wait(until: "\(name) to end", within: limit) { !isRunning }
    return process.wait().code
  }

  /// Blocks until the process has ended. Returns the same as `end`.
  package func waitUntilEnd() -> Int32 { process.wait().code }
}
