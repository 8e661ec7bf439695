// The thread that has the broker's files. Accounts take turns, each with its requests in their order,
// and are answered on the event loop; while it hashes or waits for its disk, commits and readers go
// on. How much may wait for it is the broker's to bound (`BrokerLimits.queuedBytes`,
// `Limits.assetFetchesInFlight`).

import AssetFiles
import BrokerCore
import BrokerStore
import Logging
import NIOCore
import NIOPosix
import Records
import Synchronization

/// Carries out the broker's requests about files.
final class AssetThread: Sendable {
  private typealias Work = @Sendable (inout AssetWork) -> Void

  private let pool = NIOThreadPool(numberOfThreads: 1)
  private let work: Mutex<AssetWork>
  private let waiting = Mutex(AccountTurns<Work>())

  /// A thread over `files`, which asks `store` who may have what, and gives `report` what made a
  /// client's request fail.
  init(
    files: AssetFiles, store: any RecordStore, logger: Logger, report: @escaping FailureReport
  ) {
    work = Mutex(AssetWork(files: files, store: store, logger: logger, report: report))
    pool.start()
  }

  /// Carries out a request and calls `completion` on `loop` with its result, if it has one.
  func perform(
    _ request: AssetRequest, on loop: any EventLoop,
    completion: @escaping @Sendable (AssetResult) -> Void
  ) {
    submit(for: request.account) { work in
      guard let result = work.perform(request) else { return }
      loop.execute { completion(result) }
    }
  }

  /// Removes uploads that nobody has gone on with.
  func removeStaleParts() {
    submit { $0.removeStaleParts() }
  }

  /// Removes files that no row knows: a crash came between the file and its row, or between the
  /// row's end and the file's. A directory at a time, so that requests get in between.
  func sweep() {
    for directory in UInt8.min...UInt8.max { submit { $0.sweep(directory: directory) } }
  }

  /// Looks which files are there at all, a thousand at a time; `report` is called on the thread.
  func glance(after digest: AssetDigest? = nil, report: @escaping @Sendable (AssetResult) -> Void) {
    submit { [self] work in
      let (result, next) = work.glance(after: digest)
      report(result)
      if let next { glance(after: next, report: report) }
    }
  }

  /// Compares some files with their names; `report` is called on the thread.
  func compareContents(report: @escaping @Sendable (AssetResult) -> Void) {
    submit { work in report(work.compareContents()) }
  }

  private func submit(
    for account: StoreKey = AssetRequest.broker, _ body: @escaping Work
  ) {
    waiting.withLock { $0.add(body, of: account) }
    pool.submit { [self] state in
      // A stopped pool still hands out what was submitted: the work is let go of.
      guard let next = waiting.withLock({ $0.next() }), case .active = state else { return }
      work.withLock { next(&$0) }
    }
  }

  /// Ends the thread once what it was handed is done.
  func stop() async throws {
    try await pool.shutdownGracefully()
  }
}
