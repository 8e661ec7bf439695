// P3: durable saves a second. The loads are one client that waits for each outcome, fifty such clients of
// fifty accounts and of one account, and one client with 400 records a request.
//
// S3: the same load on several brokers with one database, and what a save costs all of them and the database server.

import Glibc
import Measuring

/// Measures the rate of durable saves.
struct SaveRate {
  private let setting: BenchSetting
  private let seconds = Double(CommandLine.arguments.dropFirst(2).first ?? "3") ?? 3
  /// The number of brokers, which is part of the names of the values: the fourth argument.
  private let brokers = CommandLine.arguments.dropFirst(4).first.flatMap { Int($0) }
  /// The process of the database server that has started the others: the fifth argument.
  private let server = CommandLine.arguments.dropFirst(5).first.flatMap { Int32($0) }

  init(_ setting: BenchSetting) {
    self.setting = setting
  }

  /// The number of clients and accounts of a measurement, and each client's records a request and
  /// requests in flight.
  private struct Load {
    let name: String
    let clients: Int
    var accounts = 1
    var records = 1
    var requestsInFlight = 1
  }

  private static let loads = [
    Load(name: "broker_saves_1", clients: 1),
    Load(name: "broker_saves_50", clients: 50, accounts: 50),
    Load(name: "broker_saves_50_of_one", clients: 50),
    Load(name: "broker_saves_400", clients: 1, records: 400, requestsInFlight: 4),
  ]

  /// Measures every load, or only the one named by the third argument.
  func measure() throws {
    let only = CommandLine.arguments.dropFirst(3).first
    for load in Self.loads where only == nil || load.name == only { try measure(load) }
  }

  private func measure(_ load: Load) throws {
    let programs = try setting.startBrokers(brokers ?? 1)
    defer { for program in programs { program.stop() } }
    let devices = try (0..<load.clients).map {
      try BenchDevice(
        setting.broker($0 % programs.count), name: "device \($0)",
        account: "person \($0 % load.accounts)")
    }
    let spent = processorSeconds(of: programs)
    let start = Measurement.monotonicSeconds()
    let count = try saves(of: devices, load, until: start + seconds)
    let rate = Double(count) / (Measurement.monotonicSeconds() - start)
    guard let brokers else { return Measurement.report("\(load.name)_per_s", rate) }
    Measurement.report("\(load.name)_on_\(brokers)_per_s", rate)
    Measurement.report(
      "\(load.name)_on_\(brokers)_cpu_us",
      (processorSeconds(of: programs) - spent) * 1e6 / Double(count))
  }

  /// The processor time of all brokers and of the database server, without that of the clients.
  private func processorSeconds(of brokers: [Program]) -> Double {
    let ofServer =
      server.map { Measurement.processorSeconds(ofProcess: $0, withChildren: true) } ?? 0
    return brokers.reduce(ofServer) { $0 + $1.processorSeconds() }
  }

  /// Saves until `end`, and returns the number of saved records.
  private func saves(of devices: [BenchDevice], _ load: Load, until end: Double) throws -> Int {
    let fields = try fields(bytes: 300)
    var polled = devices.map { pollfd(fd: $0.socket.descriptor, events: Int16(POLLIN), revents: 0) }
    for device in devices {
      for _ in 0..<load.requestsInFlight { try device.save(records: load.records, fields: fields) }
    }
    var count = 0
    while Measurement.monotonicSeconds() < end {
      guard poll(&polled, nfds_t(polled.count), 10_000) > 0 else {
        throw BenchFailure("The broker sent no outcome for 10 s.")
      }
      for index in polled.indices where polled[index].revents != 0 {
        let outcomes = try devices[index].receivedOutcomes()
        count += outcomes
        for _ in 0..<outcomes { try devices[index].save(records: load.records, fields: fields) }
      }
    }
    return count * load.records
  }
}
