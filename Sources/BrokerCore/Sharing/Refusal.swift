// Somebody was refused something. The journal gets who, what and why; never a secret, and of records
// nothing at all.

import Records

/// A refusal, for the journal.
package struct Refusal: Hashable, Sendable {
  /// The user of the machine at the other end of the socket.
  package let uid: UInt32
  /// Whom it signed in as, if it did.
  package let account: AccountID?
  /// The zone it was about, where it was about one that is known.
  package let zone: ZoneID?
  /// Why.
  package let error: RecordsError

  /// A refusal.
  package init(
    uid: UInt32, account: AccountID? = nil, zone: ZoneID? = nil, error: RecordsError
  ) {
    self.uid = uid
    self.account = account
    self.zone = zone
    self.error = error
  }
}

/// An operation on a zone that was refused, for the journal.
package struct ZoneRefusal: Hashable, Sendable {
  /// The zone.
  package let zone: ZoneID
  /// Why.
  package let error: RecordsError

  /// A refusal.
  package init(zone: ZoneID, error: RecordsError) {
    self.zone = zone
    self.error = error
  }
}
