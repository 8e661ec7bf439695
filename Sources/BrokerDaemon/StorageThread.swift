// The one thread that writes. It takes up whatever came while the last transaction was made
// durable, and goes on without asking anybody: while the event loop answers one batch, the next is
// on its way to the disk. The queue's bound is the broker's (`BrokerLimits.queuedBytes`).

import BrokerCore
import BrokerStore
import NIOCore
import NIOPosix
import Records
import Synchronization

/// Runs storage requests in the order in which they come, as many in a transaction as wait.
final class StorageThread: Sendable {
  /// Takes the results of a transaction, on the storage thread.
  typealias Report = @Sendable ([StorageResult]) -> Void

  /// What waits, and whether the thread is at work.
  private struct Queue {
    var requests: [StorageRequest] = []
    var chores: [@Sendable () -> Void] = []
    var report: Report?
    var isRunning = false
  }

  private let pool = NIOThreadPool(numberOfThreads: 1)
  private let store: any RecordStore
  private let clock: @Sendable () -> Timestamp
  private let committer: Mutex<Committer<SystemRandomNumberGenerator>>
  private let queue = Mutex(Queue())
  private let meter: CommitMeter
  /// Whether something waits; looked at without taking the queue's lock.
  private let hasWork = Atomic(false)
  private let briefWait = Mutex(BriefWait())

  /// A thread that commits to `store`, by the time that `clock` tells, and tells `meter` how long
  /// each commit took and `report` what made a request fail.
  init(
    store: any RecordStore, quotas: QuotaPolicy, meter: CommitMeter,
    report: @escaping FailureReport, clock: @escaping @Sendable () -> Timestamp
  ) {
    self.store = store
    self.meter = meter
    self.clock = clock
    committer = Mutex(
      Committer(
        store: store, generator: SystemRandomNumberGenerator(), quotas: quotas, report: report))
    pool.start()
  }

  /// Adds requests; `report`, the same at every call, is called on the thread with the results of
  /// each transaction, in the order of the requests.
  func add(_ requests: [StorageRequest], report: @escaping Report) {
    wake { queue in
      queue.requests += requests
      queue.report = report
    }
  }

  /// Runs `chore` between two transactions.
  func addChore(_ chore: @escaping @Sendable () -> Void) {
    wake { $0.chores.append(chore) }
  }

  private func wake(adding: (inout Queue) -> Void) {
    let mustStart = queue.withLock { queue in
      adding(&queue)
      hasWork.store(true, ordering: .releasing)
      defer { queue.isRunning = true }
      return !queue.isRunning
    }
    guard mustStart else { return }
    pool.submit { [self] state in
      // A stopped pool runs nothing more; by then the driver has waited for its last batch.
      guard case .active = state else { return }
      run()
    }
  }

  private func run() {
    briefWait.withLock { $0.woken() }
    repeat {
      while let (requests, chores, report) = next() {
        for chore in chores { chore() }
        guard !requests.isEmpty else { continue }
        let results = meter.measure(requests: requests.count) {
          committer.withLock { $0.perform(requests, at: clock()) }
        }
        report?(results)
      }
    } while briefWait.withLock { $0.wait(until: hasWork) } || !rest()
  }

  /// What waits; `nil` when nothing does.
  private func next() -> ([StorageRequest], [@Sendable () -> Void], Report?)? {
    queue.withLock { queue in
      guard !queue.requests.isEmpty || !queue.chores.isEmpty else { return nil }
      let requests = Array(queue.requests.prefix(BrokerLimits.requestsPerTransaction))
      queue.requests.removeFirst(requests.count)
      defer {
        queue.chores = []
        hasWork.store(!queue.requests.isEmpty, ordering: .releasing)
      }
      return (requests, queue.chores, queue.report)
    }
  }

  /// Lets the thread sleep, unless something has come; says whether it does.
  private func rest() -> Bool {
    queue.withLock { queue in
      guard queue.requests.isEmpty, queue.chores.isEmpty else { return false }
      queue.isRunning = false
      return true
    }
  }

  /// Ends the thread once what it was handed is done.
  func stop() async throws {
    try await pool.shutdownGracefully()
    // Whom it reports to holds this thread: without this neither would go, nor the database be closed.
    queue.withLock { $0.report = nil }
  }
}
