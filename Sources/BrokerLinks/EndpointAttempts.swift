// Tries the endpoints of a broker, and keeps the first connection that opens.

import NIOCore
import Records
import Synchronization

/// The attempts of one connection, at several endpoints that are tried one after the other. Its `receive` gets
/// the events of the first connection that opens, or the end of all.
final class EndpointAttempts: Sendable {
  /// How long an endpoint is waited for before the next one is tried as well.
  static let delay = TimeAmount.seconds(2)

  private struct State {
    var begun = 0
    /// The endpoint whose connection opened first.
    var winner: Int?
    var failures: [Int: RecordsError] = [:]
  }

  private let endpoints: [BrokerEndpoint]
  private let loop: any EventLoop
  private let connector: @Sendable (BrokerEndpoint) -> (any BrokerConnector)?
  private let receive: @Sendable (LinkEvent) -> Void
  private let state = Mutex(State())

  /// - Parameter connector: returns `nil` if the broker's key is needed and not known.
  init(
    endpoints: [BrokerEndpoint], loop: any EventLoop,
    connector: @escaping @Sendable (BrokerEndpoint) -> (any BrokerConnector)?,
    _ receive: @escaping @Sendable (LinkEvent) -> Void
  ) {
    self.endpoints = endpoints
    self.loop = loop
    self.connector = connector
    self.receive = receive
  }

  /// Tries the next endpoint, if one is left and none has answered.
  func begin() {
    let next = state.withLock { state -> Int? in
      guard state.winner == nil, state.begun < endpoints.count else { return nil }
      defer { state.begun += 1 }
      return state.begun
    }
    guard let next else { return }
    if next + 1 < endpoints.count {
      loop.scheduleTask(in: Self.delay) { self.beginIfLast(next) }
    }
    guard let connector = connector(endpoints[next]) else {
      return loop.execute { self.failed(next, .notJoined(self.endpoints[next])) }
    }
    connector.connect { self.take($0, from: next) }
  }

  private func beginIfLast(_ index: Int) {
    if state.withLock({ $0.begun == index + 1 }) { begin() }
  }

  private func take(_ event: LinkEvent, from index: Int) {
    let winner = state.withLock { state in
      if case .opened = event, state.winner == nil { state.winner = index }
      return state.winner
    }
    switch (winner, event) {
    case (index, _): receive(event)
    case (.some, .opened(let link)): link.close()
    case (nil, .closed(let reason?)): failed(index, reason)
    default: break
    }
  }

  private func failed(_ index: Int, _ reason: RecordsError) {
    let failures = state.withLock { state in
      state.failures[index] = reason
      return state.winner == nil ? state.failures : [:]
    }
    if failures.count == endpoints.count {
      receive(.closed(summary(of: failures)))
    } else {
      beginIfLast(index)
    }
  }

  /// Returns the error of an attempt at every endpoint.
  private func summary(of failures: [Int: RecordsError]) -> RecordsError {
    let failures = endpoints.indices.compactMap { failures[$0] }
    guard failures.count > 1 else { return failures[0] }
    let reasons = zip(endpoints, failures).map { "\($0): \($1.message)" }
    return RecordsError(
      .networkUnavailable,
      "The broker answers at none of its addresses. \(reasons.joined(separator: " "))",
      retryAfterSeconds: failures.compactMap(\.retryAfterSeconds).min())
  }
}

extension RecordsError {
  /// The error for a broker that this device has not joined.
  fileprivate static func notJoined(_ endpoint: BrokerEndpoint) -> RecordsError {
    RecordsError(
      .notAuthenticated, "This device has not joined the broker at \(endpoint).",
      hint: "Join by an invitation of another device of the account, or of the administrator.",
      retryAfterSeconds: 60, reason: "notJoined")
  }
}
