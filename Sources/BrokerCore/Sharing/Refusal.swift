// Refused requests, as the broker logs them: the user, the request's zone and the error. The log never
// contains secrets or record contents.

import Records

/// A refused request, for the log.
package struct Refusal: Hashable, Sendable {
  /// The uid of the peer.
  package let uid: UInt32
  /// The account of the session, if it had signed in.
  package let account: AccountID?
  /// The zone that the request concerned, if it exists.
  package let zone: ZoneID?
  /// The reason.
  package let error: RecordsError

  package init(
    uid: UInt32, account: AccountID? = nil, zone: ZoneID? = nil, error: RecordsError
  ) {
    self.uid = uid
    self.account = account
    self.zone = zone
    self.error = error
  }
}

/// An operation on a zone that was refused, for the log.
package struct ZoneRefusal: Hashable, Sendable {
  /// The zone that the operation concerned.
  package let zone: ZoneID
  /// The reason.
  package let error: RecordsError

  package init(zone: ZoneID, error: RecordsError) {
    self.zone = zone
    self.error = error
  }
}
