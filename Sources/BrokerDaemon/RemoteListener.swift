// Accepts devices on other machines, over TLS 1.3. The handshake proves the broker's key and nothing about
// the client: whether a device may sign in is decided at its hello, or at its join.

import BrokerCore
import BrokerServer
import DaemonKit
import Glibc
import Logging
import NIOCore
import NIOSSL
import Records

/// The listening sockets for devices on other machines.
struct RemoteListener: Sendable {
  /// The name of the broker's key in its state directory.
  static let keyFile = "broker-key.pem"

  /// The broker's key and addresses, as invitations name them.
  let access: RemoteAccess
  private let addresses: [ListenAddress]
  private let passed: [Int32]
  private let context: NIOSSLContext
  private let proxies: TrustedProxies

  /// Reads the broker's key, or makes it.
  /// - Parameter passed: the sockets that systemd passed for other machines. With one, the setting “listen” does
  ///   not apply.
  /// - Returns: `nil` if the broker does not listen for other machines.
  init?(
    _ settings: BrokerSettings, passed: [Int32], in directory: StateDirectory
  ) throws(DaemonError) {
    guard !passed.isEmpty || !settings.listen.isEmpty else { return nil }
    let key = try ServerKey(path: directory.file(Self.keyFile))
    access = RemoteAccess(
      keyDigest: key.digest, addresses: settings.addresses,
      strangersPerNetwork: settings.unauthenticatedPerAddress)
    addresses = passed.isEmpty ? settings.listen : []
    self.passed = passed
    proxies = settings.proxies
    context = try key.context(protocols: [Server.applicationProtocol])
  }

  /// Listens on all addresses.
  /// - Throws: `cannotCreate` if one cannot be used. Then none is.
  func listen(
    _ driver: BrokerDriver, on group: any EventLoopGroup, logger: Logger
  ) async throws -> [any Channel] {
    var channels: [any Channel] = []
    let proxies = TLSListener.Proxies(proxies) { network in
      driver.handshakeFailed(.noProxyHeader, of: .remote(network))
    }
    do {
      for descriptor in passed {
        channels.append(
          try await TLSListener.accept(
            from: descriptor, context: context, on: group, proxies: proxies
          ) { Self.initialize($0, of: $1, driver) })
        logger.info("listening for devices on other machines", metadata: ["socket": "passed"])
      }
      for address in addresses {
        let channel = try await TLSListener.bind(
          address, context: context, on: group, proxies: proxies
        ) { Self.initialize($0, of: $1, driver) }
        channels.append(channel)
        logger.info(
          "listening for devices on other machines",
          metadata: ["address": "\(address)"])
      }
    } catch {
      for channel in channels { try? await channel.close() }
      throw error
    }
    return channels
  }

  private static func initialize(
    _ channel: any Channel, of network: RemoteNetwork, _ driver: BrokerDriver
  ) -> EventLoopFuture<Void> {
    channel.eventLoop.makeCompletedFuture {
      try driver.serve(channel, of: .remote(network))
    }
  }
}
