import Records

/// A log entry for a refused request. The log never contains secrets or the content of records.
package struct Refusal: Hashable, Sendable {
  /// The connection's peer.
  package let peer: Peer
  /// The session's account, if the client had signed in.
  package let account: AccountID?
  /// The zone of the request, if the request names one that exists.
  package let zone: ZoneID?
  /// The error that the client received.
  package let error: RecordsError

  package init(
    peer: Peer, account: AccountID? = nil, zone: ZoneID? = nil, error: RecordsError
  ) {
    self.peer = peer
    self.account = account
    self.zone = zone
    self.error = error
  }
}

/// A refused operation on a zone, as part of a commit's effects.
package struct ZoneRefusal: Hashable, Sendable {
  /// The zone of the operation.
  package let zone: ZoneID
  /// The error that the client received.
  package let error: RecordsError

  package init(zone: ZoneID, error: RecordsError) {
    self.zone = zone
    self.error = error
  }
}
