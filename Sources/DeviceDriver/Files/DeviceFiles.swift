// The device's files and the thread that owns them. All reads and writes run on this thread, in order, so that the
// event loop with the connection and the database never waits for a file. Only the deletion of files happens
// elsewhere: where their rows are deleted.

import AssetFiles
import Logging
import NIOCore
import NIOPosix
import Records
import Synchronization

/// The files of a device.
///
/// A file is stored in two steps: its bytes, here, and then a row that refers to it, in an edit that begins with
/// `LocalEdit.keepAsset`. Between the steps the file is pinned; `ReplicaDriver.release` ends that.
package final class DeviceFiles: Sendable {
  /// The disk space that stays free for the database.
  static let reservedBytes = 64 << 20

  /// The directory with the files.
  package let disk: AssetFiles
  private let thread = NIOThreadPool(numberOfThreads: 1)
  /// Makes downloads durable. The disk takes some milliseconds for one, and hardly longer for two at once;
  /// meanwhile the next chunks arrive.
  private let finishingThreads = NIOThreadPool(numberOfThreads: 2)
  private let work: Mutex<Work>
  let now: @Sendable () -> Timestamp
  let logger: Logger

  /// The open files.
  struct Work {
    fileprivate var contents: AssetContents
    /// Downloads under way.
    var downloads: [AssetDigest: AssetPart] = [:]
    /// New files that are being written, by the names of their parts.
    var newFiles: [String: AssetPart] = [:]
  }

  /// Opens the files in `directory`, and creates it if it is missing.
  /// - Throws: `StoreError` `unreadable` if it cannot be created.
  package init(
    directory: String, logger: Logger,
    now: @escaping @Sendable () -> Timestamp = SystemClock.now
  ) throws(StoreError) {
    disk = try AssetFiles(directory: directory, reserveBytes: Self.reservedBytes)
    work = Mutex(Work(contents: AssetContents(of: disk)))
    self.now = now
    self.logger = logger
    thread.start()
    finishingThreads.start()
  }

  /// Ends the threads after the work that they have.
  package func stop() async {
    // Threads that cannot be stopped in order end with the process.
    try? await thread.shutdownGracefully()
    try? await finishingThreads.shutdownGracefully()
  }

  // MARK: Reading

  /// Opens a file after verifying its content against the digest.
  /// - Returns: its length.
  /// - Throws: `assetNotAvailable` if the file is not here or damaged; `StoreError`.
  package func open(_ digest: AssetDigest) async throws -> Int {
    try await run { work in
      try work.contents.content(of: digest, atSeconds: Self.uptimeSeconds()).byteCount
    }
  }

  /// Returns `count` bytes of a file; fewer only at its end.
  /// - Throws: as `open`.
  package func bytes(of digest: AssetDigest, from offset: Int, count: Int) async throws -> [UInt8] {
    try await run { Array(try $0.bytes(of: digest, from: offset, count: count)) }
  }

  /// Reads a chunk of a file and calls `completion` on `loop`.
  func read(
    _ asset: Asset, from offset: Int, count: Int, on loop: any EventLoop,
    completion: @escaping @Sendable (Result<ArraySlice<UInt8>, RecordsError>) -> Void
  ) {
    submit { [self] work in
      let result = result { try work.bytes(of: asset.id, from: offset, count: count) }
      loop.execute { completion(result) }
    }
  }

  // MARK: Threads

  func run<Result: Sendable>(
    _ body: @escaping @Sendable (inout Work) throws -> sending Result
  ) async throws -> Result {
    try await thread.runIfActive { [self] in try work.withLock { try body(&$0) } }
  }

  func submit(_ body: @escaping @Sendable (inout Work) -> Void) {
    thread.submit { [self] state in
      guard case .active = state else { return }
      work.withLock { body(&$0) }
    }
  }

  func submitFinish(_ body: @escaping @Sendable () -> Void) {
    finishingThreads.submit { state in
      guard case .active = state else { return }
      body()
    }
  }

  /// Returns the seconds since a fixed time.
  fileprivate static func uptimeSeconds() -> Int {
    Int(NIODeadline.now().uptimeNanoseconds / 1_000_000_000)
  }

  // MARK: Errors

  /// Returns the result of `body`, and logs its error.
  func result<Success>(_ body: () throws -> Success) -> Result<Success, RecordsError> {
    do {
      return .success(try body())
    } catch {
      logger.error("Cannot read or write a file", metadata: ["error": "\(error.logText)"])
      return .failure(Self.recordsError(error))
    }
  }

  /// Returns an error of the disk as callers see it. Most messages of `StoreError` are for the log.
  private static func recordsError(_ error: any Error) -> RecordsError {
    if let error = error as? RecordsError { return error }
    switch (error as? StoreError)?.kind {
    case .full:
      return RecordsError(
        .quotaExceeded, (error as? StoreError)?.message ?? "The disk is full.",
        hint: "Free some disk space.")
    case .disk:
      return RecordsError(
        .internalError, "This device's disk cannot be read or written. See the log.",
        hint: "Check the disk. Everything saved before is safe.")
    case .foreign, .otherVersion, .unreadable, .damaged, .inUse, .unreachable, .unexpected, nil:
      return RecordsError(.internalError, "Unexpected error of a file. See the log.")
    }
  }
}

extension DeviceFiles.Work {
  fileprivate mutating func bytes(
    of digest: AssetDigest, from offset: Int, count: Int
  ) throws -> ArraySlice<UInt8> {
    try contents.content(of: digest, atSeconds: DeviceFiles.uptimeSeconds())
      .bytes(from: offset, count: count)
  }
}
