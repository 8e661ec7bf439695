import Foundation
import Processes
import Testing

/// The invitation that `contacts-broker invite --json` prints.
struct CreatedInvitation: Decodable {
  let link: String
  let code: String
  let expires: String
}

/// A broker that listens on a port of the loopback interface.
final class RemoteBroker {
  let port: Int
  let broker: RunningBroker

  private let settings: [String: String]

  /// - Parameter settings: More environment variables.
  init(
    in directory: TemporaryDirectory? = nil, port: Int? = nil, settings: [String: String] = [:],
    openFilesMaximum: Int? = nil
  ) async throws {
    self.port = try port ?? LoopbackPort.unused()
    self.settings = settings
    broker = try await RunningBroker(
      in: directory,
      settings: ["CONTACTS_BROKER_LISTEN": "127.0.0.1:\(self.port)"].merging(settings) { $1 },
      openFilesMaximum: openFilesMaximum)
  }

  var address: String { "127.0.0.1:\(port)" }

  var state: String { broker.directory.file("state") }

  /// Waits until the broker has logged a line about a client at an address that begins with `network`, with
  /// these texts.
  func logs(from network: String = "127.0.0.1", _ texts: String...) async throws {
    try await Patience.wait(until: "the log to have \(texts): \(log)", within: .seconds(10)) {
      log.split(separator: "\n").contains { line in
        line.contains("network=\(network)") && texts.allSatisfy { line.contains($0) }
      }
    }
  }

  /// Whether the broker has logged a line with this text.
  func hasLogged(_ text: String) -> Bool { log.contains(text) }

  private var log: String { broker.program.standardError }

  /// Runs a command of the operator.
  func administer(_ arguments: String...) async throws -> Device.CommandResult {
    try await administer(arguments)
  }

  private func administer(_ arguments: [String]) async throws -> Device.CommandResult {
    try await Device.run(
      "contacts-broker", arguments + ["--state", state], environment: settings)
  }

  /// - Parameter address: Where the device reaches the broker; `nil` for its own address.
  func invite(
    _ account: String = "ada", at address: String? = nil, _ more: String...
  ) async throws -> CreatedInvitation {
    let result = try await administer(
      ["invite", account, "--json", "--address", address ?? self.address] + more)
    #expect(result.status == 0, "\(result.error)")
    return try JSONDecoder().decode(CreatedInvitation.self, from: Data(result.output.utf8))
  }

  /// Starts a broker with a local device, so that the account “ada” exists.
  static func household(
    openFilesMaximum: Int? = nil
  ) async throws -> (RemoteBroker, Device) {
    let broker = try await RemoteBroker(openFilesMaximum: openFilesMaximum)
    let desktop = try await Device("desktop", account: "ada", brokerPath: broker.broker.socketPath)
    try await desktop.settles()
    return (broker, desktop)
  }

  /// Starts a device that joins by a new invitation.
  func joined(_ name: String, at address: String? = nil) async throws -> Device {
    let device = try await Device(name, account: nil, brokerPath: nil)
    let result = try await device.control("signin", try await invite(at: address).link, "--yes")
    #expect(result.status == 0, "\(result.error)")
    try await device.settles()
    return device
  }
}
