// What peers can make the broker log: refusals, and failures of its store. A peer that is refused
// thousands of times a second must not fill the disk or hide what others did, so each gets a few lines
// a second, and then one that says how many were left out.

import BrokerCore
import BrokerStore
import Logging
import Records
import Synchronization

/// The part of the broker's log that its peers bring about. Used from any thread.
final class PeerLog: Sendable {
  /// Lines about one peer in a second; the others are counted.
  static let linesPerSecond = 10

  /// What lines are about, each with lines of its own.
  private enum Source: Hashable {
    /// A user of the machine, on however many connections.
    case user(UInt32)
    /// The broker's store, whichever user's request it failed at.
    case store
  }

  private let logger: Logger
  /// Lines since the second began. Has as many entries as users were refused in it.
  private let counts = Mutex<[Source: Int]>([:])

  /// A log that writes to `logger`.
  init(_ logger: Logger) {
    self.logger = logger
  }

  /// Takes failures of the store: what the database said, which clients are not told.
  var failureReport: FailureReport {
    { [self] error in
      guard takesLine(about: .store) else { return }
      logger.error("a request failed", metadata: ["reason": "\(error.logText)"])
    }
  }

  /// Logs a refusal: who, and why by code and reason.
  func add(_ refusal: Refusal) {
    guard takesLine(about: .user(refusal.uid)) else { return }
    var metadata: Logger.Metadata = [
      "uid": "\(refusal.uid)", "code": "\(refusal.error.code.rawValue)",
    ]
    // Neither the message nor the field: they can quote the client's texts and names.
    if let reason = refusal.error.reason { metadata["reason"] = "\(reason)" }
    if let account = refusal.account { metadata["account"] = "\(account)" }
    if let zone = refusal.zone { metadata["zone"] = "\(zone)" }
    logger.notice("refused", metadata: metadata)
  }

  /// Says how many lines were left out since it was called last, and begins to count again. To be
  /// called once a second.
  func endSecond() {
    let ended = counts.withLock { counts in
      defer { counts = [:] }
      return counts
    }
    for (source, count) in ended where count > Self.linesPerSecond {
      logLeftOut(count - Self.linesPerSecond, about: source)
    }
  }

  private func takesLine(about source: Source) -> Bool {
    counts.withLock { counts in
      counts[source, default: 0] += 1
      return counts[source, default: 0] <= Self.linesPerSecond
    }
  }

  private func logLeftOut(_ count: Int, about source: Source) {
    switch source {
    case .user(let uid):
      logger.notice("refusals left out", metadata: ["uid": "\(uid)", "count": "\(count)"])
    case .store:
      logger.error("failures left out", metadata: ["count": "\(count)"])
    }
  }
}
