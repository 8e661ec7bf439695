import NIOCore
import Records
import Synchronization

/// Connects to a broker at the first of its endpoints that answers.
package struct EndpointConnector: BrokerConnector {
  private let endpoints: [BrokerEndpoint]
  private let loop: any EventLoop

  /// Creates a connector. `loop` runs the connections and must outlive them.
  package init(_ endpoints: [BrokerEndpoint], loop: any EventLoop) {
    self.endpoints = endpoints
    self.loop = loop
  }

  package func connect(_ receive: @escaping @Sendable (LinkEvent) -> Void) {
    attempt(0, failures: [], receive)
  }

  /// Tries the endpoint at `index`, and the later ones if its connection closes before it opens.
  private func attempt(
    _ index: Int, failures: [RecordsError], _ receive: @escaping @Sendable (LinkEvent) -> Void
  ) {
    let progress = Progress()
    connector(to: endpoints[index]).connect { event in
      guard case .closed(let reason?) = event, !progress.isOpen.load(ordering: .relaxed) else {
        progress.isOpen.store(true, ordering: .relaxed)
        return receive(event)
      }
      let failures = failures + [reason]
      guard index + 1 < endpoints.count else { return receive(.closed(summary(of: failures))) }
      attempt(index + 1, failures: failures, receive)
    }
  }

  private func connector(to endpoint: BrokerEndpoint) -> any BrokerConnector {
    switch endpoint {
    case .unixSocket(let path): UnixBrokerConnector(path: path, group: loop)
    case .ssh(let destination): SSHConnector(destination, group: loop)
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
