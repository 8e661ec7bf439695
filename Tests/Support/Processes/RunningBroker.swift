// A `contacts-broker` of a test's own, on a directory of its own, which can be killed and started
// again on what it left.

import Glibc
import Records

/// A broker's process.
package final class RunningBroker {
  /// Where its state and its socket are.
  package let directory: TemporaryDirectory
  /// The running process.
  package private(set) var program: RunningProgram

  /// Where it listens.
  package var socketPath: String { directory.file("b.sock") }

  private let settings: [String: String]
  private let openFilesMaximum: Int?

  /// Starts one, on a disk that may fail, and waits until it serves. `settings` are those of its
  /// environment, by the names of its variables; with `openFilesMaximum` it may have so few files open.
  package init(
    in directory: TemporaryDirectory? = nil, on disk: FailingDisk? = nil,
    settings: [String: String] = [:], openFilesMaximum: Int? = nil
  ) async throws {
    self.directory = try directory ?? TemporaryDirectory()
    self.settings = settings
    self.openFilesMaximum = openFilesMaximum
    program = try Self.start(
      in: self.directory, environment: settings.merging(disk?.environment ?? [:]) { $1 },
      openFilesMaximum: openFilesMaximum)
    try await isUp()
  }

  /// Starts it again, after it ended.
  package func restart() async throws {
    program = try Self.start(
      in: directory, environment: settings, openFilesMaximum: openFilesMaximum)
    try await isUp()
  }

  /// Kills it (SIGKILL) and waits until it is gone. Its socket's file stays behind.
  package func kill() async throws {
    try await program.kill()
  }

  /// The arguments of a broker on `directory`.
  package static func arguments(in directory: TemporaryDirectory) -> [String] {
    ["--state", directory.file("state"), "--socket", directory.file("b.sock")]
  }

  private static func start(
    in directory: TemporaryDirectory, environment: [String: String], openFilesMaximum: Int?
  ) throws -> RunningProgram {
    let (name, arguments) = ("contacts-broker", arguments(in: directory))
    guard let openFilesMaximum else {
      return try RunningProgram(name, arguments, environment: environment)
    }
    return try RunningProgram(
      "/usr/bin/prlimit",
      ["--nofile=\(openFilesMaximum):\(openFilesMaximum)", RunningProgram.path(of: name)]
        + arguments, environment: environment)
  }

  private func isUp() async throws {
    try await Patience.wait(until: "the broker to listen") {
      guard program.isRunning else {
        throw RecordsError(.serviceUnavailable, "It did not start: \(program.standardError)")
      }
      // NB: the kernel takes connections before the broker minds signals; it serves when it says so.
      return program.standardError.contains(" serving ")
    }
  }
}
