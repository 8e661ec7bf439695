import BrokerCore
import Predicates
import Records

/// Maintenance, inside a transaction. Each method does one step of bounded size.
package protocol MaintenanceTransaction {
  /// Gives a broker the lease of a job, or renews it; see `JobLeases`. Returns false if another broker has
  /// it.
  func acquireLease(
    of job: Job, for broker: BrokerProcessID, at now: Timestamp
  ) throws -> Bool

  func releaseLease(of job: Job, by broker: BrokerProcessID) throws

  /// Deletes some of the records that refer to deleted records and did not fit in the deletion's transaction.
  func completeCascades(at now: Timestamp) throws -> CommitEffects

  /// Updates some of the directories that changes of shares concern, and deletes the subscriptions and
  /// pending notifications of accounts for zones that they can no longer see.
  func updateDirectories() throws -> CommitEffects

  /// Deletes some of the records that deleted accounts left in public databases.
  func deleteRecordsOfDeletedAccounts(
    at now: Timestamp, using generator: inout some RandomNumberGenerator
  ) throws -> RemovedRecords

  /// Carries out one step of a cleanup of notifications.
  func sweep(_ sweep: NotificationCleanup, at now: Timestamp) throws -> CleanedNotifications

  /// Adds at most `rowsMaximum` existing records to the incomplete indexes, or deletes as many rows of an
  /// index that is no longer declared. Returns whether there may be more.
  func fillIndexes(rowsMaximum: Int) throws -> Bool

  /// Observes the clock. Returns its movement since the last observation, and its history.
  /// - Parameter seconds: the age from which gaps in the history no longer matter and are dropped.
  func observeClock(
    _ now: Timestamp, forgettingAfterSeconds seconds: Int64
  ) throws -> (movement: ObservedClock.Movement, watched: ObservedClock)

  /// Deletes at most `rowsMaximum` old tombstones, and rows of deleted zones. Records in each zone the
  /// revision up to which tombstones were deleted. Returns the number of rows.
  func expireTombstones(_ old: AgeCutoff, rowsMaximum: Int) throws -> Int

  /// Deletes at most `rowsMaximum` earlier versions that were replaced long ago, and erases some of the
  /// versions that an emptied trash left. Returns whether there may be more.
  func expireHistory(_ old: AgeCutoff, rowsMaximum: Int) throws -> Bool

  /// Deletes the pending notifications of some devices that have acknowledged nothing since `time`, and some
  /// subscriptions of revoked devices. Returns whether there may be more.
  func expireBacklogs(before time: Timestamp) throws -> Bool

  /// Deletes at most `rowsMaximum` entries of directories for zones and subscriptions that were deleted long
  /// ago. Returns whether there may be more.
  func expireDirectoryEntries(_ old: AgeCutoff, rowsMaximum: Int) throws -> Bool

  /// Deletes the rows of at most `rowsMaximum` assets to which no stored version of a record has referred for
  /// `graceSeconds`. Only observed time counts: assets do not age while the clock jumps or the broker is not
  /// running. Must be called every few minutes.
  /// - Returns: the files that no account has any more, to be deleted before the next transaction, and
  ///   whether there may be more.
  func collectAssets(
    graceSeconds: Int64, at now: Timestamp, rowsMaximum: Int
  ) throws -> CollectedAssets
}

/// The result of one step of collecting assets.
package struct CollectedAssets: Hashable, Sendable {
  /// The files that no account has any more.
  package let digests: [AssetDigest]
  /// Whether the step ended before all assets were checked.
  package let isMore: Bool
}
