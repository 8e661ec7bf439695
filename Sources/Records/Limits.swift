// Every bound of records and of the protocol, each with its reason and what happens at it. The
// broker tells them in its welcome, so a client need not guess.

/// The bounds that both sides keep to.
package enum Limits {
  /// The largest revision, request number, notification number or count that a peer may send. No
  /// counter comes near, and there is room to add to it. Larger → `invalidArguments`.
  package static let numberMaximum: Int64 = 1 << 62
  /// The longest pause that an error may ask for, a day. Longer → taken for a day.
  package static let retryAfterSecondsMaximum = 86_400
  /// The longest heartbeat that a welcome may ask for, an hour. Longer → taken for an hour.
  package static let heartbeatSecondsMaximum = 3600
  /// A name or key: SQLite keeps longer ones in overflow pages, and nobody reads them.
  /// Longer → `invalidArguments`.
  package static let nameBytes = 255
  /// A record without its assets, as CloudKit. Larger → `limitExceeded`.
  package static let recordBytes = 1 << 20
  /// The fields of one record. More → `limitExceeded`.
  package static let fieldsPerRecord = 1024
  /// The values in one list, and the entries in one field. More → `limitExceeded`.
  package static let valuesPerList = 10_000
  /// The operations of one request, as CloudKit. More → `limitExceeded`, nothing is done.
  package static let operationsPerRequest = 400
  /// One modify request, so that a slow link or a full page of them stays bounded.
  /// Larger → `limitExceeded`, nothing is done.
  package static let requestBytes = 2 << 20
  /// The stored records that one modify request reads and writes. More → `limitExceeded`, reason
  /// `storedBytes`, nothing is done, no number is used: the client splits the request.
  package static let storedBytesPerRequest = 16 << 20
  /// One frame of the wire. A longer one is refused on its length alone and the connection ends.
  package static let frameBytes = 4 << 20
  /// The ids of one fetch. More → `limitExceeded`.
  package static let idsPerFetch = 400
  /// The zones one connection may follow. More → `limitExceeded`.
  package static let zonesPerSession = 1024
  /// The zones that an account is in, its own and others', in one application. One more →
  /// `quotaExceeded`.
  package static let zonesPerAccount = 1000
  /// The zones that an account's directory names in one application, those that were deleted or left
  /// within the horizon included, so that a directory fits a frame. One more → `quotaExceeded`.
  package static let zonesNamedPerAccount = 5000
  /// Requests of one connection that wait for their commit; the socket is not read beyond it, so
  /// the peer's own writes block.
  package static let requestsInFlight = 64
  /// The lost records of one zone that `level` names. Where there are more it names none, and does not say
  /// which history the zone's goes on from, so that all that is missing counts as lost.
  package static let lostNames = 1000
  /// The title of a group, the name of an account or a device. Longer → `limitExceeded`.
  package static let titleBytes = 255
  /// Outcomes kept for a device that does not acknowledge. Beyond → `requestRateLimited` until it
  /// does.
  package static let unacknowledgedOutcomes = 1024
  /// The records that one record goes with, by `deleteSelf`: each is looked up when it is saved.
  /// More → `limitExceeded`.
  package static let parentsPerRecord = 64
  /// The records that deletions take along in one transaction. What is beyond is hidden at once and
  /// deleted in following ones.
  package static let cascadePerTransaction = 5000
  /// The names of such records in one outcome, and their bytes, so that outcomes stay small however
  /// long they are kept. The rest is asked for, in pages.
  package static let cascadedNamesPerOutcome = 100
  /// One asset, unless the broker is told otherwise. Larger → `limitExceeded`, and nothing is kept.
  package static let assetBytes = 50 << 20
  /// The content of one piece of an asset: small enough that whatever else is said on the
  /// connection hardly waits for it, and large enough that a file is not mostly questions for pieces.
  /// Longer → `limitExceeded`.
  package static let assetPieceBytes = 256 << 10
  /// The content of one piece that every broker takes.
  package static let assetPieceBytesAtLeast = 64 << 10
  /// The assets that one connection sends at a time. One more → `requestRateLimited`.
  package static let assetUploadsPerSession = 4
  /// The pieces that one connection has asked for and not got; they are what a peer that does not
  /// read can make the broker hold, 4 MiB, until it is taken for dead. One more →
  /// `requestRateLimited`.
  package static let assetFetchesInFlight = 16
  /// The lost files that are asked for again at a time. What is behind them comes in further pages.
  package static let wantedAssetsPerPage = 100
  /// The lost files of which one connection is told when they are back. Who waits for more of them
  /// asks again on its next connection.
  package static let missedAssetsPerSession = 1000
  /// The earlier states kept of a record. Beyond, the oldest go.
  package static let pastStatesPerRecord = 50
  /// How long earlier states, and what was deleted, are kept.
  package static let pastDays: Int64 = 30
  /// The subscriptions of one account. One more → `quotaExceeded`.
  package static let subscriptionsPerAccount = 1000
  /// One subscription with the values of its predicate. Larger → `limitExceeded`.
  package static let subscriptionBytes = 64 << 10
  /// The subscriptions of one account together, so that a directory fits a frame. Beyond →
  /// `quotaExceeded`.
  package static let subscriptionBytesPerAccount = 2 << 20
  /// Notifications that one connection was sent and has not acknowledged. Beyond it the rest waits.
  package static let unacknowledgedNotifications = 256
  /// What waits for one device. Beyond it notifications are folded.
  package static let waitingNotifications = 1000
  /// Who may be in a share beside its owner, as CloudKit. One more → `tooManyParticipants`.
  package static let participantsPerShare = 100
  /// The accounts of one question or answer. More asked for → `limitExceeded`.
  package static let accountsPerPage = 100
  /// The queries of one connection under way. One more → `requestRateLimited`.
  package static let queriesInFlight = 4
}
