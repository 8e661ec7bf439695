// R2: devices on other machines. The same as P1, P2, P6 and P9, over TLS on the loopback interface.

import Foundation
import Measuring
import Records
import Synchronization

/// Measures devices that connect over TLS.
struct RemoteDevices {
  private static let port = 17_433
  /// The number of threads that connect. One thread alone would wait for each handshake; devices are machines of their
  /// own, whose halves of the handshakes take place at the same time.
  private static let machines = 4
  private let setting: BenchSetting

  init(_ setting: BenchSetting) {
    var remote = setting
    remote.port = Self.port
    remote.usesTLS = true
    self.setting = remote
  }

  /// Measures all four.
  func measure() throws {
    try Connections.allowDescriptors()
    try measureLatency()
    try measureFanOut(devices: 1000, requests: 300)
    try measureIdle(devices: 2000)
    try measureReconnection(devices: 5000)
  }

  /// Alternates between TLS and the Unix socket, because the speed of the disk varies.
  private func measureLatency() throws {
    let broker = try setting.startBroker()
    defer { broker.stop() }
    var local = setting
    local.usesTLS = false
    var seconds: [Bool: [Double]] = [:]
    for turn in 0..<10 {
      for usesTLS in turn.isMultiple(of: 2) ? [true, false] : [false, true] {
        var writer = try BenchDevice.registered(setting, name: "writer")
        var reader = try BenchDevice.registered(setting, name: "reader")
        let pair = try Pair(usesTLS ? setting : local, writer: &writer, reader: &reader)
        _ = try pair.seconds(rounds: 50)
        seconds[usesTLS, default: []] += try pair.seconds(rounds: 150)
      }
    }
    Measurement.reportPercentiles(
      "tls_save_to_change", seconds: seconds[true] ?? [], in: .microseconds)
    Measurement.reportPercentiles(
      "beside_tls_save_to_change", seconds: seconds[false] ?? [], in: .microseconds)
  }

  private func measureFanOut(devices: Int, requests: Int) throws {
    let broker = try setting.startBroker()
    defer { broker.stop() }
    var local = setting
    local.usesTLS = false
    let writer = try BenchDevice(local, name: "writer")
    let hellos = try (0..<devices).map { index in
      BenchDevice.helloFrame(try BenchDevice.registered(setting, name: "reader \(index)").hello)
    }
    let readers = try FeedReaders(setting, hellos: hellos)
    defer { readers.stop() }
    let rates = try FanOut.rates(of: writer, to: readers, requests: requests)
    Measurement.report("tls_fanout_\(devices)_per_s", rates.changes * Double(devices))
  }

  private func measureIdle(devices: Int) throws {
    let broker = try setting.startBroker()
    defer { broker.stop() }
    var known = try registered(devices)
    let empty = broker.residentKibibytes()
    let connected = try connect(&known)
    sleep(2)
    let full = broker.residentKibibytes()
    Measurement.report("tls_connection_bytes", (full - empty) * 1024 / Double(devices))
    withExtendedLifetime(connected) {}
  }

  private func measureReconnection(devices: Int) throws {
    let broker = try setting.startBroker()
    var known = try registered(devices)
    let before = try connect(&known)
    broker.kill()
    withExtendedLifetime(before) {}
    let again = try setting.restartBroker()
    defer { again.stop() }
    let start = Measurement.monotonicSeconds()
    let records = try Returns(setting, known).run(machines: Self.machines)
    Measurement.report("tls_\(devices)_return_s", Measurement.monotonicSeconds() - start)
    guard records == 0 else { throw BenchFailure("\(records) records were read again.") }
  }

  private func registered(_ devices: Int) throws -> [KnownDevice] {
    try (0..<devices).map {
      try BenchDevice.registered(setting, name: "device \($0)", account: "person \($0 / 10)")
    }
  }

  /// Connects all devices and lets them catch up, one after the other.
  private func connect(_ known: inout [KnownDevice]) throws -> [BenchDevice] {
    try known.indices.map { index in
      let device = try BenchDevice(setting, known[index])
      _ = try device.catchUp(&known[index])
      return device
    }
  }
}

/// Devices that return to the broker, on several threads.
private final class Returns: Sendable {
  // NB: `BenchDevice` is used by one thread at a time; the list only keeps the connections open.
  private struct State: @unchecked Sendable {
    var devices: [BenchDevice] = []
    var records = 0
    var failure: (any Error)?
  }

  private let setting: BenchSetting
  private let known: [KnownDevice]
  private let state = Mutex(State())

  init(_ setting: BenchSetting, _ known: [KnownDevice]) {
    self.setting = setting
    self.known = known
  }

  /// Connects all devices and lets them catch up.
  /// - Returns: the number of records that they received.
  func run(machines: Int) throws -> Int {
    DispatchQueue.concurrentPerform(iterations: machines) { machine in
      for index in stride(from: machine, to: known.count, by: machines) { connect(known[index]) }
    }
    return try state.withLock { state in
      if let failure = state.failure { throw failure }
      return state.records
    }
  }

  private func connect(_ known: KnownDevice) {
    do {
      var known = known
      let device = try BenchDevice(setting, known)
      let records = try device.catchUp(&known)
      let kept = State(devices: [device], records: records)
      state.withLock {
        $0.devices += kept.devices
        $0.records += kept.records
      }
    } catch {
      state.withLock { $0.failure = error }
    }
  }
}
