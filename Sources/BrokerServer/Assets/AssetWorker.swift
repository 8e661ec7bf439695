// Reads and writes the broker's assets: appends the chunks of uploads, and reads chunks for accounts that
// may have them. A partial upload survives disconnects and restarts and can be resumed. The number and age
// of an account's partial uploads are limited.

import AssetFiles
import BrokerCore
import BrokerStore
import Glibc
import Logging
import Records

/// The asset files, open uploads and open downloads. Used from one thread at a time.
struct AssetWorker {
  /// The directory of unfinished uploads.
  private let uploads: AssetFiles
  private let files: any CompleteFiles
  private let store: any RecordStore
  private let logger: Logger
  private let report: FailureReport
  private var parts: [UploadID: AssetPart] = [:]
  private let unfinished: PartialUploads
  private var contents: AssetContents
  /// Verifies stored assets against their digests.
  private var verifier: AssetVerifier

  init(
    uploads: AssetFiles, files: any CompleteFiles, store: any RecordStore, logger: Logger,
    report: @escaping FailureReport
  ) {
    self.report = report
    self.uploads = uploads
    self.files = files
    self.store = store
    self.logger = logger
    contents = AssetContents(of: files)
    unfinished = PartialUploads(files: uploads)
    verifier = AssetVerifier(files: files, store: store, logger: logger)
  }

  /// Performs a request. Failures are part of the result.
  mutating func perform(_ request: AssetRequest) -> AssetResult? {
    switch request {
    case .open(let id, let asset, let context):
      result(id, context) {
        switch try $0.open(id, asset) {
        case .incomplete(let offset): .opened(id, offset: offset, context)
        case .completed: .completed(id, asset, context)
        }
      }
    case .append(let id, let asset, let chunk, let context):
      result(id, context) {
        switch try $0.append(chunk, id, asset) {
        case .incomplete(let offset): .appended(id, offset: offset, context)
        case .completed: .completed(id, asset, context)
        }
      }
    case .close(let id):
      close(id)
    case .settle(let digest):
      settle(digest)
    case .read(let fetch, let context): read(fetch, context)
    case .removeStaleUploads: removeStaleUploads()
    }
  }

  // MARK: Uploads

  private enum Progress {
    case incomplete(offset: Int)
    case completed
  }

  private mutating func result(
    _ id: UploadID, _ context: RequestContext, _ body: (inout Self) throws -> AssetResult
  ) -> AssetResult {
    do {
      return try body(&self)
    } catch {
      parts[id] = nil
      return .failed(id, clientError(for: error), context)
    }
  }

  private mutating func open(_ id: UploadID, _ asset: Asset) throws -> Progress {
    let name = PartialUploads.name(of: id)
    try unfinished.requireRoom(for: asset, of: id, open: openNames)
    parts[id] = nil
    unfinished.makeRoom(for: id, open: openNames)
    var part = try uploads.part(named: name)
    if part.byteCount > asset.byteCount {
      part.discard()
      part = try uploads.part(named: name)
    }
    parts[id] = part
    return try progress(of: part, id, asset)
  }

  private mutating func append(
    _ chunk: AssetPiece, _ id: UploadID, _ asset: Asset
  ) throws -> Progress {
    guard let part = parts[id], part.byteCount == chunk.offset else {
      throw RecordsError(
        .serviceUnavailable, "The upload was interrupted.", hint: "Upload the file again.",
        retryAfterSeconds: 0)
    }
    try part.append(chunk.content)
    return try progress(of: part, id, asset)
  }

  private mutating func progress(
    of part: AssetPart, _ id: UploadID, _ asset: Asset
  ) throws -> Progress {
    guard part.byteCount == asset.byteCount else { return .incomplete(offset: part.byteCount) }
    parts[id] = nil
    try files.publish(part, as: asset)
    return .completed
  }

  private mutating func close(_ id: UploadID) -> AssetResult? {
    parts[id] = nil
    return nil
  }

  private func settle(_ digest: AssetDigest) -> AssetResult? {
    files.unpin(digest)
    return nil
  }

  /// The names of the parts that devices are uploading.
  private var openNames: Set<String> { Set(parts.keys.map(PartialUploads.name)) }

  // MARK: Downloads

  private mutating func read(
    _ fetch: AssetFetch, _ context: RequestContext
  ) -> AssetResult {
    do {
      guard try store.asset(fetch.digest, in: fetch.zone, for: context.identity) != nil else {
        throw RecordsError(
          .assetNotAvailable, "No record of this zone refers to the file \(fetch.digest).",
          hint: "The record has changed, or the zone is no longer shared with this account.")
      }
      let isOpen = contents.isOpen(fetch.digest, atSeconds: Self.seconds())
      guard try isOpen || !store.isLost(fetch.digest) else {
        return .lost(.lost(fetch.digest), isNews: false, fetch, context)
      }
      guard let content = try content(of: fetch.digest) else {
        return .lost(.lost(fetch.digest), isNews: true, fetch, context)
      }
      guard let bytes = try bytes(of: content, for: fetch) else {
        return .lost(.lost(fetch.digest), isNews: true, fetch, context)
      }
      guard !bytes.isEmpty else {
        throw RecordsError.invalid(
          "The offset \(fetch.offset) is past the end of the file (\(content.byteCount) bytes).")
      }
      return .read(
        AssetPiece(digest: fetch.digest, offset: fetch.offset, content: bytes), fetch, context)
    } catch {
      return .unreadable(clientError(for: error), fetch, context)
    }
  }

  /// Reads a chunk. If it is damaged or cannot be read, logs the loss of the file and returns `nil`.
  private mutating func bytes(
    of content: any AssetContent, for fetch: AssetFetch
  ) throws -> ArraySlice<UInt8>? {
    do {
      return try content.bytes(from: fetch.offset, count: fetch.byteCount)
    } catch {
      guard error.kind == .damaged else { throw error }
      contents.forget(fetch.digest)
      verifier.logLoss(of: fetch.digest, reason: error.message)
      return nil
    }
  }

  /// Opens the content of an asset. If its file is missing or damaged, logs the loss and returns `nil`.
  private mutating func content(of digest: AssetDigest) throws -> (any AssetContent)? {
    do {
      return try contents.content(of: digest, atSeconds: Self.seconds())
    } catch let error as RecordsError where error.code == .assetNotAvailable {
      verifier.logLoss(of: digest, reason: error.message)
      return nil
    }
  }

  private static func seconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec
  }

  // MARK: Verification

  /// Checks that the files of a page of assets exist; see `AssetVerifier.verifyPresence`.
  mutating func verifyPresence(after digest: AssetDigest?) -> (AssetResult, next: AssetDigest?) {
    let (result, next) = verifier.verifyPresence(after: digest)
    forgetLosses(in: result)
    return (result, next)
  }

  /// Verifies the contents of some assets; see `AssetVerifier.verifyContents`.
  mutating func verifyContents() -> AssetResult {
    let result = verifier.verifyContents()
    forgetLosses(in: result)
    return result
  }

  private mutating func forgetLosses(in result: AssetResult) {
    guard case .compared(let lost, _) = result else { return }
    for digest in lost { contents.forget(digest) }
  }

  // MARK: Cleanup

  /// Deletes partial uploads that no device has resumed for a day.
  private func removeStaleUploads() -> AssetResult? {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    unfinished.removeStale(atSeconds: now.tv_sec, open: openNames)
    return nil
  }

  /// Deletes the files that no account has, of those whose digests begin with the byte `directory`.
  func sweep(directory: UInt8) {
    do {
      let digests = try files.unpinned(inDirectory: directory)
      guard !digests.isEmpty else { return }
      let registered = try store.registered(digests)
      let unknown = digests.filter { !registered.contains($0) }
      try files.remove(unknown)
      if !unknown.isEmpty {
        logger.info(
          "deleted files that the database does not list",
          metadata: ["files": "\(unknown.count)"])
      }
    } catch {
      logger.error(
        "cannot delete files that the database does not list",
        metadata: ["reason": "\(error.logText)"])
    }
  }

  /// Returns the error to send to the client. Details such as paths on disk are only logged.
  private func clientError(for error: any Error) -> RecordsError {
    if let error = error as? RecordsError { return error }
    report(error)
    let isFull = (error as? StoreError)?.kind == .full
    return RecordsError(
      .serviceUnavailable,
      isFull ? "The broker's disk is full." : "The broker cannot use its disk.",
      hint: "Try again later. The broker's log has the reason.", retryAfterSeconds: 60)
  }
}

extension RecordsError {
  /// The error for a client that asks for a lost file.
  fileprivate static func lost(_ digest: AssetDigest) -> RecordsError {
    RecordsError(
      .assetNotAvailable, "The broker has lost the file \(digest): it is missing or damaged.",
      hint: "The broker asks devices for it. The broker's log has the reason.",
      reason: "damaged")
  }
}
