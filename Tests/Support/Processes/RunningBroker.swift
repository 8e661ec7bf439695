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

  /// Starts one, on a disk that may fail, and waits until it serves. `settings` are those of its
  /// environment, by the names of its variables.
  package init(
    in directory: TemporaryDirectory? = nil, on disk: FailingDisk? = nil,
    settings: [String: String] = [:]
  ) async throws {
    self.directory = try directory ?? TemporaryDirectory()
    self.settings = settings
    program = try Self.start(
      in: self.directory, environment: settings.merging(disk?.environment ?? [:]) { $1 })
    try await isUp()
  }

  /// Starts it again, after it ended.
  package func restart() async throws {
    program = try Self.start(in: directory, environment: settings)
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
    in directory: TemporaryDirectory, environment: [String: String]
  ) throws -> RunningProgram {
    try RunningProgram("contacts-broker", arguments(in: directory), environment: environment)
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
