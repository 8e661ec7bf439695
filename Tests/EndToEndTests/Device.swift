// A device of a test: the process of its agent, and the commands that a person runs.

import Glibc
import Processes
import Records

/// A device with its agent.
final class Device {
  let name: String
  let account: String?
  let directory: TemporaryDirectory
  private let brokerPath: String?
  private let environment: [String: String]
  private let program: String
  private(set) var agent: RunningProgram

  /// The output and the exit status of a program.
  struct CommandResult {
    let status: Int32
    let output: String
    let error: String

    /// The lines of the output, split at tabs.
    var rows: [[String]] {
      output.split(separator: "\n").map {
        $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      }
    }
  }

  /// Starts a device of `account` with the broker at `brokerPath` and waits until its agent answers. Without a
  /// broker, it waits for an invitation. `program` may be an absolute path.
  init(
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

  var socketPath: String { directory.file("a.sock") }
  var requests: AgentRequests { AgentRequests(socketPath: socketPath) }

  /// Returns the arguments of an agent.
  static func arguments(
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
  func restart() async throws {
    agent = try Self.start(program, name, account, directory, brokerPath, environment)
    try await answers()
  }

  /// Kills the agent (SIGKILL).
  func kill() async throws {
    try await agent.kill()
  }

  /// Stops the agent and returns its exit status.
  func stop() async throws -> Int32 {
    agent.send(SIGTERM)
    return try await agent.end()
  }

  /// Waits until the agent answers.
  func answers() async throws {
    try await Patience.wait(until: "\(name) to answer") {
      guard agent.isRunning else {
        throw RecordsError(.serviceUnavailable, "\(name) ended: \(agent.standardError)")
      }
      return (try? await requests.status()) != nil
    }
  }

  /// Waits until the device is live and has no pending edits.
  func settles() async throws {
    try await Patience.wait(until: "\(name) to settle") {
      let status = try? await requests.status()
      return status?.state == "live" && status?.waitingEdits == 0
    }
  }

  /// Runs `contactsctl` on this device.
  func control(_ arguments: String...) async throws -> CommandResult {
    try await control(arguments: arguments)
  }

  /// Runs `contactsctl` on this device.
  func control(arguments: [String]) async throws -> CommandResult {
    try await Self.run("contactsctl", ["--agent", socketPath] + arguments)
  }

  /// Runs a program to its end.
  static func run(
    _ program: String, _ arguments: [String], environment: [String: String] = [:]
  ) async throws -> CommandResult {
    let program = try RunningProgram(program, arguments, environment: environment)
    let status = try await program.end()
    return CommandResult(
      status: status, output: program.standardOutput, error: program.standardError)
  }

  /// Starts `contactsctl watch` from the first change.
  func watch() throws -> RunningProgram {
    try RunningProgram("contactsctl", ["--agent", socketPath, "--plain", "watch", "--since", "0"])
  }

  /// Waits until `isRight` returns `true` for a contact.
  func shows(_ id: String, _ what: String, isRight: (ContactRow) -> Bool) async throws {
    try await Patience.wait(until: "\(what) on \(name)") {
      try await requests.contact(id).map(isRight) ?? false
    }
  }

  /// Waits until a contact does not exist.
  func misses(_ id: String) async throws {
    try await Patience.wait(until: "\(id) to go from \(name)") {
      try await requests.contact(id) == nil
    }
  }
}

/// A broker and two devices of one account.
struct World {
  let broker: RunningBroker
  let laptop: Device
  let phone: Device

  /// Starts all three and waits until both devices are live.
  init() async throws {
    broker = try await RunningBroker()
    laptop = try await Device("laptop", brokerPath: broker.socketPath)
    phone = try await Device("phone", brokerPath: broker.socketPath)
    try await settle()
  }

  /// Waits until both devices have no pending edits and show the same contacts.
  /// - Returns: the contacts that they show.
  @discardableResult
  func settle() async throws -> [ContactRow] {
    try await Agreement.wait(among: [laptop.requests, phone.requests])
  }

  /// Waits until both devices have noticed that the broker is away.
  func isDisconnected() async throws {
    for device in [laptop, phone] {
      try await Patience.wait(until: "\(device.name) to be offline") {
        try await device.requests.status().state != "live"
      }
    }
  }
}
