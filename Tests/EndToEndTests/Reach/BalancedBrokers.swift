// Brokers on one database, which devices reach through HAProxy with the configuration that docs/scale.md gives.

import Foundation
import Glibc
import Processes
import Records
import Testing

/// Three brokers with one key on one database, behind one address.
final class BalancedBrokers {
  /// Why the brokers cannot be started on this machine; `nil` if they can.
  static let obstacle: String? =
    PostgreSQLServer.obstacle
    ?? (access(balancerPath, X_OK) == 0
      ? nil : "This machine has no HAProxy (package haproxy); “make balancer” installs it.")

  static let balancerPath = "/usr/sbin/haproxy"

  let brokers: [RemoteBroker]
  /// Where devices reach any of the brokers.
  let address: String
  private let directory: TemporaryDirectory
  private let balancer: RunningProgram

  /// Starts all.
  init() async throws {
    let settings = [
      "CONTACTS_BROKER_STORE": try PostgreSQLServer.shared().makeDatabase(),
      "CONTACTS_BROKER_PROXY": "127.0.0.1",
    ]
    let first = try await RemoteBroker(settings: settings)
    var brokers = [first]
    for _ in 1...2 {
      let directory = try TemporaryDirectory()
      try Self.copyKey(of: first, to: directory.file("state"))
      brokers.append(try await RemoteBroker(in: directory, settings: settings))
    }
    self.brokers = brokers
    let port = try LoopbackPort.unused()
    address = "127.0.0.1:\(port)"
    directory = try TemporaryDirectory()
    try directory.write(
      Array(Self.configuration(port: port, brokers: brokers.map(\.address)).utf8),
      to: "haproxy.cfg")
    balancer = try RunningProgram(
      Self.balancerPath, ["-db", "-f", directory.file("haproxy.cfg")])
    try await Patience.wait(until: "HAProxy to listen: \(balancer.standardError)") {
      guard let descriptor = try? LoopbackPort.connect(to: port) else { return false }
      close(descriptor)
      return true
    }
  }

  private static func copyKey(of broker: RemoteBroker, to state: String) throws {
    mkdir(state, 0o700)
    try FileManager.default.copyItem(
      atPath: "\(broker.state)/broker-key.pem", toPath: "\(state)/broker-key.pem")
  }

  /// The configuration of the page, with the port and the brokers of this test.
  private static func configuration(port: Int, brokers: [String]) throws -> String {
    // Tests/EndToEndTests/Reach/BalancedBrokers.swift
    let root = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent()
    }
    let page = try String(contentsOf: root.appending(path: "docs/scale.md"), encoding: .utf8)
    let blocks = page.split(separator: "```\n").filter { $0.contains("\nlisten contacts\n") }
    var text = String(try #require(blocks.first))
      .replacing("bind :7433", with: "bind 127.0.0.1:\(port)")
    for (number, broker) in brokers.enumerated() {
      let documented = "192.0.2.1\(number + 1):7433"
      #expect(text.contains(documented))
      text.replace(documented, with: broker)
    }
    return text
  }

  /// What HAProxy has said.
  var balancerLog: String { balancer.standardError }
}
