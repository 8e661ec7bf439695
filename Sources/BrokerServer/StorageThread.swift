// The only thread that writes. A transaction takes the requests that arrived while the last one was made
// durable: while the event loop answers one batch, the next is on its way to the disk. Accounts take turns,
// so an account with many or expensive requests delays mostly its own. The broker limits the bytes that
// wait (`BrokerLimits.queuedBytes`).

import BrokerCore
import BrokerStore
import NIOCore
import NIOPosix
import Records
import Synchronization

/// Carries out storage requests, as many in a transaction as wait and fit. Requests of one account stay in
/// their order.
final class StorageThread: Sendable {
  /// Receives the results of a transaction, on the storage thread.
  typealias Report = @Sendable ([StorageResult]) -> Void

  /// The waiting requests, and whether the thread is running.
  private struct Queue {
    var requests = AccountTurns<StorageRequest>()
    var probes: [@Sendable () -> Void] = []
    /// Whether other brokers may have committed. Every transaction finds out.
    var mustFollow = false
    var report: Report?
    var isRunning = false
    /// The account that used most of the last transaction. It is left out of the next one if other accounts
    /// wait. Otherwise they would wait for two of its requests: the one under way and the next.
    var served: StoreKey?
    /// The account after whose transaction the checkpoint was postponed.
    var postponed: StoreKey?

    var hasWork: Bool { !requests.isEmpty || !probes.isEmpty || mustFollow }

    /// Removes and returns the requests of the next transaction.
    mutating func gather() -> [StorageRequest] {
      var gathered: [StorageRequest] = []
      while gathered.count < BrokerLimits.requestsPerTransaction,
        let request = requests.next(excluding: served)
      {
        gathered.append(request)
      }
      guard gathered.isEmpty, served != nil else { return gathered }
      served = nil
      return gather()
    }

    /// Whether the store may checkpoint now. If other accounts waited while one account used most of a
    /// transaction, their transaction comes first, and that account is left out of the one after the
    /// checkpoint.
    mutating func mayCheckpoint() -> Bool {
      guard postponed == nil, let served, requests.hasWork(excluding: served) else {
        (served, postponed) = (served ?? postponed, nil)
        return true
      }
      postponed = served
      return false
    }
  }

  private let pool = NIOThreadPool(numberOfThreads: 1)
  private let store: any RecordStore
  private let clock: @Sendable () -> Timestamp
  private let committer: Mutex<Committer<SystemRandomNumberGenerator>>
  private let queue = Mutex(Queue())
  private let meter: CommitMeter
  /// Whether requests or probes wait. Readable without the queue's lock.
  private let hasWork = Atomic(false)
  private let briefWait = Mutex(SpinWait())

  private let deleteFiles: @Sendable ([AssetDigest]) -> Void
  private let reportFailure: FailureReport
  /// Whether the last look for commits of other brokers failed. An outage is reported once.
  private let hasFailedToFollow = Atomic(false)

  /// - Parameters:
  ///   - meter: receives the duration of each commit.
  ///   - report: receives the cause of a failed request.
  ///   - hasDiskRoom: while it returns false, saves are refused.
  ///   - deleteFiles: deletes asset files that no account has any more. Called on the thread between two
  ///     transactions, so that no device can offer such a file meanwhile.
  init(
    store: any RecordStore, quotas: QuotaPolicy, meter: CommitMeter,
    report: @escaping FailureReport, hasDiskRoom: @escaping @Sendable () -> Bool,
    deleteFiles: @escaping @Sendable ([AssetDigest]) -> Void,
    clock: @escaping @Sendable () -> Timestamp
  ) {
    self.deleteFiles = deleteFiles
    reportFailure = report
    self.store = store
    self.meter = meter
    self.clock = clock
    committer = Mutex(
      Committer(
        store: store, generator: SystemRandomNumberGenerator(), quotas: quotas, report: report,
        hasDiskRoom: hasDiskRoom))
    pool.start()
  }

  /// Adds requests. `report`, the same in every call, receives the results of each transaction on the
  /// thread, in the order in which its requests were carried out.
  func add(_ requests: [StorageRequest], report: @escaping Report) {
    wake { queue in
      for request in requests { queue.requests.add(request, of: request.account) }
      queue.report = report
    }
  }

  /// Calls `probe` between two transactions, to show that the thread is running.
  func addProbe(_ probe: @escaping @Sendable () -> Void) {
    wake { $0.probes.append(probe) }
  }

  /// Looks for commits of other brokers on the database. `report` is the same as in `add`.
  func follow(report: @escaping Report) {
    wake { queue in
      queue.mustFollow = true
      queue.report = report
    }
  }

  /// Reads from now on the changes that other brokers make in these zones (`true`), or leaves them unread (`false`).
  func watch(_ zones: [StoreKey: Bool]) { store.watch(zones) }

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
      while let (probes, report, hasRequests) = next() {
        for probe in probes { probe() }
        if hasRequests { perform(report) } else { follow(report) }
      }
    } while briefWait.withLock { $0.wait(until: hasWork) } || !rest()
  }

  /// Carries out the requests of one transaction.
  private func perform(_ report: Report?) {
    let performed = meter.measure {
      committer.withLock { $0.performNext(at: clock(), gathering: gather) }
    }
    putBack(performed.left, served: performed.mostExpensive.map { performed.requests[$0].account })
    for result in performed.results where !result.unusedAssets.isEmpty {
      deleteFiles(result.unusedAssets)
    }
    report?(performed.results)
    checkpoint()
  }

  /// Reports what other brokers have committed. If the database cannot be read, the next look finds it.
  private func follow(_ report: Report?) {
    do {
      try store.follow()
      hasFailedToFollow.store(false, ordering: .relaxed)
    } catch {
      let isKnown = hasFailedToFollow.exchange(true, ordering: .relaxed)
      if !isKnown { reportFailure(error) }
    }
    if let notice = store.takeForeignCommits() { report?([.foreign(notice)]) }
  }

  /// Checkpoints the database if its log is long.
  private func checkpoint() {
    if store.needsCheckpoint, queue.withLock({ $0.mayCheckpoint() }) { store.checkpoint() }
  }

  /// Empties the database's log, once nothing reads any more.
  func emptyLog() { store.emptyLog() }

  /// Returns the next work, and removes the probes; `nil` if there is none.
  private func next() -> (probes: [@Sendable () -> Void], report: Report?, hasRequests: Bool)? {
    queue.withLock { queue in
      guard queue.hasWork else { return nil }
      defer {
        queue.probes = []
        queue.mustFollow = false
        hasWork.store(!queue.requests.isEmpty, ordering: .releasing)
      }
      return (queue.probes, queue.report, !queue.requests.isEmpty)
    }
  }

  /// Removes and returns the requests of the next transaction.
  private func gather() -> [StorageRequest] {
    queue.withLock { queue in
      // The transaction that has begun knows what others have committed before it. If it fails, the next look, within
      // a second, finds that.
      queue.mustFollow = false
      defer { hasWork.store(queue.hasWork, ordering: .releasing) }
      return queue.gather()
    }
  }

  /// Puts the requests back that did not fit in the transaction. They begin the next one.
  private func putBack(_ requests: ArraySlice<StorageRequest>, served: StoreKey?) {
    queue.withLock { queue in
      queue.served = served
      guard !requests.isEmpty else { return }
      queue.requests.putBack(requests.map { (account: $0.account, work: $0) })
      hasWork.store(true, ordering: .releasing)
    }
  }

  /// Marks the thread as not running, unless requests have arrived meanwhile. Returns whether it did.
  private func rest() -> Bool {
    queue.withLock { queue in
      guard !queue.hasWork else { return false }
      queue.isRunning = false
      return true
    }
  }

  /// Waits until all requests are done, then ends the thread.
  func stop() async throws {
    try await pool.shutdownGracefully()
    // The driver holds this thread and is held by `report`: neither would be freed, nor the database closed.
    queue.withLock { $0.report = nil }
  }
}

extension StorageRequest {
  /// The account queue of the request: the account's row, or a number that no row has.
  fileprivate var account: StoreKey {
    switch self {
    // The requests that say which files exist share a queue, so that a file that came back is not recorded
    // as lost afterwards.
    case .client(.registerAsset, _), .recordAssets, .maintain, .administer: 0
    case .client(_, let context): context.identity.accountKey
    // Before sign-in, the connections of one user share a queue, or those of one network; and all that join.
    case .signIn(let request, _): request.peer.queue
    case .join: Peer.joinQueue
    }
  }
}

extension Peer {
  /// The queue of joins: below those of the uids.
  fileprivate static let joinQueue = -1 - StoreKey(UInt32.max) - 1
  /// The number of queues of networks.
  private static let networkQueues = 1 << 16

  /// The queue of the peer's sign-ins.
  fileprivate var queue: StoreKey {
    switch self {
    case .localUser(let uid): -1 - StoreKey(uid)
    case .remote(let network):
      Self.joinQueue - 1 - StoreKey(UInt(bitPattern: network.hashValue) % UInt(Self.networkQueues))
    }
  }
}
