// How a broker answers a device, as users see it. A device without a connection has no measure, but it knows since when
// its last connection was silent.

import Records

/// How fast a broker answers.
package enum Responsiveness: Hashable, Sendable {
  /// At once, or nothing is known.
  case prompt
  /// An answer took this long, or a request has been waiting for so long.
  case slow(milliseconds: Int)
  /// Not at all since this time, on this connection and those before it.
  case missing(since: Timestamp)

  /// The shortest time that counts as slow.
  package static let slowMilliseconds = 1000
}

extension SyncMachine {
  /// How fast the broker answers.
  package var responsiveness: Responsiveness { conversation.responsiveness }

  /// A part of a message arrived, so the broker is not silent.
  package mutating func heard() -> [SyncStep] {
    guard let milliseconds = conversation.heard() else { return [] }
    // A late broker answers again: the device is where it was.
    return [.wait(.heartbeat, milliseconds: milliseconds)] + arriveIfLevel() + noteResponsiveness()
  }

  /// Checks whether the broker still answers.
  mutating func checkSilence(
    using generator: inout some RandomNumberGenerator
  ) -> [SyncStep] {
    switch conversation.check(bytesBeforeAnswer: window.bytesBeforeOutcome) {
    case .disconnected: return []
    case .wait(let milliseconds):
      return [.wait(.heartbeat, milliseconds: milliseconds)] + noteResponsiveness()
    case .ping(let id, let milliseconds):
      return [.send(id: id, .ping), .wait(.heartbeat, milliseconds: milliseconds)]
        + noteResponsiveness()
    case .late(let milliseconds):
      return [.wait(.heartbeat, milliseconds: milliseconds)] + arriveIfLevel()
        + noteResponsiveness()
    case .close(let reason):
      return [.report(reason)] + hangUp(because: nil, using: &generator)
    }
  }

  /// Returns a step if the broker answers in another way than before.
  mutating func noteResponsiveness() -> [SyncStep] {
    enter(observedResponsiveness)
  }

  mutating func enter(_ new: Responsiveness) -> [SyncStep] {
    guard new != responsiveness else { return [] }
    conversation.responsiveness = new
    return [.action(.responsivenessChanged(new))]
  }

  private var observedResponsiveness: Responsiveness {
    if let since = conversation.lateSince {
      // A broker that did not answer on the last connection either has been silent for longer.
      if case .missing = responsiveness { return responsiveness }
      return .missing(since: since)
    }
    guard conversation.isReady else {
      if case .missing = responsiveness { return responsiveness }
      return .prompt
    }
    let milliseconds = max(conversation.answerMilliseconds, window.waitMilliseconds(at: now))
    return milliseconds < Responsiveness.slowMilliseconds
      ? .prompt : .slow(milliseconds: milliseconds)
  }
}
