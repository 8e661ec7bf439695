import Foundation
import Glibc
import Processes
import Testing

extension EndToEnd {
  /// Strangers and a device reach the broker through HAProxy, which names them.
  @Suite(
    "R6, H2 a broker behind a proxy",
    .disabled(
      if: access(BalancedBrokers.balancerPath, X_OK) != 0, "“make balancer” installs HAProxy."))
  struct ProxyTests {
    private let broker: RemoteBroker
    private let port: Int
    private let directory: TemporaryDirectory
    private let proxy: RunningProgram

    init() async throws {
      broker = try await RemoteBroker(settings: ["CONTACTS_BROKER_PROXY": "127.0.0.1, ::1"])
      #expect(try await broker.administer("account", "add", "ada").status == 0)
      let port = try LoopbackPort.unused()
      self.port = port
      directory = try TemporaryDirectory()
      try directory.write(Array(Self.configuration(port, broker.address).utf8), to: "haproxy.cfg")
      proxy = try RunningProgram(
        BalancedBrokers.balancerPath, ["-db", "-f", directory.file("haproxy.cfg")])
      try await Patience.wait(until: "HAProxy to listen: \(proxy.standardError)") {
        guard let descriptor = try? LoopbackPort.connect(to: port) else { return false }
        close(descriptor)
        return true
      }
    }

    /// As docs/scale.md has it, but with version 1 of the header.
    private static func configuration(_ port: Int, _ broker: String) -> String {
      """
      defaults
        mode tcp
        timeout connect 5s
        timeout client 60s
        timeout server 60s
      listen contacts
        bind 127.0.0.1:\(port)
        server broker \(broker) check send-proxy

      """
    }

    /// Connects from an address, sends bytes that are no TLS, and waits until the broker has ended the connection.
    private func disturb(from source: String, at port: Int) throws {
      let descriptor = try LoopbackPort.connect(to: port, from: source)
      defer { close(descriptor) }
      _ = write(descriptor, "GET / HTTP/1.1\r\n\r\n", 18)
      var bytes = [UInt8](repeating: 0, count: 64)
      while read(descriptor, &bytes, bytes.count) > 0 {}
    }

    @Test func `log lines and limits are about the clients that the proxy names`() async throws {
      for number in 1...20 { try disturb(from: "127.9.0.\(number)", at: port) }
      try await broker.logs(from: "127.9.0.1", "notTLS")
      try await broker.logs(from: "127.9.0.20", "notTLS")
      let silent = try (0..<1000).map { _ in try LoopbackPort.connect(to: port, from: "127.9.9.9") }
      defer { for descriptor in silent { close(descriptor) } }
      let laptop = try await broker.joined("laptop", at: "127.0.0.1:\(port)")
      try await laptop.settles()
      try await broker.logs(from: "127.9.9.9", "tooManyStrangers")
    }

    @Test func `a connection of the proxy's address without a header ends, and is logged`()
      async throws
    {
      try disturb(from: "127.0.0.1", at: broker.port)
      try await broker.logs(from: "127.0.0.1", "noProxyHeader")
      // Other addresses are no proxies.
      try disturb(from: "127.9.0.1", at: broker.port)
      try await broker.logs(from: "127.9.0.1", "notTLS")
    }
  }
}
