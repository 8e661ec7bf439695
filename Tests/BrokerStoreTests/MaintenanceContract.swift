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
