import Records

/// Something that maintenance found, for the log.
package enum MaintenanceEvent: Hashable, Sendable {
  /// The clock moved on by this much while the broker did not watch it.
  case clockIsAhead(seconds: Int64)
  case clockWasSetBack(seconds: Int64)
  case deletedUnusedAssets(count: Int)
}

extension Broker {
  /// Begins every job that is due; called once a second.
  mutating func runMaintenance() {
    for connection in notifications.retryFailed() { deliverMore(connection) }
    if notifications.needsCleanup { maintenance.makeDue(.notifications) }
    for job in maintenance.tick(atSeconds: seconds) { begin(job) }
    notifications.secondEnded()
  }

  /// Notes that a commit left work for these jobs. Those that do not wait for the next second begin.
  mutating func makeDue(_ jobs: Set<Job>) {
    // Almost every commit leaves none, and `allCases` makes an array.
    guard !jobs.isEmpty else { return }
    // In a fixed order, so that a simulated world is the same each time.
    for job in Job.allCases where jobs.contains(job) {
      maintenance.makeDue(job)
      if case .work(atOnce: true) = job.trigger { begin(job) }
    }
  }

  private mutating func begin(_ job: Job, pauseMilliseconds: Int = 0) {
    guard maintenance.begin(job) else { return }
    let request = StorageRequest.maintain(step(of: job))
    actions.append(
      pauseMilliseconds == 0
        ? .store(request) : .storeLater(request, milliseconds: pauseMilliseconds))
  }

  private mutating func step(of job: Job) -> MaintenanceStep {
    guard job == .notifications else { return maintenance.step(of: job) }
    let sweep = notifications.beginCleanup()
    if notifications.needsCleanup { maintenance.makeDue(job) }
    return .notifications(sweep)
  }

  /// A step is done.
  mutating func maintained(_ result: MaintenanceResult, into pending: inout PendingChanges) {
    if case .done(let report) = result.outcome { take(report, of: result.job, into: &pending) }
    if result.job == .notifications { notifications.endCleanup(result.outcome) }
    if case .step(let pause) = maintenance.end(result) {
      begin(result.job, pauseMilliseconds: pause)
    }
  }

  private mutating func take(
    _ report: StepReport, of job: Job, into pending: inout PendingChanges
  ) {
    cut(report.effects.losses)
    pending.add(report.effects)
    switch report.finding {
    case .nothing: break
    case .clock(let movement, let watched):
      log(movement)
      maintenance.clockMoved(watched)
      actions.append(.asset(.removeStaleUploads))
      for job in Job.allCases {
        if case .clock = job.trigger { begin(job) }
      }
    case .unusedAssets(let digests):
      guard !digests.isEmpty else { break }
      actions.append(.logMaintenance(.deletedUnusedAssets(count: digests.count)))
    }
    makeDue(report.effects.jobs.subtracting([job]))
  }

  private mutating func log(_ movement: ObservedClock.Movement) {
    switch movement {
    case .on: break
    case .ahead(let seconds): actions.append(.logMaintenance(.clockIsAhead(seconds: seconds)))
    case .back(let seconds): actions.append(.logMaintenance(.clockWasSetBack(seconds: seconds)))
    }
  }
}
