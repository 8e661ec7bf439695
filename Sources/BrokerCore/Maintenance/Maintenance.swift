// The scheduler of the broker's background work. It decides which job runs when; the store does the work in
// the steps that it is given. Each job has at most one step under way.

import Records

/// Schedules the maintenance jobs.
struct Maintenance: Sendable {
  /// The state of a job.
  private enum State: Hashable, Sendable {
    case idle
    case due
    case running
    /// A step is under way, and the job became due again since the step began.
    case runningAndDue
  }

  /// The longest wait after a failure.
  private static let retryMaximumSeconds: Int64 = 600
  private static let historySeconds = Limits.earlierVersionDays * 86_400
  /// The delay before the first observation of the clock, so that a broker that has just started serves its
  /// devices first.
  private static let firstIntervalSeconds: Int64 = 60

  private var states: [Job: State] = [:]
  private var counts: [Job: JobStatus] = [:]
  /// The jobs whose last step failed.
  private var retries: [Job: Retry] = [:]
  private var seconds: Int64 = 0
  /// The seconds at which the jobs with intervals are due next.
  private var nextIntervalSeconds: [Job: Int64] = [:]
  /// The clock's history as of the last observation. It determines which data has expired.
  private var watched: ObservedClock?

  /// When a failed job is tried again.
  private struct Retry: Hashable, Sendable {
    var waitSeconds: Int64
    var dueSeconds: Int64
  }

  /// Makes every job due that commits leave work for, because the last process may have left some.
  init() {
    for job in Job.allCases {
      if case .work = job.trigger { states[job] = .due }
    }
  }

  func status(of job: Job) -> JobStatus {
    var status = counts[job] ?? JobStatus()
    status.isPending = states[job, default: .idle] != .idle
    return status
  }

  /// Makes a job due.
  mutating func makeDue(_ job: Job) {
    switch states[job, default: .idle] {
    case .idle, .due: states[job] = .due
    case .running, .runningAndDue: states[job] = .runningAndDue
    }
  }

  /// Begins a step if the job is due, none is under way, and the wait after a failure is over. Returns whether
  /// it did.
  mutating func begin(_ job: Job) -> Bool {
    guard states[job] == .due, retries[job].map({ $0.dueSeconds <= seconds }) ?? true else {
      return false
    }
    states[job] = .running
    return true
  }

  /// Returns the jobs that are due at this second.
  mutating func tick(atSeconds now: Int64) -> [Job] {
    seconds = now
    for job in Job.allCases {
      guard case .interval(let seconds) = job.trigger else { continue }
      let next = nextIntervalSeconds[job] ?? now + Self.firstIntervalSeconds
      nextIntervalSeconds[job] = now < next ? next : now + seconds
      if now >= next { makeDue(job) }
    }
    return Job.allCases.filter { states[$0] == .due }
  }

  /// The action after a step.
  enum Next: Hashable, Sendable {
    case nothing
    /// Begin another step, after a pause.
    case step(pauseMilliseconds: Int)
  }

  /// Ends a step. A job that another broker runs is tried again at the next second, and so is a job that
  /// failed; if it fails again, the wait doubles each time, because a failing step makes the requests of its
  /// transaction repeat their work.
  mutating func end(_ result: MaintenanceResult) -> Next {
    let job = result.job
    let isDue = states[job] == .runningAndDue
    states[job] = isDue ? .due : .idle
    switch result.outcome {
    case .leasedElsewhere:
      states[job] = .due
      return .nothing
    case .failed:
      counts[job, default: JobStatus()].failures += 1
      delayRetry(of: job)
      states[job] = .due
      return .nothing
    case .done(let report):
      retries[job] = nil
      counts[job, default: JobStatus()].steps += 1
      switch report.continuation {
      case .nextStep:
        states[job] = .due
        return .step(pauseMilliseconds: job.pauseMilliseconds)
      case .nextSecond:
        states[job] = .due
        return .nothing
      case .finished:
        guard isDue, case .work(atOnce: true) = job.trigger else { return .nothing }
        return .step(pauseMilliseconds: 0)
      }
    }
  }

  private mutating func delayRetry(of job: Job) {
    let last = retries[job]?.waitSeconds
    let wait = min(last.map { $0 * 2 } ?? 1, Self.retryMaximumSeconds)
    retries[job] = Retry(waitSeconds: wait, dueSeconds: seconds + wait)
  }

  /// Stores the observed clock and makes the jobs due that depend on it.
  mutating func clockMoved(_ watched: ObservedClock) {
    self.watched = watched
    for job in Job.allCases {
      if case .clock = job.trigger { makeDue(job) }
    }
  }

  /// Returns the next step of a job. Not for notifications, whose steps the broker makes.
  func step(of job: Job) -> MaintenanceStep {
    switch job {
    case .cascades: .cascades
    case .directoryUpdates: .directoryUpdates
    case .deletedAccounts: .deletedAccounts
    case .notifications: preconditionFailure("The broker makes the steps of notifications.")
    case .indexes: .indexes
    case .clock: .clock
    case .tombstones: .tombstones(expired(afterSeconds: Job.horizonSeconds))
    case .history: .history(expired(afterSeconds: Self.historySeconds))
    case .absentDevices: .absentDevices(expired(afterSeconds: Job.horizonSeconds))
    case .directoryEntries: .directoryEntries(expired(afterSeconds: Job.horizonSeconds))
    case .assets: .assets
    }
  }

  private func expired(afterSeconds seconds: Int64) -> AgeCutoff {
    guard let watched else {
      preconditionFailure("A job that depends on the clock began before the clock was observed.")
    }
    return watched.old(afterSeconds: seconds)
  }
}
