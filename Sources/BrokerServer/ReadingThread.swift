// The threads whose reads run concurrently with the commits: one for short queries, one for queries that can
// take seconds, one for everything else. Accounts take turns: an account with many requests delays only its
// own. How long a query takes is not known in advance, so each begins on the thread for short queries, and
// begins again on the other one if its time is over.

import BrokerCore
import BrokerStore
import Glibc
import NIOCore
import NIOPosix
import Predicates
import Records
import Synchronization

/// Carries out read requests on a thread of its own.
final class ReadingThread: Sendable {
  /// A pending read.
  private struct Work: Sendable {
    let request: ReadRequest
    let loop: any EventLoop
    let isWanted: @Sendable () -> Bool
    let completion: @Sendable (ReadResult) -> Void
  }

  private let pool = NIOThreadPool(numberOfThreads: 1)
  private let store: any RecordStore
  private let encode: BrokerConfiguration.Encode
  private let clock: @Sendable () -> QueryClock
  private let report: FailureReport
  private let waiting = Mutex(AccountTurns<Work>())
  /// The thread for queries that are not done in time; `nil` if this thread runs them to the end.
  private let longer: ReadingThread?

  /// - Parameters:
  ///   - encode: encodes the frames of pages.
  ///   - report: receives the cause of a failed read.
  ///   - longer: the thread that restarts a query which exceeded the time of `clock`.
  ///   - givesWay: whether the thread runs with a lower priority.
  ///   - clock: returns the time and the time limit for a query that begins now.
  init(
    store: any RecordStore, encode: @escaping BrokerConfiguration.Encode,
    report: @escaping FailureReport,
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
      guard case .active = state else { return }
      let process = Int32(PRIO_PROCESS.rawValue)
      setpriority(process, 0, getpriority(process, 0) + Self.niceness)
    }
  }

  /// About a tenth of the processor time of a thread of normal priority.
  private static let niceness: Int32 = 10

  /// Carries out a read and calls `completion` on `loop` with its result.
  /// - Parameter isWanted: returns whether the client is still connected; called on the thread. If not, its
  ///   query ends early.
  func perform(
    _ request: ReadRequest, on loop: any EventLoop,
    isWanted: @escaping @Sendable () -> Bool = { true },
    completion: @escaping @Sendable (ReadResult) -> Void
  ) {
    let work = Work(request: request, loop: loop, isWanted: isWanted, completion: completion)
    waiting.withLock { $0.add(work, of: request.account) }
    pool.submit { [self] state in
      // A stopped pool still runs submitted work. It is dropped here.
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

  /// Waits until all requests are done, then ends the thread.
  func stop() async throws {
    try await pool.shutdownGracefully()
  }
}

extension ReadResult {
  /// Whether the read was a query that ran out of time.
  fileprivate var isTooSlow: Bool {
    guard case .client(.error(let error), let operation, _) = self, operation.isQuery else {
      return false
    }
    return error.reason == "tooSlow"
  }
}

extension ReadRequest {
  /// The row of the reader's account.
  fileprivate var account: StoreKey {
    switch self {
    case .client(_, let context): context.identity.accountKey
    case .page(let request, _): request.reader.accountKey
    case .directory(let identity, _): identity.accountKey
    case .notifications(let read, _): read.accountKey
    }
  }
}
