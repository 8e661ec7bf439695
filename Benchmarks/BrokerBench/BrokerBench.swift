// Measures the real programs over their real sockets. Each subcommand prints lines of a name and a
// value; scripts/bench runs them beside the peers and makes a page of ratios.

import Foundation

/// The entry: `broker-bench fanout|latency|saves|store|edits|connections`, settings from the environment.
@main
enum BrokerBench {
  static func main() {
    do {
      let setting = try BenchSetting(environment: ProcessInfo.processInfo.environment)
      switch CommandLine.arguments.dropFirst().first {
      case "fanout": try FanOut(setting).measure()
      case "latency": try SaveLatency(setting).measure()
      case "saves": try SaveRate(setting).measure()
      case "store": try StoreRate(setting).measure()
      case "edits": try EditLatency(setting).measure()
      case "connections": try Connections(setting).measure()
      default:
        throw BenchFailure("usage: broker-bench fanout|latency|saves|store|edits|connections")
      }
    } catch {
      FileHandle.standardError.write(Data("broker-bench: \(error)\n".utf8))
      exit(1)
    }
  }
}

/// Why nothing was measured.
struct BenchFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// Where the programs are and where they may write.
struct BenchSetting {
  /// The folder of contacts-broker and contactsd.
  let programs: String
  /// The folder of the programs in C.
  let peers: String
  /// An empty folder on the disk that is measured.
  let folder: String

  init(environment: [String: String]) throws {
    guard let programs = environment["BENCH_PROGRAMS"], let peers = environment["BENCH_PEERS"],
      let folder = environment["BENCH_FOLDER"]
    else { throw BenchFailure("Run it through scripts/bench, which says where things are.") }
    self.programs = programs
    self.peers = peers
    self.folder = folder
  }

  /// The broker's socket.
  var brokerSocket: String { folder + "/broker.sock" }
}

/// Prints a result.
func report(_ name: String, _ value: Double) {
  FileHandle.standardOutput.write(Data("\(name) \(String(format: "%.1f", value))\n".utf8))
}

/// Prints the median and the 99th percentile, in microseconds.
func reportPercentiles(_ name: String, seconds: [Double]) {
  let sorted = seconds.sorted()
  guard !sorted.isEmpty else { return }
  report("\(name)_p50_us", sorted[sorted.count / 2] * 1e6)
  report("\(name)_p99_us", sorted[sorted.count * 99 / 100] * 1e6)
}

/// Seconds of the clock that the programs in C read too.
func monotonicSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}
