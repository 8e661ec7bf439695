// How a device stands to its broker. Local reading and writing never depend on it; it says what
// people are shown and when edits may be sent.

import Records

/// How a device stands to its broker.
package enum Phase: Hashable, Sendable, CustomStringConvertible {
  /// No connection; another attempt follows.
  case offline
  /// A connection is being made, or the broker has not welcomed the device yet.
  case connecting
  /// Welcomed; what happened meanwhile is being read.
  case catchingUp
  /// Everything is read as it happens.
  case live
  /// The broker does not take this device, for this reason; it is asked again from time to time.
  case refused(RecordsError)

  /// The word people see.
  package var description: String {
    switch self {
    case .offline: "offline"
    case .connecting: "connecting"
    case .catchingUp: "syncing"
    case .live: "live"
    case .refused: "signed out"
    }
  }
}

/// The things a device waits for. Setting one that is set replaces it.
package enum SyncTimer: Hashable, Sendable, CaseIterable {
  /// Until the next attempt to connect.
  case reconnect
  /// Until the broker's silence is looked at.
  case heartbeat
  /// Until requests that were answered “not now” are sent again.
  case resend
  /// Until the rest of what may be sent is looked at.
  case outbox
  /// Until files that met an obstacle are tried again.
  case transfers
  /// Until zones whose feed the broker stopped are attached to again.
  case attachment
  /// Until what was put off about subscriptions is tried again.
  case subscriptions
  /// Until notifications are acknowledged.
  case acknowledgement
  /// Until notifications no longer wait for their records.
  case release
  /// Until the public database is read again after it could not be.
  case publicReading
}
