// The one thread that writes. It takes up whatever came while the last transaction was made
// durable, and goes on without asking anybody: while the event loop answers one batch, the next is
// on its way to the disk. Accounts take turns, so an account with many requests, or with expensive
// ones, delays mostly its own. The queue's bound is the broker's (`BrokerLimits.queuedBytes`).

import BrokerCore
import BrokerStore
import NIOCore
import NIOPosix
import Records
import Synchronization

/// Runs storage requests, those of an account in the order in which they come, as many in a transaction
/// as wait and fit.
final class StorageThread: Sendable {
  /// Takes the results of a transaction, on the storage thread.
  typealias Report = @Sendable ([StorageResult]) -> Void

  /// What waits, and whether the thread is at work.
  private struct Queue {
    var requests = AccountTurns<StorageRequest>()
    var chores: [@Sendable () -> Void] = []
    var report: Report?
    var isRunning = false
    /// The account that took most of the last transaction. It is not served in the next one if others
    /// wait, who would else pay for two of its requests: the one under way and the next.
    var served: StoreKey?
    /// The account behind whose transaction tidying was put off.
    var putOff: StoreKey?

    /// Takes the requests of the next transaction out.
    mutating func gather() -> [StorageRequest] {
      var gathered: [StorageRequest] = []
      while gathered.count < BrokerLimits.requestsPerTransaction,
        let request = requests.next(but: served)
      {
        gathered.append(request)
      }
      guard gathered.isEmpty, served != nil else { return gathered }
      served = nil
      return gather()
    }

    /// Whether the store may tidy now. Where others waited while an account took most of a transaction,
    /// their transaction comes first, and that account is not served in the one behind the tidying.
    mutating func mayTidy() -> Bool {
      guard putOff == nil, let served, requests.hasWork(but: served) else {
        (served, putOff) = (served ?? putOff, nil)
        return true
      }
      putOff = served
      return false
    }
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
  /// each commit took and `report` what made a request fail; it refuses saves while
  /// `hasDiskRoom` returns false.
  init(
    store: any RecordStore, quotas: QuotaPolicy, meter: CommitMeter,
    report: @escaping FailureReport, hasDiskRoom: @escaping @Sendable () -> Bool,
    clock: @escaping @Sendable () -> Timestamp
  ) {
    self.store = store
    self.meter = meter
    self.clock = clock
    committer = Mutex(
      Committer(
        store: store, generator: SystemRandomNumberGenerator(), quotas: quotas, report: report,
        hasDiskRoom: hasDiskRoom))
    pool.start()
  }

  /// Adds requests; `report`, the same at every call, is called on the thread with the results of
  /// each transaction, in the order in which its requests were carried out.
  func add(_ requests: [StorageRequest], report: @escaping Report) {
    wake { queue in
      for request in requests { queue.requests.add(request, of: request.account) }
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
        let (results, expensive) = meter.measure(requests: requests.count) {
          committer.withLock {
            ($0.performFirst(of: requests[...], at: clock()), $0.mostExpensive)
          }
        }
        putBack(requests.dropFirst(results.count), served: expensive.map { requests[$0].account })
        report?(results)
        tidy()
      }
    } while briefWait.withLock { $0.wait(until: hasWork) } || !rest()
  }

  /// Lets the store do what no transaction has to wait for.
  private func tidy() {
    if store.isUntidy, queue.withLock({ $0.mayTidy() }) { store.tidy() }
  }

  /// What waits; `nil` when nothing does.
  private func next() -> ([StorageRequest], [@Sendable () -> Void], Report?)? {
    queue.withLock { queue in
      guard !queue.requests.isEmpty || !queue.chores.isEmpty else { return nil }
      let requests = queue.gather()
      defer {
        queue.chores = []
        hasWork.store(!queue.requests.isEmpty, ordering: .releasing)
      }
      return (requests, queue.chores, queue.report)
    }
  }

  /// What did not fit into the transaction begins the next one.
  private func putBack(_ requests: ArraySlice<StorageRequest>, served: StoreKey?) {
    queue.withLock { queue in
      queue.served = served
      guard !requests.isEmpty else { return }
      queue.requests.putBack(requests.map { (account: $0.account, work: $0) })
      hasWork.store(true, ordering: .releasing)
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

extension StorageRequest {
  /// The account queue of the request: the account's row, or a number that no row has.
  fileprivate var account: StoreKey {
    switch self {
    case .modify(_, _, let identity, _, _), .acknowledge(_, let identity, _),
      .attach(_, let identity, _), .offerAsset(_, _, let identity, _),
      .saveSubscription(_, _, let identity, _, _), .deleteSubscription(_, _, let identity, _),
      .followNotifications(_, _, let identity, _), .share(_, _, let identity, _, _),
      .account(_, _, let identity, _):
      identity.accountKey
    // Before sign-in, the connections of one user share a queue.
    case .signIn(_, let request): -1 - StoreKey(request.uid)
    // In one line, so that a file that came back is not noted as lost afterwards.
    case .keepAsset, .noteAssets, .sweepNotifications, .removeLeft, .reapCascades, .runErrands,
      .administer:
      0
    }
  }
}
