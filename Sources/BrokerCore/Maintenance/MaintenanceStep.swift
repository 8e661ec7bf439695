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

/// What came of a step.
package struct MaintenanceResult: Sendable {
  /// How a step ended.
  package enum Outcome: Sendable {
    case done(StepReport)
    /// Another broker has the job's lease.
    case leasedElsewhere
    /// The store failed. The step changed nothing.
    case failed
  }

  /// The job whose step it was.
  package let job: Job
  /// How the step ended.
  package let outcome: Outcome

  package init(_ job: Job, _ outcome: Outcome) {
    self.job = job
    self.outcome = outcome
  }
}

/// What a step did.
package struct StepReport: Sendable {
  /// What follows a step.
  package enum Continuation: Hashable, Sendable {
    /// Nothing: the job is finished for now.
    case finished
    /// Another step, after the job's pause.
    case nextStep
    /// Another step at the next second, because another job has to finish first.
    case nextSecond
  }

  /// What the store found besides the effects of the commit.
  package enum Finding: Sendable {
    case nothing
    case clock(ObservedClock.Movement, ObservedClock)
    /// Files that no account has any more. The storage thread deletes them before its next transaction.
    case unusedAssets([AssetDigest])
  }

  /// What follows the step.
  package var continuation: Continuation
  /// What the step changed, for the connections and accounts it concerns.
  package var effects: CommitEffects
  /// What else the step found.
  package var finding: Finding

  package init(
    _ continuation: Continuation = .finished, effects: CommitEffects = CommitEffects(),
    finding: Finding = .nothing
  ) {
    self.continuation = continuation
    self.effects = effects
    self.finding = finding
  }

  /// A step without effects, which another one follows if `hasMore`.
  package init(hasMore: Bool) {
    self.init(hasMore ? .nextStep : .finished)
  }
}
