// The thread that owns the broker's files. Accounts take turns, and each account's requests stay in their
// order. Commits and reads go on while this thread hashes or waits for the disk. The broker limits what waits
// for it (`BrokerLimits.queuedBytes`, `Limits.assetFetchesInFlight`).

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
  private typealias Work = @Sendable (inout AssetWorker) -> Void

  private let pool = NIOThreadPool(numberOfThreads: 1)
  private let work: Mutex<AssetWorker>
  private let waiting = Mutex(AccountTurns<Work>())

  /// - Parameters:
  ///   - uploads: the directory of unfinished uploads.
  ///   - files: the complete files.
  ///   - store: decides which files an account may read.
  ///   - report: receives the cause of a failed request.
  init(
    uploads: AssetFiles, files: any CompleteFiles, store: any RecordStore, logger: Logger,
    report: @escaping FailureReport
  ) {
    work = Mutex(
      AssetWorker(uploads: uploads, files: files, store: store, logger: logger, report: report))
    pool.start()
  }

  /// Carries out a request, and calls `completion` on `loop` with its result if it has one.
  func perform(
    _ request: AssetRequest, on loop: any EventLoop,
    completion: @escaping @Sendable (AssetResult) -> Void
  ) {
    submit(for: request.account) { work in
      guard let result = work.perform(request) else { return }
      loop.execute { completion(result) }
    }
  }

  /// Deletes files without a row, which a crash left between writing a file and its row, or between deleting
  /// the row and the file. One directory at a time, so that requests can run in between.
  func sweep() {
    for directory in UInt8.min...UInt8.max { submit { $0.sweep(directory: directory) } }
  }

  /// Looks for all missing files, a thousand rows at a time. Calls `report` on this thread for each step.
  func verifyPresence(
    after digest: AssetDigest? = nil, report: @escaping @Sendable (AssetResult) -> Void
  ) {
    submit { [self] work in
      let (result, next) = work.verifyPresence(after: digest)
      report(result)
      if let next { verifyPresence(after: next, report: report) }
    }
  }

  /// Reads the next files, about 16 MiB, and compares them with their digests. Calls `report` on this thread.
  func verifyContents(report: @escaping @Sendable (AssetResult) -> Void) {
    submit { work in report(work.verifyContents()) }
  }

  private func submit(
    for account: StoreKey = AssetRequest.broker, _ body: @escaping Work
  ) {
    waiting.withLock { $0.add(body, of: account) }
    pool.submit { [self] state in
      // A stopped pool still runs submitted work. It is dropped here.
      guard let next = waiting.withLock({ $0.next() }), case .active = state else { return }
      work.withLock { next(&$0) }
    }
  }

  /// Waits until all requests are done, then ends the thread.
  func stop() async throws {
    try await pool.shutdownGracefully()
  }
}
