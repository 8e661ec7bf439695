import OfflineClient
import Processes
import Testing

/// The process of a broker that listens for devices on other machines, on a port of the loopback interface.
struct TLSBroker {
  /// Where devices on other machines reach it, HOST:PORT.
  let address: String
  private let broker: RunningBroker

  init() async throws {
    address = "127.0.0.1:\(try LoopbackPort.unused())"
    broker = try await RunningBroker(settings: ["CONTACTS_BROKER_LISTEN": address])
  }

  /// Where programs on the broker's machine reach it.
  var localAddress: BrokerAddress { .unixSocket(broker.socketPath) }

  /// Revokes a device with this name.
  func revoke(_ device: String) async throws {
    let rows = try await run("device", "list").split(separator: "\n")
    let row = try #require(rows.first { $0.contains(device) })
    let id = try #require(row.firstMatch(of: /[0-9a-f]{32}/)).output
    _ = try await run("device", "revoke", String(id))
  }

  private func run(_ words: String...) async throws -> String {
    let program = try RunningProgram(
      "contacts-broker", words + ["--state", broker.directory.file("state")])
    #expect(try await program.end() == 0, "\(words): \(program.standardError)")
    return program.standardOutput
  }
}
