// The driver's part in files: file actions of the replica go to the thread of the files, and the results go back to
// the replica. Results of an earlier connection are discarded, except that complete files are always entered.

import AssetFiles
import BrokerLinks
import DeviceStore
import Logging
import NIOCore
import Records
import SyncCore

/// Files that were downloaded completely and have no row yet. They wait a few milliseconds for each other, because a
/// transaction takes the disk as long for one file as for several.
struct CompletedDownloads {
  /// How long a file waits for others.
  static let delay = TimeAmount.milliseconds(10)

  private var assets: [Asset] = []

  /// Adds a file.
  /// - Returns: whether it is the first, so that the caller must schedule the transaction.
  mutating func add(_ asset: Asset) -> Bool {
    assets.append(asset)
    return assets.count == 1
  }

  /// Removes and returns all files.
  mutating func takeAll() -> [Asset] {
    defer { assets = [] }
    return assets
  }
}

extension ReplicaDriver {
  /// Starts a file action of the replica.
  func perform(_ action: FileAction) {
    let attempt = connection.attempt
    switch action {
    case .send(let id, let asset, let offset, let byteCount):
      files.read(asset, from: offset, count: byteCount, on: loop) { [weak self] result in
        self?.assumeIsolated { driver in
          guard driver.connection.attempt == attempt else { return }
          driver.send(asset, result, offset: offset, byteCount: byteCount, id: id)
        }
      }
    case .open(let asset):
      files.openDownload(of: asset, on: loop) { [weak self] result in
        self?.assumeIsolated { $0.continueDownload(of: asset, result, attempt) }
      }
    case .append(let asset, let chunk):
      files.append(chunk, to: asset, on: loop) { [weak self] result in
        self?.assumeIsolated { $0.continueDownload(of: asset, result, attempt) }
      }
    }
  }

  private func send(
    _ asset: Asset, _ result: Result<ArraySlice<UInt8>, RecordsError>, offset: Int,
    byteCount: Int, id: UInt64
  ) {
    switch result {
    case .success(let bytes) where bytes.count == byteCount:
      connection.send(
        id, .assetPiece(AssetPiece(digest: asset.id, offset: offset, content: bytes)))
    case .success:
      let error = RecordsError(
        .assetNotAvailable, "The file \(asset.id) is shorter than it was.")
      act { try replica.unreadable(asset, error, now: $0) }
    case .failure(let error):
      act { try replica.unreadable(asset, error, now: $0) }
    }
  }

  private func continueDownload(
    of asset: Asset, _ result: Result<FileDownload, RecordsError>, _ attempt: UInt64
  ) {
    switch result {
    // NB: a complete file is entered whatever happened to the connection.
    case .success(.complete):
      guard downloads.add(asset) else { return }
      loop.scheduleTask(in: CompletedDownloads.delay) { [weak self] in
        self?.assumeIsolated { $0.enterDownloads() }
      }
    case .success(.incomplete(let byteCount)):
      guard connection.attempt == attempt else { return }
      act { replica.reached(asset, byteCount: byteCount, now: $0) }
    case .failure(let error):
      waits.files.end(asset.id, because: error)
      guard connection.attempt == attempt else { return }
      act { try replica.failed(asset, error, now: $0) }
    }
  }

  private func enterDownloads() {
    let assets = downloads.takeAll()
    act { try replica.arrived(assets, now: $0) }
    for asset in assets {
      // A file that is no longer wanted got no row; `release` deletes it.
      release(asset)
      waits.files.end(asset.id, because: nil)
    }
  }
}

// MARK: For callers

extension ReplicaDriver {
  /// How many seconds a caller waits for a download unless it sets another limit.
  package static let downloadSeconds = 30.0

  /// Opens a file, and downloads it first if it is not here or damaged.
  /// - Returns: its length; `files.bytes(of:from:count:)` returns its bytes.
  /// - Throws: `serviceUnavailable` if the download is not complete within `waitSeconds`; the broker's error if it
  ///   does not have the file; `requestRateLimited` if too many callers wait; `StoreError`.
  package nonisolated func open(
    _ asset: Asset, in zone: ZoneID, waitSeconds: Double = downloadSeconds
  ) async throws -> Int {
    if try reader.isHere(asset) {
      do {
        return try await files.open(asset.id)
      } catch let error as RecordsError where error.code == .assetNotAvailable {
        logger.error(
          "A file is missing or damaged; it is downloaded again",
          metadata: ["error": "\(error.message)"])
        try await discard(asset)
      }
    }
    try await download(asset, in: zone, waitSeconds: waitSeconds)
    return try await files.open(asset.id)
  }

  private nonisolated func download(
    _ asset: Asset, in zone: ZoneID, waitSeconds: Double
  ) async throws {
    guard let wait = try await beginDownload(asset, in: zone) else { return }
    let result = await Deadline(seconds: waitSeconds).first(of: wait.results)
    await endDownload(asset, wait.id)
    switch result {
    case .some(nil): return
    case .some(let error?): throw error
    case nil:
      throw RecordsError(
        .serviceUnavailable, "The file is not downloaded yet; this device is \(phase).",
        hint: "It will be downloaded as soon as the broker can be reached.", retryAfterSeconds: 5)
    }
  }

  /// Begins to wait for a download. Returns `nil` if the file is here.
  func beginDownload(_ asset: Asset, in zone: ZoneID) throws -> FileWaits.Wait? {
    // NB: it may have arrived since the caller looked, which ended the waits of that time.
    guard try !reader.isHere(asset) else { return nil }
    let wait = try waits.files.begin(asset.id)
    do {
      perform(try replica.want(asset, in: zone, now: environment.now()))
    } catch {
      waits.files.end(wait.id, for: asset.id)
      throw error
    }
    return wait
  }

  private func endDownload(_ asset: Asset, _ id: UInt64) {
    waits.files.end(id, for: asset.id)
  }

  /// Deletes a damaged file and its row, so that it can be downloaded again.
  func discard(_ asset: Asset) throws {
    perform(try replica.lost(asset, now: environment.now()))
    files.disk.remove(asset.id)
  }

  /// The files that this device needs and that the broker has lost, as far as it reported them on the present
  /// connection.
  package var lostAssets: [AssetDigest] { replica.lostAssets }

  /// Returns how many bytes of a file are downloaded; `nil` if it is not being downloaded.
  package func downloadedBytes(of asset: Asset) -> Int? { replica.fetchedBytes(of: asset.id) }
}
