// What is done with the broker's files: uploads appended piece by piece until they are whole, pieces
// read for those who may have them. An unfinished upload outlives connections and restarts, so that
// it goes on where it ended; how many of them an account may leave lying is bounded, and so is how
// long.

import AssetFiles
import BrokerCore
import BrokerStore
import Glibc
import Logging
import Records

/// The files and what is open of them. Used from one thread at a time.
struct AssetWork {
  private let files: AssetFiles
  private let store: any RecordStore
  private let logger: Logger
  private let report: FailureReport
  private var parts: [UploadID: AssetPart] = [:]
  private let unfinished: UploadParts
  private var contents: AssetContents
  /// The files beside their names.
  private var comparison: AssetComparison

  init(
    files: AssetFiles, store: any RecordStore, logger: Logger, report: @escaping FailureReport
  ) {
    self.report = report
    self.files = files
    self.store = store
    self.logger = logger
    contents = AssetContents(of: files)
    unfinished = UploadParts(files: files)
    comparison = AssetComparison(files: files, store: store, logger: logger)
  }

  /// Carries out a request. Never throws: whoever asked is told.
  mutating func perform(_ request: AssetRequest) -> AssetResult? {
    switch request {
    case .open(let connection, let replyTo, let id, let asset):
      result(connection, replyTo, id, weight: 0) { try $0.open(id, asset) }
    case .append(let connection, let replyTo, let id, let asset, let piece):
      result(connection, replyTo, id, weight: piece.content.count) {
        try $0.append(piece, id, asset)
      }
    case .close(let id):
      close(id)
    case .settle(let digest):
      settle(digest)
    case .read(let connection, let replyTo, let identity, let fetch):
      read(fetch, for: identity, connection, replyTo)
    }
  }

  // MARK: Coming

  private enum Progress {
    case waiting(offset: Int)
    case completed(Asset)
  }

  private mutating func result(
    _ connection: ConnectionID, _ replyTo: UInt64, _ id: UploadID, weight: Int,
    _ body: (inout AssetWork) throws -> Progress
  ) -> AssetResult {
    do {
      switch try body(&self) {
      case .waiting(let offset):
        return .waiting(connection, replyTo: replyTo, id, offset: offset, weight: weight)
      case .completed(let asset):
        return .completed(connection, replyTo: replyTo, id, asset, weight: weight)
      }
    } catch {
      parts[id] = nil
      return .failed(connection, replyTo: replyTo, id, told(error), weight: weight)
    }
  }

  private mutating func open(_ id: UploadID, _ asset: Asset) throws -> Progress {
    let name = UploadParts.name(of: id)
    try unfinished.requireRoom(for: asset, of: id, open: openNames)
    parts[id] = nil
    unfinished.makeRoom(for: id, open: openNames)
    var part = try files.part(named: name)
    if part.byteCount > asset.byteCount {
      part.discard()
      part = try files.part(named: name)
    }
    parts[id] = part
    return try progress(of: part, id, asset)
  }

  private mutating func append(
    _ piece: AssetPiece, _ id: UploadID, _ asset: Asset
  ) throws -> Progress {
    guard let part = parts[id], part.byteCount == piece.offset else {
      throw RecordsError(
        .serviceUnavailable, "The upload was ended meanwhile.", hint: "Offer the file again.",
        retryAfterSeconds: 0)
    }
    try part.append(piece.content)
    return try progress(of: part, id, asset)
  }

  private mutating func progress(
    of part: AssetPart, _ id: UploadID, _ asset: Asset
  ) throws -> Progress {
    guard part.byteCount == asset.byteCount else { return .waiting(offset: part.byteCount) }
    parts[id] = nil
    try files.publish(part, as: asset)
    return .completed(asset)
  }

  private mutating func close(_ id: UploadID) -> AssetResult? {
    parts[id] = nil
    return nil
  }

  private func settle(_ digest: AssetDigest) -> AssetResult? {
    files.unpin(digest)
    return nil
  }

  /// The uploads that devices are sending, by the names of their parts.
  private var openNames: Set<String> { Set(parts.keys.map(UploadParts.name)) }

  // MARK: Going

  private mutating func read(
    _ fetch: AssetFetch, for identity: SessionIdentity, _ connection: ConnectionID,
    _ replyTo: UInt64
  ) -> AssetResult {
    do {
      guard try store.asset(fetch.digest, in: fetch.zone, for: identity) != nil else {
        throw RecordsError(
          .assetNotAvailable, "No record of this zone names the file \(fetch.digest).",
          hint: "The record has changed, or the zone is no longer shared with this account.")
      }
      let isOpen = contents.isOpen(fetch.digest, atSeconds: Self.seconds())
      guard try isOpen || !store.isLost(fetch.digest) else {
        return .lost(connection, replyTo: replyTo, fetch.digest, .lost(fetch.digest), isNews: false)
      }
      guard let content = try content(of: fetch.digest) else {
        return .lost(connection, replyTo: replyTo, fetch.digest, .lost(fetch.digest), isNews: true)
      }
      guard let bytes = try bytes(of: content, for: fetch) else {
        return .lost(connection, replyTo: replyTo, fetch.digest, .lost(fetch.digest), isNews: true)
      }
      guard !bytes.isEmpty else {
        throw RecordsError.invalid(
          "The file has \(content.byteCount) bytes; there is none at \(fetch.offset).")
      }
      return .piece(
        connection, replyTo: replyTo,
        AssetPiece(digest: fetch.digest, offset: fetch.offset, content: bytes))
    } catch {
      return .unreadable(connection, replyTo: replyTo, told(error))
    }
  }

  /// A piece of a file; `nil` where the disk does not give it back, as it does not give back a file that
  /// is damaged.
  private mutating func bytes(
    of content: AssetContent, for fetch: AssetFetch
  ) throws -> ArraySlice<UInt8>? {
    do {
      return try content.bytes(from: fetch.offset, count: fetch.byteCount)
    } catch {
      guard error.kind == .damaged else { throw error }
      contents.forget(fetch.digest)
      return nil
    }
  }

  /// The content of a file that a row has; `nil` where it is gone or damaged, which is logged.
  private mutating func content(of digest: AssetDigest) throws -> AssetContent? {
    do {
      return try contents.content(of: digest, atSeconds: Self.seconds())
    } catch let error as RecordsError where error.code == .assetNotAvailable {
      comparison.logLoss(of: digest, error)
      return nil
    }
  }

  private static func seconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec
  }

  // MARK: Comparing

  /// Looks which files behind a digest are there at all; see `AssetComparison.glance`.
  mutating func glance(after digest: AssetDigest?) -> (AssetResult, next: AssetDigest?) {
    let (result, next) = comparison.glance(after: digest)
    forgetLosses(in: result)
    return (result, next)
  }

  /// Compares some files with their names; see `AssetComparison.compareContents`.
  mutating func compareContents() -> AssetResult {
    let result = comparison.compareContents()
    forgetLosses(in: result)
    return result
  }

  private mutating func forgetLosses(in result: AssetResult) {
    guard case .compared(let lost, _) = result else { return }
    for digest in lost { contents.forget(digest) }
  }

  // MARK: Cleaning up

  /// Removes uploads that no device has gone on with.
  func removeStaleParts() {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    unfinished.removeStale(atSeconds: now.tv_sec, open: openNames)
  }

  /// Removes the files of one directory that no row knows.
  func sweep(directory: UInt8) {
    let digests = files.unpinned(inDirectory: directory)
    guard !digests.isEmpty else { return }
    do {
      let entered = try store.entered(digests)
      let unknown = digests.filter { !entered.contains($0) }
      for digest in unknown { files.remove(digest) }
      if !unknown.isEmpty {
        logger.info("files without a row removed", metadata: ["files": "\(unknown.count)"])
      }
    } catch {
      logger.error("files were not swept", metadata: ["reason": "\(error.logText)"])
    }
  }

  /// What is told of a failure: the disk's path is nobody else's business, but it is logged.
  private func told(_ error: any Error) -> RecordsError {
    if let error = error as? RecordsError { return error }
    report(error)
    let isFull = (error as? StoreError)?.kind == .full
    return RecordsError(
      .serviceUnavailable,
      isFull ? "The broker's disk has no room for the file." : "The broker's disk failed.",
      hint: "Try again later; its administrator can see why.", retryAfterSeconds: 60)
  }
}

extension RecordsError {
  /// What is told who asks for a lost file.
  fileprivate static func lost(_ digest: AssetDigest) -> RecordsError {
    RecordsError(
      .assetNotAvailable, "The broker has lost the file \(digest): it is gone or damaged.",
      hint: "Devices that have it are asked for it; its administrator can see why.",
      reason: "damaged")
  }
}
