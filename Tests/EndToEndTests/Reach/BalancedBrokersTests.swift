import Foundation
import Processes
import Records
import Testing

extension EndToEnd {
  @Suite(
    "S2 devices of several brokers behind one address",
    .disabled(if: BalancedBrokers.obstacle != nil, "\(BalancedBrokers.obstacle ?? "")"))
  struct BalancedBrokersTests {
    /// Starts brokers and a device for each of `names`. Each is invited at another broker than the one that it joins.
    private func world(_ names: String...) async throws -> (BalancedBrokers, [Device]) {
      let world = try await BalancedBrokers()
      #expect(try await world.brokers[0].administer("account", "add", "ada").status == 0)
      var devices: [Device] = []
      for (number, name) in names.enumerated() {
        let broker = world.brokers[number % world.brokers.count]
        devices.append(try await broker.joined(name, at: world.address))
      }
      return (world, devices)
    }

    /// Lets each device edit a contact of its own, and waits until each other one shows it.
    private func exchange(_ company: String, _ ids: [String], among devices: [Device]) async throws
    {
      for (device, id) in zip(devices, ids) {
        try await device.requests.setCompany(of: id, to: company)
      }
      for device in devices {
        for id in ids {
          try await device.shows(id, "“\(company)” of \(id)") { $0.company == company }
        }
      }
    }

    @Test func `devices of a killed broker go on at others`() async throws {
      let (world, devices) = try await world("laptop", "phone", "tablet", "desktop")
      var ids: [String] = []
      for device in devices { ids.append(try await device.requests.add(first: device.name)) }
      try await exchange("start", ids, among: devices)
      for round in 0..<2 {
        for (number, broker) in world.brokers.enumerated() {
          try await broker.broker.kill()
          try await exchange("\(round)-\(number)", ids, among: devices)
          try await broker.broker.restart()
        }
      }
    }

    @Test func `no edit is lost or made twice while brokers are killed one by one`() async throws {
      let (world, devices) = try await world("laptop", "phone", "tablet")
      let writers = ["l": devices[0].requests, "p": devices[1].requests]
      let ledgers = try await LedgerWriter.write(on: writers) {
        for round in 0..<kills {
          let broker = world.brokers[round % world.brokers.count].broker
          try await broker.kill()
          try await Task.sleep(for: .milliseconds(Int.random(in: 50...400)))
          try await broker.restart()
        }
      }
      let contacts = try await Agreement.wait(among: devices.map(\.requests))
      for ledger in ledgers {
        #expect(!ledger.companies.isEmpty)
        #expect(ledger.broken(in: contacts) == [])
      }
    }

    @Test func `a device that is removed through one broker is erased at any of them`()
      async throws
    {
      let (world, devices) = try await world("laptop", "phone", "tablet", "desktop")
      for device in devices.dropFirst() {
        let removed = try await devices[0].control("devices", "rm", device.name, "--yes")
        #expect(removed.status == 0, "\(removed.error)")
      }
      for device in devices.dropFirst() {
        try await Patience.wait(until: "the \(device.name) to be erased") {
          try await device.control("list").rows.isEmpty
        }
      }
      #expect(world.brokers.allSatisfy { $0.broker.program.isRunning })
      try await devices[0].settles()
    }

    @Test func `copies of a device that are at different brokers lose no edit`() async throws {
      let (world, devices) = try await world("laptop")
      let laptop = devices[0]
      #expect(try await laptop.stop() == 0)
      let directory = try TemporaryDirectory()
      try FileManager.default.copyItem(
        atPath: laptop.directory.file("state"), toPath: directory.file("state"))
      try await laptop.restart()
      try await laptop.settles()
      let copy = try await Device("laptop", account: nil, in: directory, brokerPath: nil)
      try await copy.settles()
      for number in 0..<5 {
        _ = try await laptop.requests.add(first: "Ylva\(number)")
        _ = try await copy.requests.add(first: "Torsten\(number)")
        _ = try await Agreement.wait(among: [laptop.requests, copy.requests])
      }
      let shown = Set(try await laptop.requests.contacts().map(\.firstName))
      for number in 0..<5 {
        #expect(shown.contains("Ylva\(number)") && shown.contains("Torsten\(number)"))
      }
      #expect(try await world.brokers[0].administer("check").status == 0)
    }
  }
}
