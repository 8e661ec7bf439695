// One account attacks the broker in nine ways at once, from a process of its own, while another account
// works. No request of the other account is refused, and the broker's memory stays bounded. `make bench`
// measures the other account's latency with release builds.

import Processes
import Records
import Testing

@Suite("I11, I18 an account while another attacks the broker", .timeLimit(.minutes(3)))
struct HostileNeighborTests {
  @Test func `no request is refused, and the broker uses less than 512 MiB`() async throws {
    let folder = try TemporaryDirectory()
    let programs = RunningProgram.path(of: "broker-bench").dropLast("/broker-bench".count)
    let bench = try RunningProgram(
      "broker-bench", ["hostile", "10"],
      environment: [
        "BENCH_PROGRAMS": String(programs), "BENCH_PEERS": folder.path, "BENCH_FOLDER": folder.path,
      ])
    try await Patience.wait(until: "the measurement to end", within: .seconds(120)) {
      !bench.isRunning
    }
    var values: [String: Double] = [:]
    for line in bench.lines {
      let parts = line.split(separator: " ")
      guard parts.count == 2, let value = Double(parts[1]) else { continue }
      values[String(parts[0])] = value
    }
    #expect(values["hostile_refusals"] == 0, "\(bench.standardError)")
    let peak = try #require(values["hostile_broker_peak_mib"])
    #expect(peak > 0 && peak < 512)
    #expect(values["hostile_attacked_notification_p99_ms"] != nil)
    // Check that the attack took place: without one the test would pass too.
    let counts = values.filter { $0.key.hasSuffix("_count") }
    #expect(counts.count == 9)
    #expect(counts.allSatisfy { $0.value >= 1 }, "\(counts)")
  }
}
