// What a device does when its network has changed, or when the machine has slept. A connection may be dead then
// without a sign of it, and a wait that began on the former network says nothing about this one.

import Records

extension SyncMachine {
  /// How long an answer may take after the network has changed.
  static let probeMilliseconds = 10_000

  /// The network has changed, or the machine has slept: connect at once, or find out whether the connection
  /// still works.
  package mutating func networkChanged(
    using generator: inout some RandomNumberGenerator
  ) -> [SyncStep] {
    backoff.reset()
    switch connection {
    case .none: return wake()
    // The attempt may be bound to an address that is gone.
    case .opening, .greeting: return hangUp(because: nil, using: &generator)
    case .ready:
      // Silence until the next round, which comes early, ends the connection.
      hasHeard = false
      hasPinged = true
      silentRounds = Self.silentRoundsMaximum - 1
      return [
        .send(id: freshID(), .ping), .wait(.heartbeat, milliseconds: Self.probeMilliseconds),
      ]
    }
  }
}
