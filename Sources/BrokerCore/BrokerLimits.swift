// The broker's own bounds, each with its reason and what happens at it. Those a client must know
// stand in Records/Limits.swift.

import Records

/// The bounds of the broker's queues and buffers.
package enum BrokerLimits {
  /// A sealed piece of the live feed. Larger pieces make a slow reader's wake-up long; a commit
  /// that is larger is a piece of its own.
  package static let segmentBytes = 64 << 10
  /// A commit's changes to one zone that are still sent live. Larger ones would not fit a frame:
  /// everybody reads them from disk, in pages.
  package static let liveCommitBytes = 1 << 20
  /// What one zone's tail may hold for readers that fell behind a little. Beyond it the oldest
  /// piece goes, and who still needed it reads from disk.
  package static let tailBytes = 4 << 20
  /// What all tails may hold together. Beyond it the zone published to drops its own tail first.
  package static let allTailsBytes = 64 << 20
  /// The rows of a page read from disk.
  package static let pageRows = 500
  /// The bytes after which a page ends, so that a session's memory is bounded however large its
  /// records are: at most this and one record.
  package static let pageBytes = 256 << 10
  /// The devices of an account that a directory tells, the latest first, and the number of
  /// connections that are told at once of a new one. More are told at their next greeting.
  package static let devicesTold = 64
  /// The tombstones whose past is erased in one step, after the trash was emptied: each has at most
  /// `Limits.earlierVersionsPerRecord` rows.
  package static let erasuresPerStep = 50
  /// What goes with deleted records and is deleted in one step behind the deletion's own commit.
  package static let cascadePerStep = 1000
  /// The records that one request looks at, while something in its zone is hidden, to see what of it
  /// is: beyond → `zoneBusy`, until that is deleted.
  package static let looksForHidden = 5000
  /// The same for an answer or a page of the feed, whose reading others wait behind. A query has its time.
  package static let looksForHiddenByReader = 100_000
  /// The tombstones that one page of a cascade looks at.
  package static let tombstonesPerCascadePage = 2000
  /// What one transaction tells others of zones, or clears of zones they lost: an account told is one,
  /// and so is each subscription that goes. What is beyond is done in following steps.
  package static let errandsPerTransaction = 500
  /// The same for one such step.
  package static let errandsPerStep = 200
  /// What all subscriptions may weigh together: they are in memory. Beyond → `quotaExceeded`.
  package static let subscriptionBytes = 512 << 20
  /// Deleted subscriptions of an account that its directory still tells. Beyond, the oldest go, and
  /// who has not heard of them reads the whole directory.
  package static let deletedSubscriptionsTold = 1000
  /// The subscriptions of one answer, and the bytes after which it ends.
  package static let subscriptionsPerPage = 200
  /// The notifications of one page, and the bytes after which it ends.
  package static let notificationsPerPage = 64
  /// What waits for a device that is folding must fall to this before it gets rows again.
  package static let waitingWhenUnfolded = Limits.waitingNotifications / 2
  /// The entries of absent devices that are moved in one step, so that commits wait for
  /// milliseconds only.
  package static let entriesMovedPerStep = 2000
  /// The zones that a fold names. Beyond, it names none, which means all.
  package static let zonesPerFold = 64
  /// The links of a zone that are remembered, the one that leads in included. Who shows an older one
  /// is told that it leads nowhere.
  package static let linksPerZone = 50
  /// Those who were removed from a zone or left it and are remembered. Beyond, the longest gone are
  /// forgotten, and come in by a public link like anybody.
  package static let goneParticipantsPerZone = 200
  /// Those who were denied or blocked and are remembered; the blocked last.
  package static let answeredRequestsPerZone = 100
  /// The zones and subscriptions of a directory that a greeting is told at once. Where more have changed,
  /// the directory is read behind the welcome: others wait for greetings, and not for that.
  package static let directoryEntriesPerGreeting = 32
  /// The bytes of a page of a directory, which is one frame, without its devices. Zones and subscriptions
  /// have bounds that fit; of the people in zones – members and those who ask – those are named that fit
  /// beside them.
  package static let directoryBytes = Limits.frameBytes - 128 << 10
  /// The applications' namespaces that greetings may make, since quotas are apart in each. More are
  /// an administrator's to add; one more → `quotaExceeded`.
  package static let containersMadeByGreetings = 64
  /// How long one page of a query is looked for. Beyond → `limitExceeded`.
  package static let querySeconds: Int64 = 2
  /// How long a query may keep other accounts' queries waiting. One that takes longer begins again among
  /// those that take long.
  package static let briefQueryMilliseconds: Int64 = 30
  /// A device's position is at most so far above the broker's own, which a restored backup explains;
  /// else one device could use all numbers up. Farther → `invalidArguments`.
  package static let notificationLead: Int64 = 1 << 33
  /// The reads of one connection, queries not counted, that are under way at once; the others are held
  /// until these are answered and the peer takes answers. An answer has at most `Limits.frameBytes`.
  package static let readsUnderWay = 2
  /// The bytes of a connection's first frame, its greeting, which can list 1,024 zones. More → the
  /// connection ends.
  package static let greetingBytes = 128 << 10
  /// The bytes that wait for the rest of their frame on all connections of one user. More → the
  /// connection that brought them ends.
  package static let unfinishedBytesPerPeer = 64 << 20
  /// The same of first frames only, which anybody may begin.
  package static let unfinishedGreetingBytesPerPeer = 8 << 20
  /// The same of the first frames of all users together.
  package static let unfinishedGreetingBytes = 32 << 20
  /// What may wait for the storage thread. Beyond it requests are answered `zoneBusy`, use no
  /// number and come again.
  package static let queuedBytes = 64 << 20
  /// What one account may have waiting for the storage thread, on all its connections. Beyond →
  /// `zoneBusy`.
  package static let queuedBytesPerAccount = 16 << 20
  /// The stored records that the requests of one transaction read and write together, cascades
  /// included. One that does not fit begins the next transaction; one that needs more by itself has a
  /// transaction of its own.
  package static let storedBytesPerTransaction = 4 << 20
  /// What saving a subscription counts of that: it is read, taken apart and put into the index, which takes
  /// about as long as writing so many bytes.
  package static let storedBytesPerSubscription = 512 << 10
  /// What a state of a record counts beside its fields: its row and its places in indexes.
  package static let bytesPerState = 256
  /// The requests that one transaction takes up, so that the first one's answer does not wait for
  /// thousands of others.
  package static let requestsPerTransaction = 1024
  /// The files that all connections of one account send at a time, and the unfinished ones that are
  /// kept for it. One more → `requestRateLimited`; the oldest unfinished upload is deleted.
  package static let uploadsPerAccount = 16
  /// A session that has not been readable for so long is ended; it comes back and catches up.
  package static let stalledSeconds: Int64 = 60
  /// The same where others of its account wait for their answers.
  package static let stalledSecondsIfWaitedFor: Int64 = 10
  /// What files leave free on the disk, for the database to go on.
  package static let diskReserveBytes = 64 << 20
  /// The connections of one account that answers are read for, or that have not taken theirs. The others
  /// of the account wait. Each holds a few answers of at most `Limits.frameBytes`.
  package static let answeredConnectionsPerAccount = 8
  /// A connection that has not signed in by then is ended.
  package static let greetingSeconds: Int64 = 10
  /// What the welcome says about silence.
  package static let heartbeatSeconds = 30
  /// A connection that was silent for so long is ended.
  package static let silenceSeconds: Int64 = 75
}
