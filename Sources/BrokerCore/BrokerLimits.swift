// The limits of the broker that clients need not know, each with its reason and what happens beyond it. The
// limits that clients must know are in Records/Limits.swift.

import Records

/// The limits of the broker's queues, buffers and transactions.
package enum BrokerLimits {
  /// The bytes after which a segment of the live feed is sealed. Larger segments would make a slow
  /// subscriber's wake-up long. A larger commit is a segment of its own.
  package static let segmentBytes = 64 << 10
  /// The maximum bytes of a commit's changes to one zone that are sent live. Larger ones would not fit a
  /// frame; all subscribers read them from disk, in pages.
  package static let liveCommitBytes = 1 << 20
  /// The maximum bytes in one zone's tail, which serves subscribers that are slightly behind. Beyond it the
  /// oldest segment is dropped; subscribers that still need it read from disk.
  package static let tailBytes = 4 << 20
  /// The maximum bytes in all tails. Beyond it, a zone drops its own tail when a commit is published to it.
  package static let allTailsBytes = 64 << 20
  /// The maximum rows of a page that is read from disk.
  package static let pageRows = 500
  /// The bytes after which a page ends. A page has at most this and one record, so a session's memory is
  /// bounded regardless of record sizes.
  package static let pageBytes = 256 << 10
  /// The maximum devices that a directory lists, newest first. Also the maximum connections that are
  /// notified of a new device at once; with more, each learns of it from its next greeting.
  package static let devicesPerDirectory = 64
  /// The tombstones whose earlier versions one step erases after the trash was emptied. Each has up to
  /// `Limits.earlierVersionsPerAuthor` of each author.
  package static let erasuresPerStep = 50
  /// The records that a cascade deletes in one step after the deletion's own commit.
  package static let cascadePerStep = 1000
  /// The records that one request may examine to find hidden ones, while its zone has any. Beyond →
  /// `zoneBusy`, until the cascade has deleted them.
  package static let hiddenLookupsPerRequest = 5000
  /// The same limit for a fetch or a page of a feed, which delays other reads. Queries have a time limit
  /// instead.
  package static let hiddenLookupsPerRead = 100_000
  /// The tombstones that one page of a cascade examines.
  package static let tombstonesPerCascadePage = 2000
  /// The deferred jobs that a transaction does at once: notifying one account about a zone, or deleting one
  /// subscription of an account that lost access. Later steps do the others.
  package static let deferredJobsPerTransaction = 500
  /// The deferred jobs of one later step.
  package static let deferredJobsPerStep = 200
  /// The maximum bytes of all subscriptions together, which are held in memory. Beyond → `quotaExceeded`.
  package static let subscriptionBytes = 512 << 20
  /// The deleted subscriptions that an account's directory still lists. Beyond it the oldest are dropped,
  /// and a device that has not received those reads the whole directory.
  package static let deletedSubscriptionsPerDirectory = 1000
  /// The maximum subscriptions in one answer, which also ends after `pageBytes`.
  package static let subscriptionsPerPage = 200
  /// The maximum notifications in one page, which also ends after `pageBytes`.
  package static let notificationsPerPage = 64
  /// A device whose notifications are being collapsed receives single ones again once its backlog has
  /// shrunk to this number.
  package static let waitingToResumeDelivery = Limits.waitingNotifications / 2
  /// The backlog entries of absent devices that one step archives, so that commits are delayed by
  /// milliseconds only.
  package static let entriesArchivedPerStep = 2000
  /// The maximum zones that a collapsed notification names. Beyond it the notification names none, which
  /// means all zones.
  package static let zonesPerCollapsedNotification = 64
  /// The links that are stored for a zone, including the current one. An older link is unknown to the
  /// broker.
  package static let linksPerZone = 50
  /// The former participants that are stored for a zone, those who were removed or left. Beyond it the
  /// oldest are deleted; these accounts can use a public link like any other account.
  package static let formerParticipantsPerZone = 200
  /// The denied and blocked access requests that are stored for a zone. Denied ones are dropped first.
  package static let deniedRequestsPerZone = 100
  /// The changed zones and subscriptions that are read together with a greeting. If more have changed, the
  /// directory is read after the welcome, so that other greetings do not wait for it.
  package static let directoryEntriesPerGreeting = 32
  /// The maximum bytes of a directory page, which is one frame, without its devices. All zones and
  /// subscriptions fit by their own limits; members and access requests are listed as far as they fit.
  package static let directoryBytes = Limits.frameBytes - 128 << 10
  /// The containers that greetings may create. Limited because each container has quotas of its own. Beyond
  /// → `quotaExceeded`; an administrator can add more.
  package static let containersMadeByGreetings = 64
  /// The maximum time that a query may delay other accounts' queries. A query that takes longer is
  /// restarted in the queue of long queries.
  package static let briefQueryMilliseconds: Int64 = 30
  /// The maximum by which a device's position may exceed the broker's own, as it can after a restore from a
  /// backup. Without it, one device could use up all numbers. Beyond → `invalidArguments`.
  package static let notificationLead: Int64 = 1 << 33
  /// The reads that a connection can have in progress, not counting queries. Others wait until these are
  /// answered and the peer has received the answers. An answer has at most `Limits.frameBytes`.
  package static let readsUnderWay = 2
  /// The maximum bytes of a connection's first frame, the greeting, which can list 1,024 zones. Beyond it
  /// the connection is closed.
  package static let greetingBytes = 128 << 10
  /// The maximum bytes of incomplete frames on all connections of one user. Beyond it the connection that
  /// sent the last bytes is closed.
  package static let unfinishedBytesPerPeer = 64 << 20
  /// The same limit for first frames, which a peer can send without signing in.
  package static let unfinishedGreetingBytesPerPeer = 8 << 20
  /// The limit for the first frames of all local users together, and for those of all remote peers. Beyond it
  /// the connection that has not finished its frame for the longest time is closed.
  package static let unfinishedGreetingBytes = 32 << 20
  /// The maximum bytes of requests that wait for the storage thread. Beyond → `zoneBusy`; the request uses
  /// no number, and the client sends it again.
  package static let queuedBytes = 64 << 20
  /// The maximum bytes of one account's requests that wait for the storage thread, on all its connections.
  /// Beyond → `zoneBusy`.
  package static let queuedBytesPerAccount = 16 << 20
  /// The bytes of stored records that the requests of one transaction read and write together, cascades
  /// included. A request that does not fit starts the next transaction; a larger one has its own.
  package static let storedBytesPerTransaction = 4 << 20
  /// The bytes that saving a subscription counts towards `storedBytesPerTransaction`. Parsing and indexing
  /// it takes about as long as writing this many bytes.
  package static let storedBytesPerSubscription = 512 << 10
  /// The bytes that a version of a record counts in addition to its fields: its row and index entries.
  package static let bytesPerState = 256
  /// The maximum requests in one transaction, so that the answer to the first does not wait for thousands
  /// of others.
  package static let requestsPerTransaction = 1024
  /// The assets that all connections of one account can upload at a time, and the partial uploads that are
  /// stored for it. Beyond → `requestRateLimited`; the oldest partial upload is deleted.
  package static let uploadsPerAccount = 16
  /// The time after which a session is closed if the client has not read from its connection. The client
  /// reconnects and catches up.
  package static let stalledSeconds: Int64 = 60
  /// The same while other connections of the account wait for answers.
  package static let stalledSecondsUnderContention: Int64 = 10
  /// The space on the disk that assets leave free for the database.
  package static let diskReserveBytes = 64 << 20
  /// The connections of one account that can have answers in progress or not yet received by the client.
  /// The account's other connections wait. Each of them holds a few answers of at most `Limits.frameBytes`.
  package static let answeredConnectionsPerAccount = 8
  /// The time within which a connection must sign in; after it the connection is closed.
  package static let greetingSeconds: Int64 = 10

  /// The maximum number of remote connections that have not signed in, from one network.
  package static let strangersPerNetwork = 64
  /// The maximum number of remote connections that have not signed in, if the broker may have twice as many
  /// connections in all.
  package static let strangers = 1024
  /// How many unknown invitations a network may try in a row.
  package static let joinTriesPerNetwork = 5
  /// The time in which a network gains one more try.
  package static let secondsPerJoinTry: Int64 = 12
  /// The maximum number of an account's invitations that have not expired.
  package static let invitationsPerAccount = 20
  /// The heartbeat interval that the welcome announces.
  package static let heartbeatSeconds = 30
  /// The time after which a silent connection is closed.
  package static let silenceSeconds: Int64 = 75
}
