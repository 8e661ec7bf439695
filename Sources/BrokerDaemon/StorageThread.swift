// The one thread that writes. It takes up whatever waited while the last transaction was made
// durable; the driver keeps the queue, on its event loop, and hands over one batch at a time.

import BrokerCore
import BrokerStore
import NIOCore
import NIOPosix
import Records
import Synchronization

/// Runs storage requests, one batch after the other.
final class StorageThread: Sendable {
  private let pool = NIOThreadPool(numberOfThreads: 1)
  private let store: any RecordStore
  private let clock: @Sendable () -> Timestamp
  private let committer: Mutex<Committer<SystemRandomNumberGenerator>>

  /// A thread that commits to `store`, by the time that `clock` tells.
  init(store: any RecordStore, clock: @escaping @Sendable () -> Timestamp) {
    self.store = store
    self.clock = clock
    committer = Mutex(Committer(store: store, generator: SystemRandomNumberGenerator()))
    pool.start()
  }

  /// Carries out a batch and calls `completion` on `loop` with its results.
  func perform(
    _ requests: [StorageRequest], on loop: any EventLoop,
    completion: @escaping @Sendable ([StorageResult]) -> Void
  ) {
    pool.submit { [self] state in
      // A stopped pool runs nothing more; by then the driver has waited for its last batch.
      guard case .active = state else { return }
      let results = committer.withLock { $0.perform(requests, at: clock()) }
      loop.execute { completion(results) }
    }
  }

  /// Removes tombstones older than `horizonSeconds`, some at a time; reports how many went.
  func reap(
    horizonSeconds: Int64, completion: @escaping @Sendable (Result<Int, any Error>) -> Void
  ) {
    pool.submit { [store, clock] state in
      guard case .active = state else { return }
      let horizon = clock().adding(seconds: -horizonSeconds)
      completion(
        Result {
          try store.transact { try $0.reap(tombstonesBefore: horizon, rowsMaximum: 1000) }
        })
    }
  }

  /// Ends the thread once what it was handed is done.
  func stop() async throws {
    try await pool.shutdownGracefully()
  }
}

/// Reads beside the commits: pages for those who are behind, records by name, directories.
final class ReadingThread: Sendable {
  private let pool = NIOThreadPool(numberOfThreads: 1)
  private let store: any RecordStore
  private let encode: Broker.Encode

  /// A thread that reads from `store` and encodes pages with `encode`.
  init(store: any RecordStore, encode: @escaping Broker.Encode) {
    self.store = store
    self.encode = encode
    pool.start()
  }

  /// Carries out a read and calls `completion` on `loop` with its result.
  func perform(
    _ request: ReadRequest, on loop: any EventLoop,
    completion: @escaping @Sendable (ReadResult) -> Void
  ) {
    pool.submit { [store, encode] state in
      guard case .active = state else { return }
      let result = store.result(of: request, encode: encode)
      loop.execute { completion(result) }
    }
  }

  /// Ends the thread once what it was handed is done.
  func stop() async throws {
    try await pool.shutdownGracefully()
  }
}
