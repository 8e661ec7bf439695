import BrokerCore
import Records

/// The steps of maintenance jobs.
extension Committer {
  /// The time that an unused asset is retained: enough to undo the deletion of its record.
  private static var assetGraceSeconds: Int64 { 86_400 }

  /// Does a step, if this broker has or gets the lease of its job.
  mutating func maintain(
    _ step: MaintenanceStep, in transaction: any StoreTransaction, at now: Timestamp
  ) throws -> MaintenanceResult.Outcome {
    guard try transaction.acquireLease(of: step.job, for: broker, at: now) else {
      return .leasedElsewhere
    }
    let report = try perform(step, in: transaction, at: now)
    if report.continuation == .finished {
      try transaction.releaseLease(of: step.job, by: broker)
    }
    return .done(report)
  }

  private mutating func perform(
    _ step: MaintenanceStep, in transaction: any StoreTransaction, at now: Timestamp
  ) throws -> StepReport {
    let rows = step.job.rowsPerStep
    switch step {
    case .cascades:
      guard transaction.storedBytesLeft > 0 || isFirst else { throw TransactionIsFull() }
      return StepReport(
        effects: try transaction.completeCascades(at: now), continuingWith: .cascades)
    case .directoryUpdates:
      return StepReport(
        effects: try transaction.updateDirectories(), continuingWith: .directoryUpdates)
    case .deletedAccounts:
      let removed = try transaction.deleteRecordsOfDeletedAccounts(at: now, using: &generator)
      let next: StepReport.Continuation = removed.isDeferred ? .nextSecond : .nextStep
      return StepReport(removed.isMore ? next : .finished, effects: removed.effects)
    case .notifications(let sweep):
      let swept = try transaction.sweep(sweep, at: now)
      return StepReport(
        swept.isMore ? .nextStep : .finished, effects: CommitEffects(resumed: swept.resumed))
    case .indexes: return StepReport(hasMore: try transaction.fillIndexes(rowsMaximum: rows))
    case .clock:
      let (movement, watched) = try transaction.observeClock(
        now, forgettingAfterSeconds: Job.horizonSeconds)
      return StepReport(finding: .clock(movement, watched))
    case .tombstones(let old):
      return StepReport(hasMore: try transaction.expireTombstones(old, rowsMaximum: rows) > 0)
    case .history(let old):
      return StepReport(hasMore: try transaction.expireHistory(old, rowsMaximum: rows))
    case .absentDevices(let old):
      return StepReport(hasMore: try transaction.expireBacklogs(before: old.before))
    case .directoryEntries(let old):
      return StepReport(hasMore: try transaction.expireDirectoryEntries(old, rowsMaximum: rows))
    case .assets:
      let unused = try transaction.collectAssets(
        graceSeconds: Self.assetGraceSeconds, at: now, rowsMaximum: rows)
      return StepReport(
        unused.isMore ? .nextStep : .finished, finding: .unusedAssets(unused.digests))
    }
  }
}

extension StepReport {
  /// A step whose effects say if the job has more work.
  fileprivate init(effects: CommitEffects, continuingWith job: Job) {
    self.init(effects.jobs.contains(job) ? .nextStep : .finished, effects: effects)
  }
}
