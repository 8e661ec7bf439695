// What every store must do about jobs that several brokers share.

import BrokerCore
import BrokerStore
import Records
import Testing

@Suite("Maintenance contract")
struct MaintenanceContract {
  private func broker(on store: any RecordStore) -> Committer<SystemRandomNumberGenerator> {
    Committer(store: store, generator: SystemRandomNumberGenerator())
  }

  private func outcome(
    _ step: MaintenanceStep, by broker: inout Committer<SystemRandomNumberGenerator>, at: Int64
  ) throws -> MaintenanceResult.Outcome {
    guard case .maintained(let result) = broker.perform([.maintain(step)], at: time(at))[0] else {
      throw RecordsError(.internalError, "A step has the result of another request.")
    }
    return result.outcome
  }

  private func isRefused(
    _ step: MaintenanceStep, by broker: inout Committer<SystemRandomNumberGenerator>, at: Int64
  ) throws -> Bool {
    if case .leasedElsewhere = try outcome(step, by: &broker, at: at) { true } else { false }
  }

  @Test(arguments: StoreKind.allCases)
  func `a job that one broker has begun is not continued by another`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make())
    _ = try client.modify((0..<1500).map { save("a\($0)") })
    _ = try client.modify((0..<1500).map { delete("a\($0)", tag: Int64($0) + 1) })
    var (one, two) = (broker(on: client.store), broker(on: client.store))
    let step = MaintenanceStep.tombstones(AgeCutoff(before: time(9)))
    guard case .done(let report) = try outcome(step, by: &one, at: 10) else {
      Issue.record("The first step was not done.")
      return
    }
    #expect(report.continuation == .nextStep)
    let isSecondRefused = try isRefused(step, by: &two, at: 11)
    #expect(isSecondRefused)
    let isOtherJobRefused = try isRefused(.history(AgeCutoff(before: time(9))), by: &two, at: 11)
    #expect(!isOtherJobRefused)
    let isRefusedLater = try isRefused(step, by: &two, at: 10 + JobLeases.seconds)
    #expect(!isRefusedLater, "the first broker has stopped")
  }

  private static let steps: [MaintenanceStep] = [
    .cascades, .directoryUpdates, .deletedAccounts, .indexes, .clock, .assets,
    .notifications(NotificationCleanup(acknowledged: [:], released: [:], through: nil)),
    .tombstones(AgeCutoff(before: time(0))), .history(AgeCutoff(before: time(0))),
    .absentDevices(AgeCutoff(before: time(0))), .directoryEntries(AgeCutoff(before: time(0))),
  ]

  @Test(arguments: StoreKind.allCases, steps)
  func `a step that shares a transaction with saves loses nothing of them`(
    kind: StoreKind, step: MaintenanceStep
  ) throws {
    var client = try StoreClient(try kind.make())
    var broker = broker(on: client.store)
    for round in 0..<3 as Range<Int64> {
      let saves = ["a", "b"].map { name in
        client.nextRequest([OperationGroup(zone: .standard, operations: [save("\(name)\(round)")])])
      }
      let results = broker.perform([saves[0], .maintain(step), saves[1]], at: time(10 + round))
      for (index, place) in [0, 2].enumerated() {
        let outcome = try StoreClient.outcome(results[place]).0
        #expect(outcome.groups == [[.saved(tag: Revision(2 * round + Int64(index) + 1))]])
      }
    }
    let page = try client.page()
    #expect(page.changes.map(\.tag.value) == Array(1...6))
    #expect(page.to == Revision(6))
  }

  @Test(arguments: StoreKind.allCases)
  func `a finished job can be done by any broker`(kind: StoreKind) throws {
    let store = try kind.make()
    var (one, two) = (broker(on: store), broker(on: store))
    for job in [MaintenanceStep.cascades, .directoryUpdates, .deletedAccounts, .indexes, .assets] {
      let isFirstRefused = try isRefused(job, by: &one, at: 10)
      let isSecondRefused = try isRefused(job, by: &two, at: 10)
      #expect(!isFirstRefused && !isSecondRefused)
    }
  }
}
