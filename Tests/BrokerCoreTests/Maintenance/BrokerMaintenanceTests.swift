// When the broker starts each job, and how it handles the results.

import Records
import Testing

@testable import BrokerCore

@Suite("Z4, I10 maintenance in the broker")
struct BrokerMaintenanceTests {
  private static let workJobs: [Job] = [
    .cascades, .directoryUpdates, .deletedAccounts, .notifications, .indexes,
  ]
  private static let clockJobs: [Job] = [
    .tombstones, .history, .absentDevices, .directoryEntries, .assets,
  ]

  private func started() -> SmallBroker {
    var small = SmallBroker()
    _ = small.broker.handle(.ticked(seconds: 1))
    for job in Self.workJobs { _ = small.broker.handle(.stored([done(job)])) }
    return small
  }

  private func steps(in actions: [BrokerAction]) -> [Job] {
    actions.compactMap {
      switch $0 {
      case .store(.maintain(let step)), .storeLater(.maintain(let step), _): step.job
      default: nil
      }
    }
  }

  @Test func `the broker runs every job at its start, in case an earlier run left work`() {
    var small = SmallBroker()
    #expect(steps(in: small.broker.handle(.ticked(seconds: 1))) == Self.workJobs)
    #expect(steps(in: small.broker.handle(.ticked(seconds: 2))).isEmpty, "they are in progress")
    for job in Self.workJobs {
      #expect(steps(in: small.broker.handle(.stored([done(job)]))).isEmpty)
    }
    #expect(steps(in: small.broker.handle(.ticked(seconds: 3))).isEmpty, "all are done")
  }

  @Test(arguments: [Job.cascades, .directoryUpdates])
  func `a commit that leaves work starts its job at once, one step at a time`(job: Job) {
    var small = started()
    var left = CommitEffects()
    left.jobs = [job]
    let commit = client(.answered(.pong, left), ConnectionID(9))
    #expect(steps(in: small.broker.handle(.stored([commit]))) == [job])
    #expect(steps(in: small.broker.handle(.stored([commit]))).isEmpty, "one at a time")
    let step = done(job, StepReport(.nextStep, effects: left))
    #expect(steps(in: small.broker.handle(.stored([step]))) == [job])
    #expect(steps(in: small.broker.handle(.stored([done(job)]))).isEmpty)
    #expect(steps(in: small.broker.handle(.ticked(seconds: 2))).isEmpty)
  }

  @Test(arguments: [Job.cascades, .directoryUpdates])
  func `work that arrives during a job's last step is done afterwards`(job: Job) {
    var small = started()
    var left = CommitEffects()
    left.jobs = [job]
    let commit = client(.answered(.pong, left), ConnectionID(9))
    _ = small.broker.handle(.stored([commit]))
    _ = small.broker.handle(.stored([commit]))
    #expect(steps(in: small.broker.handle(.stored([done(job)]))) == [job])
  }

  @Test(arguments: Job.allCases.filter { $0 != .clock })
  func `a failed step is counted and retried a second later`(job: Job) {
    var small = started()
    small.broker.maintenance.clockMoved(ObservedClock(seen: Timestamp(microseconds: 0)))
    small.broker.maintenance.makeDue(job)
    #expect(steps(in: small.broker.handle(.ticked(seconds: 2))).contains(job))
    #expect(!steps(in: small.broker.handle(.stored([failed(job)]))).contains(job))
    #expect(steps(in: small.broker.handle(.ticked(seconds: 3))) == [job])
    #expect(small.broker.status.jobs[job]?.failures == 1)
  }

  @Test func `a job that keeps failing is retried less and less often, at least every ten minutes`()
  {
    var small = started()
    small.broker.maintenance.makeDue(.cascades)
    var attempts: [Int64] = []
    for second in 2...2500 as ClosedRange<Int64> {
      guard steps(in: small.broker.handle(.ticked(seconds: second))).contains(.cascades) else {
        continue
      }
      attempts.append(second)
      _ = small.broker.handle(.stored([failed(.cascades)]))
    }
    let waits = zip(attempts, attempts.dropFirst()).map { $1 - $0 }
    #expect(waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600])
  }

  @Test func `work that arrives while a failed job waits does not start it early`() {
    var small = started()
    small.broker.maintenance.makeDue(.cascades)
    for second in 2...3 as ClosedRange<Int64> {
      _ = small.broker.handle(.ticked(seconds: second))
      _ = small.broker.handle(.stored([failed(.cascades)]))
    }
    var left = CommitEffects()
    left.jobs = [.cascades]
    let commit = client(.answered(.pong, left), ConnectionID(9))
    #expect(steps(in: small.broker.handle(.stored([commit]))).isEmpty)
    #expect(steps(in: small.broker.handle(.ticked(seconds: 4))).isEmpty)
    #expect(steps(in: small.broker.handle(.ticked(seconds: 5))) == [.cascades])
  }

  @Test func `a step that succeeds ends the waiting`() {
    var small = started()
    small.broker.maintenance.makeDue(.cascades)
    for second in [2, 3, 5] as [Int64] {
      #expect(steps(in: small.broker.handle(.ticked(seconds: second))) == [.cascades])
      _ = small.broker.handle(.stored([failed(.cascades)]))
    }
    #expect(steps(in: small.broker.handle(.ticked(seconds: 9))) == [.cascades])
    _ = small.broker.handle(.stored([done(.cascades)]))
    small.broker.maintenance.makeDue(.cascades)
    #expect(steps(in: small.broker.handle(.ticked(seconds: 10))) == [.cascades])
    _ = small.broker.handle(.stored([failed(.cascades)]))
    #expect(steps(in: small.broker.handle(.ticked(seconds: 11))) == [.cascades])
  }

  @Test func `a job that another broker runs is requested again a second later`() {
    var small = started()
    small.broker.maintenance.makeDue(.cascades)
    _ = small.broker.handle(.ticked(seconds: 2))
    let elsewhere = StorageResult.maintained(MaintenanceResult(.cascades, .leasedElsewhere))
    #expect(small.broker.handle(.stored([elsewhere])).isEmpty)
    #expect(steps(in: small.broker.handle(.ticked(seconds: 3))) == [.cascades])
    #expect(small.broker.status.jobs[.cascades]?.failures == 0)
  }

  @Test func `a deletion that must wait for another job is retried a second later`() {
    var small = started()
    small.broker.maintenance.makeDue(.deletedAccounts)
    _ = small.broker.handle(.ticked(seconds: 2))
    let waiting = done(.deletedAccounts, StepReport(.nextSecond))
    #expect(steps(in: small.broker.handle(.stored([waiting]))).isEmpty)
    #expect(steps(in: small.broker.handle(.ticked(seconds: 3))) == [.deletedAccounts])
  }

  @Test func `the changes of a step are sent like those of any commit`() {
    var small = SmallBroker()
    small.openLive(ConnectionID(1))
    _ = small.broker.handle(.ticked(seconds: 1))
    let change = DirectoryCommit(
      container: 1, account: identity.accountKey,
      page: DirectoryPage(from: Revision(4), to: Revision(5), entries: []))
    let step = StepReport(effects: CommitEffects(directories: [change]))
    let actions = small.broker.handle(.stored([done(.directoryUpdates, step)]))
    #expect(small.messages(in: actions).map(small.name) == ["directory"])
  }

  @Test func `the broker reads the clock a minute after the start, then every ten minutes`() {
    var small = started()
    var seconds: [Int64] = []
    for second in 2...1300 as ClosedRange<Int64> {
      let jobs = steps(in: small.broker.handle(.ticked(seconds: second)))
      guard jobs.contains(.clock) else { continue }
      seconds.append(second)
      _ = small.broker.handle(.stored([done(.clock)]))
    }
    #expect(seconds == [61, 661, 1261])
  }

  @Test func `reading the clock starts the jobs that depend on it, with pauses between steps`() {
    var small = started()
    _ = small.broker.handle(.ticked(seconds: 61))
    let clock = ObservedClock(seen: Timestamp(microseconds: 1_000_000))
    let look = done(.clock, StepReport(finding: .clock(.on, clock)))
    let actions = small.broker.handle(.stored([look]))
    #expect(steps(in: actions) == Self.clockJobs)
    #expect(actions.contains { if case .asset(.removeStaleUploads) = $0 { true } else { false } })
    let more = small.broker.handle(.stored([done(.history, StepReport(.nextStep))]))
    guard case .storeLater(.maintain(.history), milliseconds: 50)? = more.first else {
      Issue.record("\(more)")
      return
    }
  }

  @Test func `a clock that was set back is logged`() {
    var small = started()
    _ = small.broker.handle(.ticked(seconds: 61))
    let clock = ObservedClock(seen: Timestamp(microseconds: 1_000_000))
    let look = done(.clock, StepReport(finding: .clock(.back(seconds: 90), clock)))
    let events = small.broker.handle(.stored([look])).compactMap { action -> MaintenanceEvent? in
      if case .logMaintenance(let event) = action { event } else { nil }
    }
    #expect(events == [.clockWasSetBack(seconds: 90)])
  }
}
