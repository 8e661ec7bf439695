// The one place where the broker says who may do what. Asked inside the transaction, so a right
// lost a moment ago is lost (I24); an earlier answer given by a session is an early refusal only.

import Records

/// What an account may do in a zone.
package enum Access: Hashable, Sendable {
  /// It may not know of the zone.
  case none
  /// It may read.
  case read
  /// It may read and change records.
  case write
  /// It owns the zone: it may also rename and delete it.
  case own

  /// What `account` may do in `zone`.
  package init(of account: AccountID, in zone: StoredZone) {
    self = zone.id.owner == account ? .own : .none
  }

  /// Whether records may be read.
  package var allowsReading: Bool {
    switch self {
    case .none: false
    case .read, .write, .own: true
    }
  }

  /// Whether records may be changed.
  package var allowsWriting: Bool {
    switch self {
    case .none, .read: false
    case .write, .own: true
    }
  }
}
