// Measures the real programs over their real sockets. Each subcommand prints lines of a name and a
// value; scripts/bench runs them beside the peers and makes a page of ratios.

import Foundation
import Measuring

/// The entry: `broker-bench fanout|latency|saves|store|queries|edits|connections|shared|hostile`, settings
/// from the environment.
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
      case "queries": try QueryTime(setting).measure()
      case "edits": try EditLatency(setting).measure()
      case "connections": try Connections(setting).measure()
      case "shared": try SharedZone(setting).measure()
      case "hostile":
        var neighbor = HostileNeighbor(setting)
        try neighbor.measure(seconds: seconds ?? 60, by: attacks)
      case "hostile-account":
        try HostileAccount(setting).run(attacks, seconds: seconds ?? 60)
      default:
        throw BenchFailure(
          "usage: broker-bench fanout|latency|saves|store|queries|edits|connections|shared|hostile")
      }
    } catch {
      BenchFailure.end("broker-bench", because: error)
    }
  }

  /// The second argument.
  private static var seconds: Double? {
    CommandLine.arguments.dropFirst(2).first.flatMap(Double.init)
  }

  /// The attacks that are named behind that, or all.
  private static var attacks: [HostileAccount.Attack] {
    let named = CommandLine.arguments.dropFirst(3).compactMap(HostileAccount.Attack.init)
    return named.isEmpty ? HostileAccount.Attack.allCases : named
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
