// The broker's background work. All of it runs through one scheduler (`Maintenance`) in small steps, so that
// client requests wait for milliseconds only.

/// A kind of background work.
package enum Job: String, CaseIterable, Sendable {
  /// Deletes the records that refer to deleted records and did not fit in the deletion's own transaction.
  case cascades
  /// Updates the directories of the accounts that a change of a share concerns, and erases what accounts
  /// have of zones they can no longer see.
  case directoryUpdates = "directory_updates"
  /// Deletes what deleted accounts left in public databases.
  case deletedAccounts = "deleted_accounts"
  /// Stores acknowledgements, deletes delivered notifications, and collapses those of absent devices.
  case notifications
  /// Fills indexes that were declared since the broker last ran, and deletes those no longer declared.
  case indexes
  /// Observes the clock, which determines the data that has expired; see `ObservedClock`.
  case clock
  /// Deletes tombstones past the horizon, and the rows of deleted zones.
  case tombstones
  /// Deletes earlier versions that are older than a month, and erases the versions that an emptied trash
  /// left.
  case history
  /// Deletes the pending notifications of devices that have been offline past the horizon.
  case absentDevices = "absent_devices"
  /// Removes zones and subscriptions from directories that were deleted before the horizon.
  case directoryEntries = "directory_entries"
  /// Deletes files that no record has needed for a day.
  case assets

  /// The retention of tombstones and of pending notifications of absent devices. Part of the protocol.
  package static let horizonSeconds: Int64 = 90 * 86_400

  /// When a job becomes due. Every job whose trigger is `.work` is due when the broker starts.
  enum Trigger {
    /// When a commit leaves work for the job. It begins at once, or at the next second.
    case work(atOnce: Bool)
    /// At intervals.
    case interval(seconds: Int64)
    /// After each observation of the clock.
    case clock
  }

  var trigger: Trigger {
    switch self {
    case .cascades, .directoryUpdates, .indexes: .work(atOnce: true)
    case .notifications, .deletedAccounts: .work(atOnce: false)
    case .clock: .interval(seconds: 600)
    case .tombstones, .history, .absentDevices, .directoryEntries, .assets: .clock
    }
  }

  /// The maximum number of rows that one step reads or deletes.
  package var rowsPerStep: Int {
    switch self {
    case .tombstones, .history, .directoryEntries, .indexes: 1000
    case .assets: 200
    case .cascades: BrokerLimits.cascadePerStep
    case .directoryUpdates: BrokerLimits.deferredJobsPerStep
    case .deletedAccounts: RemovalRequest.recordsMaximum
    case .notifications: BrokerLimits.entriesArchivedPerStep
    case .absentDevices: 10
    case .clock: 1
    }
  }

  /// The pause before another step of the same job. Jobs that clients notice have none.
  var pauseMilliseconds: Int {
    switch self {
    case .cascades, .directoryUpdates, .deletedAccounts, .notifications, .clock: 0
    case .indexes: 5
    case .tombstones, .history, .absentDevices, .directoryEntries, .assets: 50
    }
  }
}
