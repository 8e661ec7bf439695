// Copies of a device's state directory on other machines, as real processes.

import Foundation
import Processes
import Testing

extension EndToEnd {
  @Suite("I20, R3 copies of a device over TLS")
  struct CopiedDeviceTests {
    /// Copies the state directory of a device that does not run.
    private func copyState(of device: Device) throws -> TemporaryDirectory {
      let directory = try TemporaryDirectory()
      try FileManager.default.copyItem(
        atPath: device.directory.file("state"), toPath: directory.file("state"))
      return directory
    }

    private func id(of device: Device) async throws -> String {
      struct Whoami: Decodable {
        struct Named: Decodable { let id: String? }
        let device: Named
      }
      let result = try await device.control("whoami", "--json")
      let whoami = try JSONDecoder().decode(Whoami.self, from: Data(result.output.utf8))
      return whoami.device.id ?? ""
    }

    private func becomeTwo(_ device: Device, _ copy: Device) async throws {
      try await Patience.wait(until: "the copy to be another device") {
        let ids = (try await id(of: device), try await id(of: copy))
        return ids.0 != ids.1 && !ids.0.isEmpty && !ids.1.isEmpty
      }
      try await device.settles()
      try await copy.settles()
    }

    /// The number of devices that the broker has under this name.
    private func count(of name: String, at broker: RemoteBroker) async throws -> Int {
      let list = try await Device.run(
        "contacts-broker", ["device", "list", "--state", broker.state])
      #expect(list.status == 0, "\(list.error)")
      return list.output.split(separator: "\n").filter { $0.contains(name) }.count
    }

    @Test func `a copied state directory becomes a device of its own without an invitation`()
      async throws
    {
      let (broker, desktop) = try await RemoteBroker.household()
      let laptop = try await broker.joined("laptop")
      #expect(try await laptop.stop() == 0)
      let directory = try copyState(of: laptop)
      try await laptop.restart()
      try await laptop.settles()
      let copy = try await Device("laptop", account: nil, in: directory, brokerPath: nil)
      try await becomeTwo(laptop, copy)
      #expect(try await count(of: "laptop", at: broker) == 2)
      _ = try await laptop.control("add", "--first", "Ylva")
      _ = try await copy.control("add", "--first", "Torsten")
      _ = try await Agreement.wait(among: [desktop.requests, laptop.requests, copy.requests])
      let shown = try await desktop.control("list").output
      #expect(shown.contains("Ylva") && shown.contains("Torsten"))
      // The new device signs in again as itself.
      let registered = try await id(of: copy)
      #expect(try await copy.stop() == 0)
      try await copy.restart()
      try await copy.settles()
      #expect(try await id(of: copy) == registered)
      #expect(try await count(of: "laptop", at: broker) == 2)
    }

    @Test func `two copies that have both written lose no edit`() async throws {
      let (broker, desktop) = try await RemoteBroker.household()
      let laptop = try await broker.joined("laptop")
      #expect(try await laptop.stop() == 0)
      let directory = try copyState(of: laptop)
      try await broker.broker.kill()
      try await laptop.restart()
      let copy = try await Device("laptop", account: nil, in: directory, brokerPath: nil)
      // Both send them under the same request number.
      #expect(try await laptop.control("add", "--first", "Asta").status == 0)
      #expect(try await copy.control("add", "--first", "Birk").status == 0)
      try await broker.broker.restart()
      for device in [laptop, copy] {
        #expect(try await device.control("sync", "--wait=90").status == 0)
      }
      try await becomeTwo(laptop, copy)
      _ = try await Agreement.wait(among: [desktop.requests, laptop.requests, copy.requests])
      let shown = try await desktop.control("list").output
      #expect(shown.contains("Asta") && shown.contains("Birk"))
      #expect(try await count(of: "laptop", at: broker) == 2)
    }
  }
}
