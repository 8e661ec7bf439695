// What passes between the scheduler of maintenance and the storage thread: a step, and its result.

import Records

/// One step of a job, for the storage thread.
package enum MaintenanceStep: Hashable, Sendable {
  case cascades
  case directoryUpdates
  case deletedAccounts
  case notifications(NotificationCleanup)
  case indexes
  case clock
  case tombstones(AgeCutoff)
  case history(AgeCutoff)
  case absentDevices(AgeCutoff)
  case directoryEntries(AgeCutoff)
  case assets

  /// The job that the step belongs to.
  package var job: Job {
    switch self {
    case .cascades: .cascades
    case .directoryUpdates: .directoryUpdates
    case .deletedAccounts: .deletedAccounts
    case .notifications: .notifications
    case .indexes: .indexes
    case .clock: .clock
    case .tombstones: .tombstones
    case .history: .history
    case .absentDevices: .absentDevices
    case .directoryEntries: .directoryEntries
    case .assets: .assets
    }
  }
}

/// The result of a step.
package struct MaintenanceResult: Sendable {
  /// How a step ended.
  package enum Outcome: Sendable {
    case done(StepReport)
    /// Another broker has the job's lease.
    case leasedElsewhere
    /// The store failed. The step changed nothing.
    case failed
  }

  /// The job that the step belongs to.
  package let job: Job
  /// How the step ended.
  package let outcome: Outcome

  package init(_ job: Job, _ outcome: Outcome) {
    self.job = job
    self.outcome = outcome
  }
}

extension StorageResult {
  /// The files that a step of maintenance found unused, to be deleted before the next transaction.
  package var unusedAssets: [AssetDigest] {
    guard case .maintained(let result) = self, case .done(let report) = result.outcome,
      case .unusedAssets(let digests) = report.finding
    else { return [] }
    return digests
  }
}

/// The report of a step that the store carried out.
package struct StepReport: Sendable {
  /// Whether a job has another step, and when it is due.
  package enum Continuation: Hashable, Sendable {
    /// Nothing: the job is finished for now.
    case finished
    /// Another step, after the job's pause.
    case nextStep
    /// Another step at the next second, because another job has to finish first.
    case nextSecond
  }

  /// A result that is not an effect of the commit.
  package enum Finding: Sendable {
    case nothing
    case clock(ObservedClock.Movement, ObservedClock)
    /// Files that no account has any more. The storage thread deletes them before its next transaction.
    case unusedAssets([AssetDigest])
  }

  /// Whether the job has another step, and when it is due.
  package var continuation: Continuation
  /// The changes of the step that the broker must publish or act on.
  package var effects: CommitEffects
  /// A result that is not an effect of the commit.
  package var finding: Finding

  package init(
    _ continuation: Continuation = .finished, effects: CommitEffects = CommitEffects(),
    finding: Finding = .nothing
  ) {
    self.continuation = continuation
    self.effects = effects
    self.finding = finding
  }

  /// Creates the report of a step without effects. `hasMore` says that another step follows.
  package init(hasMore: Bool) {
    self.init(hasMore ? .nextStep : .finished)
  }
}
