// The phase of a device's synchronization. Users see it. Edits may be sent when the device has caught up; reading and
// writing on the device never depend on it.

import Records

/// The phase of a device's synchronization with its broker.
package enum Phase: Hashable, Sendable, CustomStringConvertible {
  /// There is no connection, and another attempt follows; or the broker does not answer on the connection.
  case offline
  /// A connection is being opened, or the broker has not answered the hello yet.
  case connecting
  /// The broker welcomed the device, which reads the changes since its last connection.
  case catchingUp
  /// All earlier changes were read; new ones arrive as they are made.
  case live
  /// The broker rejects this device because of the error. The device tries again from time to time.
  case refused(RecordsError)

  /// The word that users see.
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

/// A timer of the sync machine. Setting a timer replaces its earlier time.
package enum SyncTimer: Hashable, Sendable, CaseIterable {
  /// The next attempt to connect.
  case reconnect
  /// The next check of the broker's silence.
  case heartbeat
  /// Postponed requests are sent again.
  case resend
  /// The next look at the rest of the outbox.
  case outbox
  /// Postponed transfers of files are tried again.
  case transfers
  /// Zones whose feed the broker stopped are attached again.
  case attachment
  /// Deferred subscription changes, and the request for notifications, are sent again.
  case subscriptions
  /// Notifications are acknowledged.
  case acknowledgement
  /// Notifications no longer wait for their records.
  case release
  /// The public database is read again after a failure.
  case publicReading
}
