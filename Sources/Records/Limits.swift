// The limits of records and of the protocol, each with its reason and the effect of exceeding it.
// The broker announces those that clients need in its welcome.

/// The limits that client and broker enforce.
package enum Limits {
  /// The largest revision, request number, notification number or count that a peer may send. Real
  /// counters never reach it, and adding to it cannot overflow. Larger → `invalidArguments`.
  package static let numberMaximum: Int64 = 1 << 62
  /// The longest delay that an error may request: one day. A longer delay is reduced to it.
  package static let retryAfterSecondsMaximum = 86_400
  /// The longest heartbeat interval that a welcome may request: one hour. A longer one is reduced
  /// to it.
  package static let heartbeatSecondsMaximum = 3600
  /// The bytes of a name or key. SQLite stores longer ones in overflow pages. Longer →
  /// `invalidArguments`.
  package static let nameBytes = 255
  /// The minimum number of characters of the beginning of an id that stands for the id. Shorter texts are too
  /// likely to be words, or to fit another id later.
  package static let idBeginningCharactersMinimum = 6
  /// The bytes of a record without its assets, as in CloudKit. Larger → `limitExceeded`.
  package static let recordBytes = 1 << 20
  /// The fields of one record. More → `limitExceeded`.
  package static let fieldsPerRecord = 1024
  /// The values of one list, and the entries of one field. More → `limitExceeded`.
  package static let valuesPerList = 10_000
  /// The operations of one request, as in CloudKit. More → `limitExceeded`; nothing is changed.
  package static let operationsPerRequest = 400
  /// The bytes of one modify request, which bounds the time on a slow link and the memory of
  /// pending requests. Larger → `limitExceeded`; nothing is changed.
  package static let requestBytes = 2 << 20
  /// The bytes of stored records that one modify request reads and writes. More → `limitExceeded`
  /// with the reason `storedBytes`; nothing is changed, no request number is used, and the client
  /// splits the request.
  package static let storedBytesPerRequest = 16 << 20
  /// The bytes of one frame. A longer frame is rejected by its length alone, and the connection
  /// ends.
  package static let frameBytes = 4 << 20
  /// The record ids of one fetch. More → `limitExceeded`.
  package static let idsPerFetch = 400
  /// The zones that one connection may follow. More → `limitExceeded`.
  package static let zonesPerSession = 1024
  /// The zones that an account owns or participates in, per container. One more → `quotaExceeded`.
  package static let zonesPerAccount = 1000
  /// The zones listed in an account's directory, per container, including those deleted or left
  /// within the tombstone horizon. The limit keeps a directory within one frame. One more →
  /// `quotaExceeded`.
  package static let zonesNamedPerAccount = 5000
  /// The requests of one connection that await their commit. Beyond it the broker stops reading the
  /// socket, so the client's writes block.
  package static let requestsInFlight = 64
  /// The lost records of one zone that a `level` message names. If there are more, the message names
  /// none and omits the former history, so a device treats all missing records as lost.
  package static let lostNames = 1000
  /// The bytes of a zone's title or of the name of an account or device. Longer → `limitExceeded`.
  package static let titleBytes = 255
  /// The outcomes retained for a device that does not acknowledge them. Beyond →
  /// `requestRateLimited` until the device acknowledges.
  package static let unacknowledgedOutcomes = 1024
  /// The parents of one record, named by `deleteSelf` references. Each is looked up when the record
  /// is saved. More → `limitExceeded`.
  package static let parentsPerRecord = 64
  /// The records that cascading deletions remove in one transaction. Any further records can no longer
  /// be read from then on, and following transactions delete them.
  package static let cascadePerTransaction = 5000
  /// The names of cascade-deleted records in one outcome. The limit keeps stored outcomes small; clients
  /// request the remaining names in pages.
  package static let cascadedNamesPerOutcome = 100
  /// The bytes of one asset, unless the broker is configured otherwise. Larger → `limitExceeded`;
  /// nothing is stored.
  package static let assetBytes = 50 << 20
  /// The content bytes of one asset chunk. Small enough that other messages on the connection wait
  /// only briefly, and large enough to keep the overhead per chunk low. Longer → `limitExceeded`.
  package static let assetPieceBytes = 256 << 10
  /// The content bytes of a chunk that every broker accepts.
  package static let assetPieceBytesMinimum = 64 << 10
  /// The assets that one connection may upload at a time. One more → `requestRateLimited`.
  package static let assetUploadsPerSession = 4
  /// The chunks that one connection has requested and not yet received. If the client stops reading,
  /// the broker holds at most these, 4 MiB, until the connection times out. One more →
  /// `requestRateLimited`.
  package static let assetFetchesInFlight = 16
  /// The lost assets of one page.
  package static let wantedAssetsPerPage = 100
  /// The lost assets that one connection can wait for; the broker notifies it when one is available
  /// again. For further ones, the client asks again on its next connection.
  package static let missedAssetsPerSession = 1000
  /// The earlier versions by one author that are retained for a record. Beyond, the author's oldest are deleted.
  package static let earlierVersionsPerAuthor = 50
  /// The earlier versions in one page of a record's history.
  package static let versionsPerPage = 50
  /// The days for which earlier versions and deleted records are retained.
  package static let earlierVersionDays: Int64 = 30
  /// The subscriptions of one account. One more → `quotaExceeded`.
  package static let subscriptionsPerAccount = 1000
  /// The bytes of one subscription including the arguments of its predicate. Larger →
  /// `limitExceeded`.
  package static let subscriptionBytes = 64 << 10
  /// The bytes of all subscriptions of one account. The limit keeps a directory within one frame.
  /// More → `quotaExceeded`.
  package static let subscriptionBytesPerAccount = 2 << 20
  /// The notifications sent to one connection ahead of its acknowledgements. The broker sends no
  /// more until the device acknowledges.
  package static let unacknowledgedNotifications = 256
  /// The pending notifications of one device. Beyond it, notifications are collapsed.
  package static let waitingNotifications = 1000
  /// The participants of a share besides its owner, as in CloudKit. One more →
  /// `tooManyParticipants`.
  package static let participantsPerShare = 100
  /// The accounts of one request or answer. More in a request → `limitExceeded`.
  package static let accountsPerPage = 100
  /// The queries of one connection in progress. One more → `requestRateLimited`.
  package static let queriesInFlight = 4
}
