// Devices that other devices of their account rename or remove, as real processes.

import Foundation
import Processes
import Testing

extension EndToEnd {
  @Suite("R4 removed devices")
  struct DeviceRemovalTests {
    private struct Listed: Decodable {
      struct Device: Decodable {
        let id: String
        let name: String
        let connected: Bool?
        let network: String?
      }

      let devices: [Device]
    }

    private func devices(of device: Device) async throws -> [Listed.Device] {
      let result = try await device.control("devices", "--json")
      return try JSONDecoder().decode(Listed.self, from: Data(result.output.utf8)).devices
    }

    @Test func `the list of devices says who is connected, and from where`() async throws {
      let (broker, desktop) = try await RemoteBroker.household()
      let laptop = try await broker.joined("laptop")
      var listed = try await devices(of: desktop)
      #expect(listed.first { $0.name == "laptop" }?.network == "127.0.0.1")
      #expect(listed.first { $0.name == "desktop" }?.connected == true)
      #expect(listed.first { $0.name == "desktop" }?.network == nil)
      try await laptop.kill()
      try await Patience.wait(until: "the laptop to be gone") {
        listed = try await devices(of: desktop)
        return listed.first { $0.name == "laptop" }?.connected == false
      }
      try await broker.broker.kill()
      try await Patience.wait(until: "nobody to know who is connected") {
        try await devices(of: desktop).allSatisfy { $0.connected == nil }
      }
    }

    @Test func `a device removes another one, which is cut off and erased`() async throws {
      let (broker, _) = try await RemoteBroker.household()
      let laptop = try await broker.joined("laptop")
      let phone = try await broker.joined("phone")
      #expect(try await laptop.control("devices", "rename", "phone", "Old phone").status == 0)
      try await Patience.wait(until: "the phone to have its new name") {
        try await phone.control("whoami").output.contains("Old phone")
      }
      let own = try await laptop.control("devices", "rm", "laptop", "--yes")
      #expect(own.status == 65 && own.error.contains("signout"), "\(own.error)")
      #expect(try await laptop.control("devices", "rm", "Old phone").status == 64)
      let removed = try await laptop.control("devices", "rm", "Old phone", "--yes")
      #expect(removed.status == 0, "\(removed.error)")
      try await broker.logs("request refused", "code=notAuthenticated", "reason=revoked")
      try await Patience.wait(until: "the phone to be erased") {
        try await phone.control("list").rows.isEmpty
      }
      #expect(try await phone.control("status").output.contains("signin INVITATION"))
      let again = try await phone.control("signin", "ada")
      #expect(again.status == 77 && again.error.contains("needs an invitation"), "\(again.error)")
      #expect(try await phone.control("list").rows.isEmpty)
      #expect(try await devices(of: laptop).map(\.name).contains("Old phone") == false)
      let gone = try await laptop.control("devices", "rm", "Old phone", "--yes")
      #expect(gone.status == 66, "\(gone.error)")
    }

    @Test func `the connection of a removed device ends within a second`() async throws {
      let (broker, _) = try await RemoteBroker.household()
      let laptop = try await broker.joined("laptop")
      let times = try await Patience.times(below: .seconds(1)) { number in
        let phone = try await broker.joined("phone \(number)")
        let start = ContinuousClock.now
        let removal = try RunningProgram(
          "contactsctl", ["--agent", laptop.socketPath, "devices", "rm", phone.name, "--yes"])
        try await Patience.wait(until: "the connection of \(phone.name) to end") {
          try await phone.requests.status().state != "live"
        }
        let end = ContinuousClock.now
        #expect(try await removal.end() == 0, "\(removal.standardError)")
        return end - start
      }
      #expect(times.contains { $0 < .seconds(1) }, "\(times)")
    }

    @Test func `the list says how each device is connected, with short ids that suffice`()
      async throws
    {
      let (broker, desktop) = try await RemoteBroker.household()
      let laptop = try await broker.joined("laptop")
      let rows = try await laptop.control("devices").rows
      #expect(rows.first { $0[1] == "laptop" }?.last == "over TLS from 127.0.0.1", "\(rows)")
      #expect(rows.first { $0[1] == "desktop" }?.last == "on the server or over ssh", "\(rows)")
      let full = try await devices(of: laptop)
      for row in rows {
        let device = try #require(full.first { $0.name == row[1] })
        #expect(device.id.hasPrefix(row[0]) && (6...8).contains(row[0].count), "\(row)")
      }
      let short = try #require(rows.first { $0[1] == "desktop" })[0]
      #expect(try await laptop.control("devices", "rename", short, "Tower").status == 0)
      try await Patience.wait(until: "the desktop to have its new name") {
        try await desktop.control("whoami").output.contains("Tower")
      }
    }

    @Test(.readsBrokerFile, arguments: [true, false])
    func `a removed device stays removed when an older backup is restored`(
      hasList: Bool
    ) async throws {
      let (broker, _) = try await RemoteBroker.household()
      let laptop = try await broker.joined("laptop")
      let phone = try await broker.joined("phone")
      let backup = try TemporaryDirectory()
      #expect(
        try await Device.run(
          "contacts-broker", ["backup", "--state", broker.state, backup.file("b")]
        )
        .status == 0)
      let id = try #require(try await devices(of: laptop).first { $0.name == "phone" }?.id)
      // The phone is off, so that it does not learn that it was removed.
      _ = try await phone.stop()
      #expect(try await laptop.control("devices", "rm", String(id.prefix(8)), "--yes").status == 0)
      try await laptop.settles()
      try await broker.broker.kill()
      let machine = try TemporaryDirectory()
      let restored = try await Device.run(
        "contacts-broker",
        ["restore", "--state", machine.file("state"), backup.file("b")]
          + (hasList ? ["--removed-devices", "\(broker.state)/removed-devices"] : []))
      #expect(restored.status == 0, "\(restored.error)")
      #expect(
        restored.output.contains(hasList ? "1 device is listed" : "There is no list"),
        "\(restored.output)")
      let next = try await RemoteBroker(in: machine, port: broker.port)
      // Without the list, another device of the account repeats the removal.
      if !hasList { #expect(try await laptop.control("sync", "--wait=90").status == 0) }
      try await Patience.wait(until: "the broker to list the phone as removed") {
        try await Device.run("contacts-broker", ["device", "list", "--state", next.state]).output
          .split(separator: "\n").contains { $0.contains(id) && $0.contains("revoked") }
      }
      try await phone.restart()
      try await Patience.wait(until: "the phone to be erased") {
        try await phone.control("list").rows.isEmpty
      }
    }
  }
}
