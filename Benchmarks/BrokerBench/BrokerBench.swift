// Measures the real programs over their real sockets. Each subcommand prints lines with a name and a value.
// scripts/bench runs them together with other programs and writes a page of ratios.

import Foundation
import Measuring

/// The main program: `broker-bench fanout|latency|saves|followers|unnotified|store|queries|edits|connections|tls|shared|hostile`.
/// The environment contains the settings.
@main
enum BrokerBench {
  static func main() {
    do {
      let setting = try BenchSetting(environment: ProcessInfo.processInfo.environment)
      switch CommandLine.arguments.dropFirst().first {
      case "fanout": try FanOut(setting).measure()
      case "latency": try SaveLatency(setting).measure()
      case "saves": try SaveRate(setting).measure()
      case "followers": try FollowerLatency(setting).measureNotified()
      case "unnotified": try FollowerLatency(setting).measureUnnotified()
      case "store": try StoreRate(setting).measure()
      case "queries": try QueryTime(setting).measure()
      case "edits": try EditLatency(setting).measure()
      case "connections": try Connections(setting).measure()
      case "tls": try RemoteDevices(setting).measure()
      case "shared": try SharedZone(setting).measure()
      case "hostile":
        var neighbor = HostileNeighbor(setting)
        try neighbor.measure(seconds: seconds ?? 60, by: attacks)
      case "hostile-account":
        try HostileAccount(setting).run(attacks, seconds: seconds ?? 60)
      default:
        throw BenchFailure(
          """
          usage: broker-bench \
          fanout|latency|saves|followers|unnotified|store|queries|edits|connections|tls|shared|hostile
          """
        )
      }
    } catch {
      BenchFailure.end("broker-bench", because: error)
    }
  }

  /// The duration in seconds: the second argument.
  private static var seconds: Double? {
    CommandLine.arguments.dropFirst(2).first.flatMap(Double.init)
  }

  /// The attacks named by the remaining arguments, or all attacks.
  private static var attacks: [HostileAccount.Attack] {
    let named = CommandLine.arguments.dropFirst(3).compactMap(HostileAccount.Attack.init)
    return named.isEmpty ? HostileAccount.Attack.allCases : named
  }
}

/// The folders of a measurement.
struct BenchSetting {
  /// The folder of contacts-broker and contactsd.
  let programs: String
  /// The folder of the C programs.
  let peers: String
  /// An empty folder on the measured disk.
  let folder: String
  /// The name of the broker, by which its files in the folder are named.
  private(set) var broker = "broker"
  /// The port of the loopback interface on which the broker listens; `nil` for its Unix socket alone.
  var port: Int?
  /// Whether devices connect to the port over TLS.
  var usesTLS = false

  init(environment: [String: String]) throws {
    guard let programs = environment["BENCH_PROGRAMS"], let peers = environment["BENCH_PEERS"],
      let folder = environment["BENCH_FOLDER"]
    else {
      throw BenchFailure("Run broker-bench through scripts/bench, which sets its environment.")
    }
    self.programs = programs
    self.peers = peers
    self.folder = folder
  }

  /// The path of the broker's socket.
  var brokerSocket: String { "\(folder)/\(broker).sock" }

  /// Returns the setting for one of several brokers, which are numbered from 0.
  func broker(_ number: Int) -> BenchSetting {
    var other = self
    if number > 0 { other.broker += "-\(number)" }
    return other
  }

  /// Connects to the broker.
  func connect(bufferBytes: Int = 1 << 17) throws -> StreamSocket {
    if usesTLS, let port { return try StreamSocket(port: port, bufferBytes: bufferBytes) }
    return try StreamSocket(path: brokerSocket, bufferBytes: bufferBytes)
  }
}
