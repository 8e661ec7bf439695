// A device of a test: the process of its agent, and the commands that a person runs.

import Glibc
import Records

/// A device with its agent.
package final class Device {
  package let name: String
  package let account: String?
  package let directory: TemporaryDirectory
  private let brokerPath: String?
  private let environment: [String: String]
  private let program: String
  package private(set) var agent: RunningProgram

  /// The output and the exit status of a program.
  package struct CommandResult {
    package let status: Int32
    package let output: String
    package let error: String

    /// Waits until a program has ended.
    package init(of program: RunningProgram) async throws {
      status = try await program.end()
      output = program.standardOutput
      error = program.standardError
    }

    /// The lines of the output, split at tabs.
    package var rows: [[String]] {
      output.split(separator: "\n").map {
        $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      }
    }
  }

  /// Starts a device of `account` with the broker at `brokerPath` and waits until its agent answers. Without a
  /// broker, it waits for an invitation. `program` may be an absolute path.
  package init(
    _ name: String, account: String? = "alice", in directory: TemporaryDirectory? = nil,
    brokerPath: String?, environment: [String: String] = [:], program: String = "contactsd"
  ) async throws {
    self.name = name
    self.program = program
    self.environment = environment
    self.account = account
    self.brokerPath = brokerPath
    let directory = try directory ?? TemporaryDirectory()
    self.directory = directory
    agent = try Self.start(program, name, account, directory, brokerPath, environment)
    try await answers()
  }

  package var socketPath: String { directory.file("a.sock") }
  package var requests: AgentRequests { AgentRequests(socketPath: socketPath) }

  /// Returns the arguments of an agent.
  package static func arguments(
    _ name: String, _ account: String?, _ directory: TemporaryDirectory, _ brokerPath: String?
  ) -> [String] {
    [
      "--state", directory.file("state"), "--socket", directory.file("a.sock"), "--device", name,
    ] + (brokerPath.map { ["--broker", $0] } ?? []) + (account.map { ["--account", $0] } ?? [])
  }

  private static func start(
    _ program: String, _ name: String, _ account: String?, _ directory: TemporaryDirectory,
    _ brokerPath: String?,
    _ environment: [String: String]
  ) throws -> RunningProgram {
    try RunningProgram(
      program, arguments(name, account, directory, brokerPath), environment: environment)
  }

  /// Starts the agent again after it ended.
  package func restart() async throws {
    agent = try Self.start(program, name, account, directory, brokerPath, environment)
    try await answers()
  }

  /// Kills the agent (SIGKILL).
  package func kill() async throws {
    try await agent.kill()
  }

  /// Stops the agent and returns its exit status.
  package func stop() async throws -> Int32 {
    agent.send(SIGTERM)
    return try await agent.end()
  }

  /// Waits until the agent answers.
  package func answers() async throws {
    try await Patience.wait(until: "\(name) to answer") {
      guard agent.isRunning else {
        throw RecordsError(.serviceUnavailable, "\(name) ended: \(agent.standardError)")
      }
      return (try? await requests.status()) != nil
    }
  }

  /// Waits until the device is live and has no pending edits.
  package func settles() async throws {
    try await Patience.wait(until: "\(name) to settle") {
      let status = try? await requests.status()
      return status?.state == "live" && status?.waitingEdits == 0
    }
  }

  /// Runs `contactsctl` on this device.
  package func control(_ arguments: String...) async throws -> CommandResult {
    try await control(arguments: arguments)
  }

  /// Runs `contactsctl` on this device.
  package func control(arguments: [String]) async throws -> CommandResult {
    try await Self.run("contactsctl", ["--agent", socketPath] + arguments)
  }

  /// Runs a program to its end.
  package static func run(
    _ program: String, _ arguments: [String], environment: [String: String] = [:]
  ) async throws -> CommandResult {
    try await CommandResult(of: RunningProgram(program, arguments, environment: environment))
  }

  /// Starts `contactsctl watch` from the first change.
  package func watch() throws -> RunningProgram {
    try RunningProgram("contactsctl", ["--agent", socketPath, "--plain", "watch", "--since", "0"])
  }

  /// Waits until `isRight` returns `true` for a contact.
  package func shows(_ id: String, _ what: String, isRight: (ContactRow) -> Bool) async throws {
    try await Patience.wait(until: "\(what) on \(name)") {
      try await requests.contact(id).map(isRight) ?? false
    }
  }

  /// Waits until a contact does not exist.
  package func misses(_ id: String) async throws {
    try await Patience.wait(until: "\(id) to go from \(name)") {
      try await requests.contact(id) == nil
    }
  }
}

/// A broker and two devices of one account.
package struct World {
  package let broker: RunningBroker
  package let laptop: Device
  package let phone: Device

  /// Starts all three and waits until both devices are live.
  package init() async throws {
    broker = try await RunningBroker()
    laptop = try await Device("laptop", brokerPath: broker.socketPath)
    phone = try await Device("phone", brokerPath: broker.socketPath)
    try await settle()
  }

  /// Waits until both devices have no pending edits and show the same contacts.
  /// - Returns: the contacts that they show.
  @discardableResult
  package func settle() async throws -> [ContactRow] {
    try await Agreement.wait(among: [laptop.requests, phone.requests])
  }

  /// Waits until both devices have noticed that the broker is away.
  package func isDisconnected() async throws {
    for device in [laptop, phone] {
      try await Patience.wait(until: "\(device.name) to be offline") {
        try await device.requests.status().state != "live"
      }
    }
  }
}
