// The requests that a reading thread carries out: what is read, from where on, and for whom.

import Predicates
import Records

/// A request for a reading thread. Reads run concurrently with the commits.
package enum ReadRequest: Sendable {
  /// A client's request.
  case client(ReadOperation, RequestContext)
  /// A page of a zone's feed, for a connection that is catching up.
  case page(PageRequest, ConnectionID)
  /// The whole directory, for a connection that missed a change of it.
  case directory(SessionIdentity, ConnectionID)
  /// A page of a device's notifications.
  case notifications(NotificationRead, ConnectionID)
}

/// A client's request to a reading thread.
package enum ReadOperation: Sendable {
  /// Records by name.
  case fetch([RecordID])
  /// The whole directory.
  case directory
  /// A record's earlier versions, below a revision if one is given.
  case history(RecordID, below: Revision?)
  /// A zone's deleted records, below a revision if one is given.
  case trash(ZoneID, below: Revision?)
  /// The records of a zone that a request of the device deleted, after a revision.
  case cascaded(ZoneID, by: RequestNumber, after: Revision)
  /// The account's subscriptions, after an id if one is given.
  case subscriptions(after: SubscriptionID?)
  /// Profiles of accounts.
  case accounts(AccountRequest)
  /// Lost files that the account may upload again, after a digest if one is given.
  case wantedAssets(after: AssetDigest?)
  /// A page of a query. Queries have threads of their own, because they can take seconds.
  case query(RecordQuery, QueryCursor?)

  /// Whether the operation runs on the query threads.
  package var isQuery: Bool {
    if case .query = self { true } else { false }
  }
}

/// A range of a zone's feed to read.
package struct PageRequest: Hashable, Sendable {
  /// The reader, whose permissions are checked when the page is read.
  package let reader: SessionIdentity
  /// The zone's row.
  package let key: StoreKey
  /// The zone, with its owner's account.
  package let zone: ZoneID
  /// The history that the revisions belong to.
  package let incarnation: Incarnation
  /// The histories that this one continues.
  package let lineage: Lineage
  /// The page begins after this revision.
  package let after: Revision
  /// The head when the first scan began. Tombstones up to it are left out.
  package let scanStart: Revision
  /// The number of the attachment that the page is for; see `ZoneFeed.Subscriber`.
  package let attachment: Int

  package init(
    reader: SessionIdentity, key: StoreKey, zone: ZoneID, incarnation: Incarnation,
    lineage: Lineage = Lineage(), after: Revision, scanStart: Revision, attachment: Int
  ) {
    self.reader = reader
    self.key = key
    self.zone = zone
    self.incarnation = incarnation
    self.lineage = lineage
    self.after = after
    self.scanStart = scanStart
    self.attachment = attachment
  }
}

/// The result of a read request.
package enum ReadResult: Sendable {
  /// The answer to a client's request, or an error.
  case client(BrokerMessage, ReadOperation, RequestContext)
  /// A page of a feed. On an error the connection must read the zone again or stop following it.
  case page(Result<EncodedPage, RecordsError>, PageRequest, ConnectionID)
  /// The directory; `nil` if it could not be read.
  case directory(DirectoryPage?, ConnectionID)
  /// A page of notifications; `nil` if it could not be read.
  case notifications(NotificationBatch?, NotificationRead, ConnectionID)
}

/// A page of a zone's feed, ready to send.
package struct EncodedPage: Sendable {
  /// The frame with its length prefix.
  package let frame: [UInt8]
  /// The revision that the page brings its reader to.
  package let to: Revision
  /// The damaged records that this page and earlier pages left out.
  package let withheld: Set<RecordName>

  package init(frame: [UInt8], to: Revision, withheld: Set<RecordName> = []) {
    self.frame = frame
    self.to = to
    self.withheld = withheld
  }
}
