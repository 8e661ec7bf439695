// What a device reports about itself while its broker is suspended, while nothing happens, and while a copy
// of the device runs.

import Foundation
import Processes
import Records
import Testing

extension EndToEnd {
  @Suite("the reported status")
  struct StatusTests {
    private struct Status: Decodable {
      let state: String
      let lastSyncAgeSeconds: Int?
      let warnings: [String]
    }

    private static func status(_ device: Device) async throws -> Status {
      let result = try await device.control("status", "--json")
      return try JSONDecoder().decode(Status.self, from: Data(result.output.utf8))
    }

    @Test func `a device of a frozen broker reads live for at most a heartbeat`() async throws {
      let broker = try await RunningBroker()
      let device = try await Device("laptop", brokerPath: broker.socketPath)
      try await device.settles()
      broker.program.send(SIGSTOP)
      defer { broker.program.send(SIGCONT) }
      let start = ContinuousClock.now
      try await Patience.wait(until: "the silence to be noticed") {
        try await Self.status(device).state != "live"
      }
      // The heartbeat is 30 s; the request takes a moment too.
      #expect(ContinuousClock.now - start < .seconds(32))
      broker.program.send(SIGCONT)
      try await device.settles()
    }

    @Test func `a live device is synchronized now, a disconnected one when it was last live`()
      async throws
    {
      let broker = try await RunningBroker()
      let device = try await Device("laptop", brokerPath: broker.socketPath)
      try await device.settles()
      try await Task.sleep(for: .seconds(4))
      let live = try await Self.status(device)
      #expect(live.state == "live" && live.lastSyncAgeSeconds ?? .max <= 1)
      try await broker.kill()
      try await Patience.wait(until: "the device to be alone") {
        try await Self.status(device).state != "live"
      }
      let alone = try await Self.status(device)
      #expect(alone.lastSyncAgeSeconds ?? .max <= 8, "the agent remembers when it was live")
      try await Patience.wait(until: "the time to pass") {
        try await Self.status(device).lastSyncAgeSeconds ?? 0 >= 3
      }
    }

    @Test func `a copied state directory becomes a device of its own without a write`()
      async throws
    {
      let broker = try await RunningBroker()
      let device = try await Device("laptop", brokerPath: broker.socketPath)
      try await device.settles()
      #expect(try await device.stop() == 0)
      let directory = try TemporaryDirectory()
      try FileManager.default.copyItem(
        atPath: device.directory.file("state"), toPath: directory.file("state"))
      try await device.restart()
      try await device.settles()
      let copy = try await Device("laptop", in: directory, brokerPath: broker.socketPath)
      try await Patience.wait(until: "the copy to be another device") {
        try await Self.id(of: device) != Self.id(of: copy)
      }
      try await device.settles()
      try await copy.settles()
      #expect(try await device.requests.contacts().count == 10)
      #expect(try await copy.requests.contacts().count == 10)
    }

    private static func id(of device: Device) async throws -> String {
      struct Whoami: Decodable {
        struct Named: Decodable { let id: String? }
        let device: Named
      }
      let result = try await device.control("whoami", "--json")
      let whoami = try JSONDecoder().decode(Whoami.self, from: Data(result.output.utf8))
      return whoami.device.id ?? ""
    }
  }
}
