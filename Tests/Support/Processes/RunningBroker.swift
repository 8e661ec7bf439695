import Glibc
import Records

/// The process of a `contacts-broker` with a directory of its own. A test can kill it and start it again.
package final class RunningBroker {
  /// The directory of its database and its socket.
  package let directory: TemporaryDirectory
  /// The running process.
  package private(set) var program: RunningProgram

  /// The path at which it listens.
  package var socketPath: String { directory.file("b.sock") }

  private let settings: [String: String]
  private let openFilesMaximum: Int?

  /// Starts a broker, on a failing disk if `disk` is given, and waits until it serves. `settings` are
  /// environment variables; `openFilesMaximum` limits its open files.
  package init(
    in directory: TemporaryDirectory? = nil, on disk: FailingDisk? = nil,
    settings: [String: String] = [:], openFilesMaximum: Int? = nil
  ) async throws {
    self.directory = try directory ?? TemporaryDirectory()
    self.settings = try BrokerStoreKind.ofThisRun
      .settings(ofState: self.directory.file("state")).merging(settings) { $1 }
    self.openFilesMaximum = openFilesMaximum
    program = try Self.start(
      in: self.directory, environment: self.settings.merging(disk?.environment ?? [:]) { $1 },
      openFilesMaximum: openFilesMaximum)
    try await isUp()
  }

  /// Starts the broker again after it ended. `program` may be an absolute path.
  package func restart(as program: String = "contacts-broker") async throws {
    self.program = try Self.start(
      program, in: directory, environment: settings, openFilesMaximum: openFilesMaximum)
    try await isUp()
  }

  /// Kills the broker (SIGKILL) and waits until it ended. The file of its socket remains.
  package func kill() async throws {
    try await program.kill()
  }

  /// Returns the arguments of a broker on `directory`.
  package static func arguments(in directory: TemporaryDirectory) -> [String] {
    ["--state", directory.file("state"), "--socket", directory.file("b.sock")]
  }

  private static func start(
    _ name: String = "contacts-broker", in directory: TemporaryDirectory,
    environment: [String: String], openFilesMaximum: Int?
  ) throws -> RunningProgram {
    let arguments = arguments(in: directory)
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
      // NB: the kernel accepts connections before the broker handles signals. The broker logs when it serves.
      return program.standardError.contains(" serving ")
    }
  }
}
