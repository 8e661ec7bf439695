// P3: durable saves a second. The loads are one client that waits for each outcome, fifty such clients of
// fifty accounts and of one account, and one client with 400 records a request.

import Glibc
import Measuring

/// Measures the rate of durable saves.
struct SaveRate {
  private let setting: BenchSetting
  private let seconds = Double(CommandLine.arguments.dropFirst(2).first ?? "3") ?? 3

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
    let broker = try setting.startBroker()
    defer { broker.stop() }
    let devices = try (0..<load.clients).map {
      try BenchDevice(setting, name: "device \($0)", account: "person \($0 % load.accounts)")
    }
    let fields = try fields(bytes: 300)
    var polled = devices.map { pollfd(fd: $0.socket.descriptor, events: Int16(POLLIN), revents: 0) }
    for device in devices {
      for _ in 0..<load.requestsInFlight { try device.save(records: load.records, fields: fields) }
    }
    let start = Measurement.monotonicSeconds()
    var count = 0
    while Measurement.monotonicSeconds() < start + seconds {
      guard poll(&polled, nfds_t(polled.count), 10_000) > 0 else {
        throw BenchFailure("The broker sent no outcome for 10 s.")
      }
      for index in polled.indices where polled[index].revents != 0 {
        let outcomes = try devices[index].receivedOutcomes()
        count += outcomes
        for _ in 0..<outcomes { try devices[index].save(records: load.records, fields: fields) }
      }
    }
    Measurement.report(
      "\(load.name)_per_s", Double(count * load.records) / (Measurement.monotonicSeconds() - start))
  }
}
