// The log lines that peers can cause: refused requests, failed handshakes, and failures of the store. A peer that
// is refused thousands of times a second must not fill the disk or hide other peers' lines. Each peer therefore
// gets a few lines a second, and then one line with the number of suppressed ones.

import BrokerCore
import BrokerStore
import Logging
import Records
import Synchronization

/// The rate-limited part of the broker's log. Used from any thread.
final class PeerLog: Sendable {
  /// The maximum number of lines about one source in a second.
  static let linesPerSecond = 10

  /// The sources that are limited separately.
  private enum Source: Hashable {
    /// A peer, on all its connections.
    case peer(Peer)
    /// All remote peers together.
    case allNetworks
    /// The broker's store, regardless of the user.
    case store

    /// The maximum number of lines in a second.
    var linesMaximum: Int { self == .allNetworks ? 5 * linesPerSecond : linesPerSecond }
  }

  private let logger: Logger
  /// The lines of the current second, by source.
  private let counts = Mutex<[Source: Int]>([:])

  /// Creates a log that writes to `logger`.
  init(_ logger: Logger) {
    self.logger = logger
  }

  /// Logs failures of the store with the database's message, which clients do not receive.
  var failureReport: FailureReport {
    { [self] error in
      guard allowsLine(about: .store) else { return }
      logger.error("a request failed", metadata: ["reason": "\(error.logText)"])
    }
  }

  /// Logs a refusal with its peer, code and reason.
  func add(_ refusal: Refusal) {
    guard allowsLine(of: refusal.peer) else { return }
    var metadata = Self.metadata(of: refusal.peer)
    metadata["code"] = "\(refusal.error.code.rawValue)"
    // The message and the field are not logged: they can quote texts and names from the client.
    if let reason = refusal.error.reason { metadata["reason"] = "\(reason)" }
    if let account = refusal.account { metadata["account"] = "\(account)" }
    if let zone = refusal.zone { metadata["zone"] = "\(zone)" }
    logger.notice("request refused", metadata: metadata)
  }

  /// Logs a TLS handshake of a remote peer that did not end in a connection.
  func add(_ failure: HandshakeFailure, of peer: Peer) {
    guard allowsLine(of: peer) else { return }
    var metadata = Self.metadata(of: peer)
    metadata["reason"] = "\(failure.rawValue)"
    logger.notice("TLS handshake failed", metadata: metadata)
  }

  /// Logs what maintenance found. Peers do not cause these lines, so they have no limit.
  func add(_ event: MaintenanceEvent) {
    switch event {
    case .clockIsAhead(let seconds):
      logger.notice(
        "the clock jumped ahead, or the broker did not run; data does not age during this time",
        metadata: ["seconds": "\(seconds)"])
    case .clockWasSetBack(let seconds):
      logger.warning("the clock was set back", metadata: ["seconds": "\(seconds)"])
    case .deletedUnusedAssets(let count):
      logger.info("unused files deleted", metadata: ["files": "\(count)"])
    }
  }

  /// Ends a second: logs the number of suppressed lines and starts counting again. Call it once a second.
  func endSecond() {
    let ended = counts.withLock { counts in
      defer { counts = [:] }
      return counts
    }
    for (source, count) in ended where count > source.linesMaximum {
      logSuppressed(count - source.linesMaximum, about: source)
    }
  }

  private static func metadata(of peer: Peer) -> Logger.Metadata {
    switch peer {
    case .localUser(let uid): ["uid": "\(uid)"]
    case .remote(let network): ["network": "\(network)"]
    }
  }

  private func allowsLine(of peer: Peer) -> Bool {
    guard allowsLine(about: .peer(peer)) else { return false }
    // Strangers have as many networks as they like.
    return peer.uid != nil || allowsLine(about: .allNetworks)
  }

  private func allowsLine(about source: Source) -> Bool {
    counts.withLock { counts in
      counts[source, default: 0] += 1
      return counts[source, default: 0] <= source.linesMaximum
    }
  }

  private func logSuppressed(_ count: Int, about source: Source) {
    switch source {
    case .peer(let peer):
      var metadata = Self.metadata(of: peer)
      metadata["count"] = "\(count)"
      logger.notice("more requests refused in the same second, not logged", metadata: metadata)
    case .allNetworks:
      logger.notice(
        "more requests of other machines refused in the same second, not logged",
        metadata: ["count": "\(count)"])
    case .store:
      logger.error(
        "more requests failed in the same second, not logged",
        metadata: ["count": "\(count)"])
    }
  }
}
