// The processes of a round: a broker, three devices of one account behind relays that can be shut, and
// optionally a device of a second account.

import Foundation
import Glibc
import Processes
import Records
import Testing

/// The processes of a round.
final class ConvergenceWorld {
  let broker: RunningBroker
  private(set) var devices: [Device] = []
  let relays: [Relay]
  /// The second account's device, and the id of the shared group on the first device.
  private(set) var guest: Device?
  private(set) var sharedGroup: String?
  private(set) var isBrokerRunning = true
  private let directory: TemporaryDirectory
  private var backups: [TemporaryDirectory] = []

  static let names = ["laptop", "phone", "tablet"]

  /// Starts the broker and creates the relays, which `running` starts.
  init() async throws {
    directory = try TemporaryDirectory()
    let broker = try await RunningBroker()
    self.broker = broker
    relays = try Self.names.map { [directory] name in
      try Relay(at: directory.file("\(name).sock"), to: broker.socketPath)
    }
  }

  /// Runs `body` while the relays pass on bytes.
  func running(_ body: () async throws -> Void) async throws {
    try await Self.running(relays[...], body)
  }

  private static func running(
    _ relays: ArraySlice<Relay>, _ body: () async throws -> Void
  ) async throws {
    guard let relay = relays.first else { return try await body() }
    try await relay.running { try await running(relays.dropFirst(), body) }
  }

  /// Starts the devices and waits until they are caught up.
  func start(isShared: Bool) async throws {
    for name in Self.names {
      devices.append(try await Device(name, brokerPath: directory.file("\(name).sock")))
    }
    for device in devices { try await device.settles() }
    if isShared { try await share() }
  }

  private func share() async throws {
    let guest = try await Device("guest", account: "bob", brokerPath: broker.socketPath)
    self.guest = guest
    try await guest.settles()
    sharedGroup = try await devices[0].does("group", "add", "Shared")
      .split(separator: "\t").first.map(String.init)
    let link = try await devices[0].does("share", "Shared", "--anyone", "write")
    try await guest.does("accept", link, "--yes")
  }

  // MARK: Faults

  func disconnect(_ device: Int) async { await relays[device].shut() }

  func connect(_ device: Int) async { await relays[device].reopen() }

  func stopBroker() async throws {
    guard isBrokerRunning else { return }
    isBrokerRunning = false
    try await broker.kill()
  }

  func startBroker() async throws {
    guard !isBrokerRunning else { return }
    try await broker.restart()
    isBrokerRunning = true
  }

  /// Backs up the broker, whether it runs or not, and returns the number of the backup.
  func backUp() async throws -> Int {
    let backup = try TemporaryDirectory()
    try await run("backup", backup.path, "--state", broker.directory.file("state"))
    backups.append(backup)
    return backups.count - 1
  }

  /// Kills the broker, removes its state, restores one of the backups that `choice` selects, and starts the broker.
  func restore(_ choice: Int, isRewinding: Bool) async throws -> Int {
    let number = choice % backups.count
    let state = broker.directory.file("state")
    try await stopBroker()
    try FileManager.default.removeItem(atPath: state)
    try await run(
      "restore", isRewinding ? "--rewind" : "--continue", backups[number].path, "--state", state)
    try await startBroker()
    return number
  }

  private func run(_ arguments: String...) async throws {
    let result = try await Device.run("contacts-broker", arguments)
    guard result.status == 0 else {
      throw RecordsError(
        .internalError, "\(arguments[0]) ended with \(result.status): \(result.error)")
    }
  }

  func restart(_ device: Int) async throws {
    try await devices[device].kill()
    try await devices[device].restart()
  }

  /// Restarts and reconnects everything.
  func heal() async throws {
    try await startBroker()
    for relay in relays { await relay.reopen() }
  }
}
