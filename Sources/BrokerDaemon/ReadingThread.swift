// The threads that read beside the commits: one for queries that take a moment, one for those that may
// take seconds, one for the rest. Accounts take turns: an account with many requests delays only its own.
// Nobody knows how long a query takes, so each begins on the first thread and is handed to the second
// one when its moment is over.

import BrokerCore
import BrokerStore
import Glibc
import NIOCore
import NIOPosix
import Records
import Synchronization

/// Reads beside the commits: pages for those who are behind, records by name, directories, queries.
final class ReadingThread: Sendable {
  /// A read that waits.
  private struct Work: Sendable {
    let request: ReadRequest
    let loop: any EventLoop
    let isWanted: @Sendable () -> Bool
    let completion: @Sendable (ReadResult) -> Void
  }

  private let pool = NIOThreadPool(numberOfThreads: 1)
  private let store: any RecordStore
  private let encode: Broker.Encode
  private let clock: @Sendable () -> QueryClock
  private let report: FailureReport
  private let waiting = Mutex(AccountTurns<Work>())
  /// Where queries go that are not done within their moment; `nil` where they have their whole time.
  private let longer: ReadingThread?

  /// A thread that reads from `store` and encodes pages with `encode`; `clock` begins one for a
  /// query. Gives `report` what made a read fail. With `longer`, `clock` ends a query soon, and it
  /// begins again there. With `givesWay`, the other threads get the processors first.
  init(
    store: any RecordStore, encode: @escaping Broker.Encode, report: @escaping FailureReport,
    longer: ReadingThread? = nil, givesWay: Bool = false,
    clock: @escaping @Sendable () -> QueryClock
  ) {
    self.longer = longer
    self.report = report
    self.store = store
    self.encode = encode
    self.clock = clock
    pool.start()
    guard givesWay else { return }
    pool.submit { state in
      // NB: on Linux, process 0 is the calling thread.
      if case .active = state { setpriority(Int32(PRIO_PROCESS.rawValue), 0, Self.niceness) }
    }
  }

  /// A tenth of what a thread weighs that does not give way.
  private static let niceness: Int32 = 10

  /// Carries out a read and calls `completion` on `loop` with its result.
  /// - Parameter isWanted: whether the client is still connected; called on the thread. A query of a
  ///   client that is gone ends early.
  func perform(
    _ request: ReadRequest, on loop: any EventLoop,
    isWanted: @escaping @Sendable () -> Bool = { true },
    completion: @escaping @Sendable (ReadResult) -> Void
  ) {
    let work = Work(request: request, loop: loop, isWanted: isWanted, completion: completion)
    waiting.withLock { $0.add(work, of: request.account) }
    pool.submit { [self] state in
      // A stopped pool still hands out what was submitted: the work is let go of.
      guard let next = waiting.withLock({ $0.next() }), case .active = state else { return }
      carryOut(next)
    }
  }

  private func carryOut(_ work: Work) {
    let clock = clock().ending { !work.isWanted() }
    let result = store.result(of: work.request, encode: encode, clock: clock, report: report)
    if let longer, result.isTooSlow, work.isWanted() {
      return longer.perform(
        work.request, on: work.loop, isWanted: work.isWanted, completion: work.completion)
    }
    work.loop.execute { work.completion(result) }
  }

  /// Ends the thread once what it was handed is done.
  func stop() async throws {
    try await pool.shutdownGracefully()
  }
}

extension ReadResult {
  /// Whether it is that of a query that took too long.
  fileprivate var isTooSlow: Bool {
    guard case .queried(_, _, let message) = self, case .error(let error) = message else {
      return false
    }
    return error.reason == "tooSlow"
  }
}

extension ReadRequest {
  /// The row of the account that asks.
  fileprivate var account: StoreKey {
    switch self {
    case .page(_, let request): request.reader.accountKey
    case .notifications(_, let read): read.accountKey
    case .fetch(_, _, let identity, _), .directory(_, _, let identity),
      .missedDirectory(_, let identity),
      .history(_, _, let identity, _, _), .trash(_, _, let identity, _, _),
      .cascaded(_, _, let identity, _, _, _), .subscriptions(_, _, let identity, _),
      .accounts(_, _, let identity, _), .wantedAssets(_, _, let identity, _),
      .query(_, _, let identity, _, _):
      identity.accountKey
    }
  }
}
