// The device's files and the thread that has them. Everything that reads or writes one runs here, in
// order; the event loop that carries the connection and the database never waits for it. Only the
// removal of files happens elsewhere: where their rows are removed.

import AssetFiles
import Glibc
import Logging
import NIOCore
import NIOPosix
import Records
import Synchronization

/// A device's files.
final class AgentAssets: Sendable {
  /// What stays free on the disk, for the database to go on.
  static let diskReserveBytes = 64 << 20
  /// A file that was begun to be fetched or kept, and not gone on with for so long, goes.
  private static let partSeconds = 7 * 86_400

  /// How the names begin under which files come in.
  private static let fetched = "fetch-"

  let files: AssetFiles
  private let pool = NIOThreadPool(numberOfThreads: 1)
  /// Makes files durable that were fetched: a disk takes some milliseconds for it, in which the next
  /// ones come, and it takes two together hardly longer than one.
  private let finishing = NIOThreadPool(numberOfThreads: 2)
  private let work: Mutex<Work>
  private let logger: Logger

  private struct Work {
    var contents: AssetContents
    /// Files that are being fetched.
    var incoming: [AssetDigest: AssetPart] = [:]
    /// Files that are being kept, by their parts' names.
    var kept: [String: AssetPart] = [:]
  }

  /// The files in `directory`.
  /// - Throws: `StoreError` when it cannot be made.
  init(directory: String, logger: Logger) throws(StoreError) {
    files = try AssetFiles(directory: directory, reserveBytes: Self.diskReserveBytes)
    work = Mutex(Work(contents: AssetContents(of: files)))
    self.logger = logger
    pool.start()
    finishing.start()
  }

  /// Ends the thread once what it was handed is done.
  func stop() async {
    // What cannot be ended in good order ends with the process.
    try? await pool.shutdownGracefully()
    try? await finishing.shutdownGracefully()
  }

  private func run<Result: Sendable>(
    _ body: @escaping @Sendable (inout Work) throws -> sending Result
  ) async throws -> Result {
    try await pool.runIfActive { [self] in try work.withLock { try body(&$0) } }
  }

  private func submit(_ body: @escaping @Sendable (inout Work) -> Void) {
    pool.submit { [self] state in
      guard case .active = state else { return }
      work.withLock { body(&$0) }
    }
  }

  /// Seconds from any fixed moment.
  private static func seconds() -> Int {
    Int(NIODeadline.now().uptimeNanoseconds / 1_000_000_000)
  }

  // MARK: Reading

  /// Opens a file, found to be what its name says, for pieces to be read of it.
  /// - Returns: its length.
  /// - Throws: `assetNotAvailable` when it is not here or damaged; `StoreError`.
  func open(_ digest: AssetDigest) async throws -> Int {
    try await run { work in
      try work.contents.content(of: digest, atSeconds: Self.seconds()).byteCount
    }
  }

  /// A piece of a file; fewer bytes than asked for only at its end.
  func bytes(of digest: AssetDigest, from offset: Int, count: Int) async throws -> [UInt8] {
    try await run { Array(try Self.read(&$0, digest, offset, count)) }
  }

  /// A piece of a file, handed to `completion` on `loop`.
  func read(
    _ asset: Asset, from offset: Int, count: Int, on loop: any EventLoop,
    completion: @escaping @Sendable (Result<ArraySlice<UInt8>, RecordsError>) -> Void
  ) {
    submit { [self] work in
      let result = told { () throws in try Self.read(&work, asset.id, offset, count) }
      loop.execute { completion(result) }
    }
  }

  private static func read(
    _ work: inout Work, _ digest: AssetDigest, _ offset: Int, _ count: Int
  ) throws -> ArraySlice<UInt8> {
    try work.contents.content(of: digest, atSeconds: seconds())
      .bytes(from: offset, count: count)
  }

  // MARK: Fetching

  /// How far a file that is fetched has come.
  enum Progress: Sendable {
    case waiting(byteCount: Int)
    /// It is whole, durable and pinned.
    case arrived
  }

  /// Opens what an earlier attempt left of a file.
  func openIncoming(
    _ asset: Asset, on loop: any EventLoop,
    completion: @escaping @Sendable (Result<Progress, RecordsError>) -> Void
  ) {
    incoming(asset, on: loop, completion) { files, work in
      try files.requireRoom(forBytes: asset.byteCount)
      work.incoming[asset.id] = nil
      let part = try files.part(named: "\(Self.fetched)\(asset.id)")
      work.incoming[asset.id] = part
      guard part.byteCount <= asset.byteCount else {
        part.discard()
        throw RecordsError(.serverResponseLost, "The file has more bytes than expected.")
      }
    }
  }

  /// Appends a piece to a file that is fetched.
  func append(
    _ piece: AssetPiece, to asset: Asset, on loop: any EventLoop,
    completion: @escaping @Sendable (Result<Progress, RecordsError>) -> Void
  ) {
    incoming(asset, on: loop, completion) { _, work in
      guard let part = work.incoming[asset.id], part.byteCount == piece.offset else {
        throw RecordsError(.serverResponseLost, "A file chunk is out of order.")
      }
      try part.append(piece.content)
    }
  }

  /// Changes a file that is fetched; says on `loop` how far it is, when it is whole and durable.
  private func incoming(
    _ asset: Asset, on loop: any EventLoop,
    _ completion: @escaping @Sendable (Result<Progress, RecordsError>) -> Void,
    _ change: @escaping @Sendable (AssetFiles, inout Work) throws -> Void
  ) {
    submit { [self] work in
      let reached = told { () throws in
        try change(files, &work)
        return work.incoming[asset.id]?.byteCount ?? 0
      }
      guard case .success(asset.byteCount) = reached,
        let part = work.incoming.removeValue(forKey: asset.id)
      else {
        return loop.execute { completion(reached.map { .waiting(byteCount: $0) }) }
      }
      finish(HandedPart(part: part), asset, on: loop, completion)
    }
  }

  /// A part on its way to another thread; whoever handed it has it no longer.
  ///
  /// NB: `@unchecked` because a part is used from one thread at a time, and here it is.
  private struct HandedPart: @unchecked Sendable {
    let part: AssetPart
  }

  private func finish(
    _ handed: HandedPart, _ asset: Asset, on loop: any EventLoop,
    _ completion: @escaping @Sendable (Result<Progress, RecordsError>) -> Void
  ) {
    finishing.submit { [self] state in
      guard case .active = state else { return }
      let result = told { () throws -> Progress in
        try files.publish(handed.part, as: asset)
        return .arrived
      }
      loop.execute { completion(result) }
    }
  }

  // MARK: Keeping

  /// Begins a file of this device; its name is what the following calls go by.
  /// - Throws: `StoreError` `full` when the disk has no room for `byteCount` bytes.
  func beginKeeping(byteCount: Int) async throws -> String {
    var generator = SystemRandomNumberGenerator()
    let name = "keep-\(Identifier<AssetPart>.random(using: &generator))"
    try await run { [files] work in
      try files.requireRoom(forBytes: byteCount)
      work.kept[name] = try files.part(named: name)
    }
    return name
  }

  /// Appends bytes to a file that was begun.
  func append(_ bytes: [UInt8], toKept name: String) async throws {
    try await run { work in try work.kept[name]?.append(bytes[...]) }
  }

  /// Makes the file durable under its digest, after `check` has looked at it. It is pinned until
  /// `AgentDriver.release`.
  /// - Throws: what `check` throws; then nothing is kept.
  func finishKeeping<Verdict: Sendable>(
    _ name: String, check: @escaping @Sendable (AssetPart) throws -> Verdict
  ) async throws -> (Asset, Verdict) {
    try await run { [files] work in
      guard let part = work.kept.removeValue(forKey: name) else {
        throw RecordsError(.internalError, "A file was completed that was never started.")
      }
      do {
        let verdict = try check(part)
        let asset = Asset(part.digest(), sizeBytes: part.byteCount)
        try files.publish(part, as: asset)
        return (asset, verdict)
      } catch {
        part.discard()
        throw error
      }
    }
  }

  /// Keeps bytes that are at hand as a file, durable and pinned until `AgentDriver.release`. One that
  /// is here already, undamaged, is not written again.
  /// - Throws: `StoreError` when the disk is full or fails; then nothing is pinned.
  func keep(_ bytes: [UInt8]) async throws -> Asset {
    var generator = SystemRandomNumberGenerator()
    let name = "keep-\(Identifier<AssetPart>.random(using: &generator))"
    return try await run { [files] _ in
      let asset = Asset(of: bytes)
      // Pinned before it is looked for: what is found then stays.
      files.pin(asset.id)
      if files.holds(asset), (try? files.open(asset.id)) != nil { return asset }
      defer { files.unpin(asset.id) }
      try files.requireRoom(forBytes: bytes.count)
      let part = try files.part(named: name)
      do {
        try part.append(bytes[...])
        try files.publish(part, as: asset)
      } catch {
        part.discard()
        throw error
      }
      return asset
    }
  }

  /// Gives a file up that was begun.
  func discardKept(_ name: String) {
    submit { work in work.kept.removeValue(forKey: name)?.discard() }
  }

  // MARK: Sweeping

  /// Removes files that `entered` does not know, and parts nobody goes on with: what a crash left.
  func sweep(_ entered: @escaping @Sendable ([AssetDigest]) throws -> Set<AssetDigest>) {
    submit { [files] work in
      let stale = time(nil) - Self.partSeconds
      for part in files.parts(prefix: "") {
        let isKept = part.name.hasPrefix("keep-") && work.kept[part.name] == nil
        if isKept || part.writtenSeconds < stale { files.removePart(named: part.name) }
      }
    }
    for directory in UInt8.min...UInt8.max {
      submit { [files, logger] _ in
        let digests = files.unpinned(inDirectory: directory)
        guard !digests.isEmpty else { return }
        do {
          let known = try entered(digests)
          for digest in digests where !known.contains(digest) { files.remove(digest) }
        } catch {
          logger.error("Cannot delete unused files", metadata: ["error": "\(error.logText)"])
        }
      }
    }
  }

  /// Removes what is half here of files that `wanted` does not name.
  func forgetParts(_ wanted: @escaping @Sendable ([AssetDigest]) throws -> Set<AssetDigest>) {
    submit { [files, logger] work in
      let parts = files.parts(prefix: Self.fetched).map(\.name)
      let digests = parts.compactMap { AssetDigest(String($0.dropFirst(Self.fetched.count))) }
      guard !digests.isEmpty else { return }
      do {
        let kept = try wanted(digests)
        for digest in digests where !kept.contains(digest) {
          work.incoming[digest] = nil
          files.removePart(named: Self.fetched + digest.description)
        }
      } catch {
        logger.error("Cannot delete partial files", metadata: ["error": "\(error.logText)"])
      }
    }
  }

  private func told<Success>(_ body: () throws -> Success) -> Result<Success, RecordsError> {
    do {
      return .success(try body())
    } catch {
      logger.error("Cannot read or write a file", metadata: ["error": "\(error.logText)"])
      return .failure(ErrorResponse.recordsError(error))
    }
  }
}
