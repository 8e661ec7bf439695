import BrokerCore
import Predicates
import Records

/// Maintenance, inside a transaction. Each method does one step of bounded size.
package protocol MaintenanceTransaction {
  /// Gives a broker the lease of a job, or renews it; see `JobLeases`. Returns false if another broker has it.
  func acquireLease(
    of job: Job, for broker: BrokerProcessID, at now: Timestamp
  ) throws -> Bool

  func releaseLease(of job: Job, by broker: BrokerProcessID) throws

  /// Deletes some of the records that refer to deleted records and did not fit in the deletion's transaction.
  func completeCascades(at now: Timestamp) throws -> CommitEffects

  /// Updates some of the directories that changes of shares concern, and erases what accounts have of zones
  /// they can no longer see.
  func updateDirectories() throws -> CommitEffects

  /// Deletes some of what deleted accounts left in public databases.
  func deleteRecordsOfDeletedAccounts(
    at now: Timestamp, using generator: inout some RandomNumberGenerator
  ) throws -> RemovedRecords

  /// Does a part of a sweep.
  func sweep(_ sweep: NotificationCleanup, at now: Timestamp) throws -> CleanedNotifications

  /// Fills the declared indexes with at most `rowsMaximum` of the records that were there before, or deletes as
  /// many rows of an index that is no longer declared. Returns whether there may be more.
  func fillIndexes(rowsMaximum: Int) throws -> Bool

  /// Notes the time. Returns how the clock moved, and which time the broker has watched pass.
  /// - Parameter seconds: the age from which gaps of the clock no longer matter.
  func observeClock(
    _ now: Timestamp, forgettingAfterSeconds seconds: Int64
  ) throws -> (movement: ObservedClock.Movement, watched: ObservedClock)

  /// Deletes at most `rowsMaximum` old tombstones, and rows of deleted zones, and notes in each zone how far
  /// it did. Returns the number of rows.
  func expireTombstones(_ old: AgeCutoff, rowsMaximum: Int) throws -> Int

  /// Deletes at most `rowsMaximum` earlier versions that were replaced long ago, and erases some of what an
  /// emptied trash left. Returns whether there may be more.
  func expireHistory(_ old: AgeCutoff, rowsMaximum: Int) throws -> Bool

  /// Deletes the pending notifications of some devices that have acknowledged nothing since `time`, and some
  /// subscriptions of revoked devices. Returns whether there may be more.
  func expireBacklogs(before time: Timestamp) throws -> Bool

  /// Deletes at most `rowsMaximum` entries of directories for zones and subscriptions that were deleted long
  /// ago. Returns whether there may be more.
  func expireDirectoryEntries(_ old: AgeCutoff, rowsMaximum: Int) throws -> Bool

  /// Deletes the rows of at most `rowsMaximum` assets that nothing has needed for `graceSeconds`. Only time
  /// that the broker has watched pass counts: assets do not age while the clock jumps or the broker is not
  /// running. To be called every few minutes.
  /// - Returns: the files that no account has any more, to be deleted before the next transaction, and
  ///   whether there may be more.
  func collectAssets(
    graceSeconds: Int64, at now: Timestamp, rowsMaximum: Int
  ) throws -> CollectedAssets
}

/// What one step of collecting assets did.
package struct CollectedAssets: Hashable, Sendable {
  /// The files that no account has any more.
  package let digests: [AssetDigest]
  /// Whether the step ended before everything was looked at.
  package let isMore: Bool
}
