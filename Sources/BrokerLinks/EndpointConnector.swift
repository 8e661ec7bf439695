// Connects to a broker that can be reached in several ways: at home and away, over ssh and over TLS.

import NIOCore
import Records
import Synchronization

/// Connects to a broker at the first of its endpoints that answers.
package struct EndpointConnector: BrokerConnector {
  private let address: @Sendable () -> BrokerAddressing
  private let loop: any EventLoop

  /// Creates a connector. `loop` runs the connections and must outlive them.
  /// - Parameter address: returns where the broker is. Called for each connection, because joining another
  ///   broker changes it.
  package init(loop: any EventLoop, address: @escaping @Sendable () -> BrokerAddressing) {
    self.address = address
    self.loop = loop
  }

  package func connect(_ receive: @escaping @Sendable (LinkEvent) -> Void) {
    Attempts(address: address(), loop: loop).attempt(0, failures: [], receive)
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

/// The attempts to connect at each endpoint.
private struct Attempts: Sendable {
  let address: BrokerAddressing
  let loop: any EventLoop

  private var endpoints: [BrokerEndpoint] { address.endpoints }

  /// Tries the endpoint at `index`, and the later ones if its connection closes before it opens.
  func attempt(
    _ index: Int, failures: [RecordsError], _ receive: @escaping @Sendable (LinkEvent) -> Void
  ) {
    let progress = Progress()
    guard let connector = connector(to: endpoints[index]) else {
      return loop.execute {
        fail(index, failures + [.notJoined(endpoints[index])], receive)
      }
    }
    connector.connect { event in
      guard case .closed(let reason?) = event, !progress.isOpen.load(ordering: .relaxed) else {
        progress.isOpen.store(true, ordering: .relaxed)
        return receive(event)
      }
      fail(index, failures + [reason], receive)
    }
  }

  /// Goes on after a failure at `index`.
  private func fail(
    _ index: Int, _ failures: [RecordsError], _ receive: @escaping @Sendable (LinkEvent) -> Void
  ) {
    guard index + 1 < endpoints.count else { return receive(.closed(summary(of: failures))) }
    attempt(index + 1, failures: failures, receive)
  }

  /// Returns a connector; `nil` if the broker's key is needed and not known.
  private func connector(to endpoint: BrokerEndpoint) -> (any BrokerConnector)? {
    switch endpoint {
    case .unixSocket(let path): UnixBrokerConnector(path: path, group: loop)
    case .ssh(let destination): SSHConnector(destination, group: loop)
    case .tls(let destination):
      address.keyDigest.map { digest in
        TLSConnector(destination, trust: .key(digest: digest), group: loop)
      }
    }
  }

  /// Returns the error of an attempt at every endpoint.
  private func summary(of failures: [RecordsError]) -> RecordsError {
    guard failures.count > 1 else { return failures[0] }
    let reasons = zip(endpoints, failures).map { "\($0): \($1.message)" }
    return RecordsError(
      .networkUnavailable,
      "The broker answers at none of its addresses. \(reasons.joined(separator: " "))",
      retryAfterSeconds: failures.compactMap(\.retryAfterSeconds).min())
  }

  /// Whether the connection has opened.
  private final class Progress: Sendable {
    let isOpen = Atomic(false)
  }
}

extension RecordsError {
  /// The error for a broker that this device has not joined.
  fileprivate static func notJoined(_ endpoint: BrokerEndpoint) -> RecordsError {
    RecordsError(
      .notAuthenticated, "This device has not joined the broker at \(endpoint).",
      hint:
        "Create an invitation on another device (contactsctl devices invite), or ask the administrator "
        + "for one. Then run on this device: contactsctl signin INVITATION.",
      retryAfterSeconds: 60, reason: "notJoined")
  }
}
