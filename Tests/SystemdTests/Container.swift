// A container with a booted systemd (scripts/container). Commands run inside through `nsenter`; requests to
// agents go through the container's root directory. A suite shares one container, because booting takes
// longer than most tests.

import Foundation
import Processes
import Records
import Testing

/// A booted container with the programs installed.
///
/// NB: `@unchecked` because any task may look at its process. The tests run one at a time, and nothing here
/// changes.
final class Container: @unchecked Sendable {
  /// The container of the running suite.
  @TaskLocal static var current: Container?

  private let folder: TemporaryDirectory
  private let program: RunningProgram

  /// The Debian package under test, if there is one.
  static let package = ProcessInfo.processInfo.environment["PACKAGE"]

  /// Why this machine cannot boot a container; `nil` if it can.
  static let obstacle: String? = {
    guard getuid() == 0 else { return "Only root can boot a container." }
    for tool in ["systemd-nspawn", "nsenter", "unshare"]
    where !FileManager.default.isExecutableFile(atPath: "/usr/bin/\(tool)") {
      return "There is no \(tool) here; Debian's package systemd-container brings it."
    }
    let systems = FileManager.default.contents(atPath: "/proc/filesystems") ?? Data()
    let hasOverlays = String(decoding: systems, as: UTF8.self).contains("\toverlay\n")
    return hasOverlays ? nil : "This kernel has no overlay file system."
  }()

  /// Boots a container and waits until it is up. The programs of this build are installed in it; with a
  /// package, they are not, and the package is at `/var/cache/contacts.deb`.
  init(package: String? = nil) async throws {
    folder = try TemporaryDirectory()
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let built = URL(filePath: RunningProgram.path(of: "contactsd")).deletingLastPathComponent()
    program = try RunningProgram(
      tests.deletingLastPathComponent().appending(path: "scripts/container").path,
      [folder.path, built.path, "\(getpid())"],
      environment: package.map { ["PACKAGE": $0] } ?? [:])
    try await isUp(after: nil)
  }

  /// The pid of the container's systemd on this machine; `nil` if there is none.
  private var systemd: String? {
    let text = String(decoding: folder.bytes(of: "init"), as: UTF8.self)
    let pid = text.trimmingCharacters(in: .whitespacesAndNewlines)
    return pid.isEmpty ? nil : pid
  }

  /// The pid of the container's systemd on this machine, which names the container's network.
  var processID: String {
    get throws {
      guard let systemd else {
        throw RecordsError(.networkUnavailable, "The container is not running.")
      }
      return systemd
    }
  }

  private func isUp(after previous: String?) async throws {
    try await Patience.wait(until: "the container to boot") {
      guard program.isRunning else {
        throw RecordsError(
          .serviceUnavailable,
          "There is no container: \(program.standardError)"
            + String(decoding: folder.bytes(of: "install.log"), as: UTF8.self).suffix(500))
      }
      guard let systemd, systemd != previous else { return false }
      let state = try await run("systemctl", "is-system-running").output
      return state == "running\n" || state == "degraded\n"
    }
  }

  /// Powers the container off and waits until it ended.
  func end() async throws {
    guard let systemd else { return }
    // SIGRTMIN+4 makes systemd power off.
    kill(Int32(systemd) ?? 0, 38)
    _ = try await program.end()
  }

  /// Reboots the container and waits until it is up.
  func reboot() async throws {
    let previous = systemd
    _ = try await run("systemctl", "reboot")
    try await isUp(after: previous)
  }

  // MARK: Commands

  /// The output and the exit status of a command.
  struct CommandResult {
    let status: Int32
    let output: String
    let error: String
  }

  /// Starts a command in the container.
  func start(_ command: [String]) throws -> RunningProgram {
    try RunningProgram(
      "/usr/bin/nsenter",
      ["--target", try processID, "--mount", "--pid", "--uts", "--ipc", "--net", "--"] + command,
      environment: ["PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"])
  }

  /// Runs a command in the container to its end.
  @discardableResult
  func run(_ command: String...) async throws -> CommandResult {
    let program = try start(command)
    let status = try await program.end()
    return CommandResult(
      status: status, output: program.standardOutput, error: program.standardError)
  }

  /// Runs a shell command in the container; it must succeed.
  @discardableResult
  func shell(_ line: String) async throws -> String {
    let result = try await run("/bin/sh", "-c", line)
    guard result.status == 0 else {
      let journal = try await run("journalctl", "--no-pager", "--lines=30").output
      throw RecordsError(
        .internalError, "“\(line)” ended with \(result.status): \(result.error)\n\(journal)")
    }
    return result.output
  }

  /// Writes a file in the container.
  func write(_ text: String, to path: String) async throws {
    try await shell("mkdir -p $(dirname \(path)) && cat > \(path) <<'END'\n\(text)\nEND")
  }

  /// Returns a property of a unit.
  func property(_ name: String, of unit: String) async throws -> String {
    try await run("systemctl", "show", "--property", name, "--value", unit).output
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Lets the agents of these instances use one account, as the page about operations says. The broker must run, because
  /// only its own user may change its database meanwhile.
  func admit(_ devices: [String], to account: String) async throws {
    let state = "--state /var/lib/contacts-broker"
    try await shell(
      "systemctl start contacts-broker.service && contacts-broker account add \(account) \(state)")
    for device in devices {
      try await shell(
        "systemctl start contactsd-user@\(device)"
          + " && contacts-broker account allow \(account) --user contactsd-\(device) \(state)")
    }
  }

  /// Returns the agent of the instance `device`.
  func requests(of device: String) -> AgentRequests {
    requests(at: "/run/contactsd/\(device)/contactsd.sock")
  }

  /// Returns the agent that listens at `path` in the container.
  func requests(at path: String) -> AgentRequests {
    AgentRequests(socketPath: "/proc/\(systemd ?? "0")/root\(path)")
  }
}

/// Boots a container for a suite and powers it off afterwards.
struct ContainerTrait: SuiteTrait, TestScoping {
  /// The package to install; `nil` for the programs of this build.
  var package: String?

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let container: Container
    do {
      container = try await Container(package: package)
    } catch {
      // No program of the project runs yet. A machine that cannot boot a container, for example inside
      // another one, says nothing about the units; the report says that they were not tested.
      withKnownIssue("No container boots here, so the units were not tested.") { throw error }
      return
    }
    try await Container.$current.withValue(container) { try await function() }
    try await container.end()
  }
}
