// One of the programs as a process, as a shell would start it. What it says goes into files, so that
// it never waits for somebody to read; the environment holds only what the test gives.

import Foundation
import Records

/// A program that was started.
package final class RunningProgram {
  private let process = Process()
  private let output: TemporaryDirectory

  /// Starts the program `name` that was built with these tests, or the one at an absolute path.
  package init(
    _ name: String, _ arguments: [String] = [], environment: [String: String] = [:]
  ) throws {
    output = try TemporaryDirectory()
    process.executableURL = URL(filePath: name.hasPrefix("/") ? name : Self.path(of: name))
    process.arguments = arguments
    process.environment = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": output.path]
      .merging(environment) { $1 }
    process.currentDirectoryURL = URL(filePath: output.path)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try Self.writing(output.file("out"))
    process.standardError = try Self.writing(output.file("err"))
    try process.run()
  }

  deinit {
    if process.isRunning { send(SIGKILL) }
  }

  /// The path of a program that was built with these tests.
  package static func path(of name: String) -> String {
    // The tests' own program lies beside those they test.
    URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appending(path: name).path
  }

  private static func writing(_ path: String) throws -> FileHandle {
    try Data().write(to: URL(filePath: path))
    return try FileHandle(forWritingTo: URL(filePath: path))
  }

  /// Whether it has not ended.
  package var isRunning: Bool { process.isRunning }

  /// What it wrote on its standard output so far.
  package var standardOutput: String { String(decoding: output.bytes(of: "out"), as: UTF8.self) }

  /// What it wrote on its standard error so far.
  package var standardError: String { String(decoding: output.bytes(of: "err"), as: UTF8.self) }

  /// The whole lines of its standard output so far.
  package var lines: [String] {
    standardOutput.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .map(String.init)
  }

  /// The memory that it holds.
  package var residentBytes: Int {
    let path = "/proc/\(process.processIdentifier)/status"
    let status = FileManager.default.contents(atPath: path) ?? Data()
    let line = String(decoding: status, as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix("VmRSS:") }
    return (line?.split(separator: " ").dropLast().last.flatMap { Int($0) } ?? 0) << 10
  }

  /// Sends it a signal.
  package func send(_ signal: Int32) {
    Glibc.kill(process.processIdentifier, signal)
  }

  /// Kills it (SIGKILL) and waits until it is gone.
  package func kill() async throws {
    send(SIGKILL)
    _ = try await end()
  }

  /// Waits until it has ended; returns its exit status, or minus the signal that ended it.
  package func end(within limit: Duration = Patience.limit) async throws -> Int32 {
    let name = process.executableURL?.lastPathComponent ?? ""
    try await Patience.wait(until: "\(name) to end", within: limit) { !process.isRunning }
    let status = process.terminationStatus
    return process.terminationReason == .uncaughtSignal ? -status : status
  }
}
