// Connects to a broker that can be reached in several ways: at home and away, over ssh and over TLS.

import NIOCore

/// Connects to a broker at the first of its endpoints that answers.
///
/// The next endpoint is tried when the one before has failed, or has not answered for two seconds: away from
/// home, packets to the address at home often vanish. Whichever opens first is used (as in RFC 8305, section 5).
package struct EndpointConnector: BrokerConnector {
  private let address: @Sendable () -> BrokerAddressing
  private let loop: any EventLoop
  private let report: @Sendable (ShellText) -> Void

  /// Creates a connector. `loop` runs the connections and must outlive them.
  /// - Parameters:
  ///   - report: receives what the shell of a server prints before a connection over ssh opens.
  ///   - address: returns where the broker is. Called for each connection, because joining another broker
  ///     changes it. Without endpoints, each attempt to connect fails.
  package init(
    loop: any EventLoop, report: @escaping @Sendable (ShellText) -> Void = { _ in },
    address: @escaping @Sendable () -> BrokerAddressing
  ) {
    self.address = address
    self.loop = loop
    self.report = report
  }

  package var hasAddress: Bool { !address().endpoints.isEmpty }

  package func connect(_ receive: @escaping @Sendable (LinkEvent) -> Void) {
    let address = address()
    guard !address.endpoints.isEmpty else { return loop.execute { receive(.closed(nil)) } }
    EndpointAttempts(
      endpoints: address.endpoints, loop: loop,
      connector: { connector(to: $0, of: address) }, receive
    ).begin()
  }

  /// Returns a connector; `nil` if the broker's key is needed and not known.
  private func connector(
    to endpoint: BrokerEndpoint, of address: BrokerAddressing
  ) -> (any BrokerConnector)? {
    switch endpoint {
    case .unixSocket(let path): UnixBrokerConnector(path: path, group: loop)
    case .ssh(let destination): SSHConnector(destination, group: loop, report: report)
    case .tls(let destination):
      address.keyDigest.map { digest in
        TLSConnector(destination, trust: .key(digest: digest), group: loop)
      }
    }
  }
}

/// Where a broker is, and its key.
package struct BrokerAddressing: Hashable, Sendable {
  /// Its endpoints, in the order in which to try them.
  package let endpoints: [BrokerEndpoint]
  /// The SHA-256 of its public key; `nil` if this device has not joined it over TLS.
  package let keyDigest: [UInt8]?

  package init(endpoints: [BrokerEndpoint], keyDigest: [UInt8]?) {
    self.endpoints = endpoints
    self.keyDigest = keyDigest
  }
}
