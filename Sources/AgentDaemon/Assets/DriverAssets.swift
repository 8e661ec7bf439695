// The driver's part in files: what the replica says is to be read or written goes to the thread that
// has them, and what came of it back to the replica. Whatever a connection that is gone still had
// under way is not listened to.

import AssetFiles
import BrokerLinks
import DeviceStore
import Logging
import NIOCore
import Records

extension AgentDriver {
  /// Does what an action about files says.
  func perform(_ action: FileAction) {
    switch action {
    case .send(let id, let asset, let offset, let byteCount):
      send(asset, offset: offset, byteCount: byteCount, as: id)
    case .open(let asset):
      let attempt = attempt
      assets.openIncoming(asset, on: loop) { [weak self] result in
        self?.assumeIsolated { $0.came(result, asset, attempt) }
      }
    case .append(let asset, let piece):
      let attempt = attempt
      assets.append(piece, to: asset, on: loop) { [weak self] result in
        self?.assumeIsolated { $0.came(result, asset, attempt) }
      }
    }
  }

  private func send(_ asset: Asset, offset: Int, byteCount: Int, as id: UInt64) {
    let attempt = attempt
    assets.read(asset, from: offset, count: byteCount, on: loop) { [weak self] result in
      self?.assumeIsolated { driver in
        guard driver.attempt == attempt else { return }
        switch result {
        case .success(let bytes) where bytes.count == byteCount:
          driver.link?.send(
            id, .assetPiece(AssetPiece(digest: asset.id, offset: offset, content: bytes)))
        case .success:
          driver.act {
            try driver.replica.unreadable(
              asset,
              RecordsError(.assetNotAvailable, "The file \(asset.id) is shorter than it was."),
              now: $0)
          }
        case .failure(let error):
          driver.act { try driver.replica.unreadable(asset, error, now: $0) }
        }
      }
    }
  }

  private func came(
    _ result: Result<AgentAssets.Progress, RecordsError>, _ asset: Asset, _ attempt: UInt64
  ) {
    switch result {
    // NB: a file that is whole is entered whatever became of the connection.
    case .success(.arrived):
      arrivals.append(asset)
      if arrivals.count == 1 {
        loop.scheduleTask(in: Self.arrivalsWait) { [weak self] in
          self?.assumeIsolated { $0.enterArrivals() }
        }
      }
    case .success(.waiting(let byteCount)):
      guard self.attempt == attempt else { return }
      act { replica.reached(asset, byteCount: byteCount, now: $0) }
    case .failure(let error):
      fetches.end(asset.id, because: error)
      guard self.attempt == attempt else { return }
      act { try replica.failed(asset, error, now: $0) }
    }
  }

  /// How long a file that has come waits for others, with which it shares a transaction: a disk takes as
  /// long for one as for a few.
  private static let arrivalsWait = TimeAmount.milliseconds(10)

  private func enterArrivals() {
    let assets = arrivals
    arrivals = []
    act { try replica.arrived(assets, now: $0) }
    for asset in assets {
      // What nobody wants any more was not entered, and goes.
      release(asset)
      fetches.end(asset.id, because: nil)
    }
  }

  // MARK: For those who keep and look

  /// Files that are wanted here and that the broker has lost, as far as it said so.
  var lostAssets: [AssetDigest] { replica.lostAssets }

  /// A file that was pinned by keeping it has its row now, or will have none.
  func release(_ asset: Asset) {
    assets.files.unpin(asset.id)
    do {
      if try !reader.isHere(asset) { assets.files.remove(asset.id) }
    } catch {
      logger.error("Cannot delete an unused file", metadata: ["error": "\(error.logText)"])
    }
  }

  /// Begins to wait for a file that is not here; the stream yields once: `nil` when it is here, or
  /// why it will not come.
  func beginFetch(
    _ asset: Asset, in zone: ZoneID
  ) throws -> (id: UInt64, done: AsyncStream<RecordsError?>) {
    let wait = fetches.begin(asset.id)
    do {
      perform(try replica.want(asset, in: zone, now: SystemClock.now()))
    } catch {
      fetches.forget(asset.id, wait.id)
      throw error
    }
    return wait
  }

  /// Gives such a wait up, or forgets one that is over.
  func endFetch(_ asset: Asset, _ id: UInt64) {
    fetches.forget(asset.id, id)
  }

  /// A file that should be here is not, or is damaged: it is forgotten, so that it can be fetched.
  func lost(_ asset: Asset) throws {
    perform(try replica.lost(asset, now: SystemClock.now()))
    assets.files.remove(asset.id)
  }

  // MARK: Collecting

  /// Sweeps what a crash left, and removes from time to time what nothing needs.
  func tendAssets() {
    let reader = reader
    assets.sweep { try reader.entered($0) }
    forgetParts()
    collection = loop.scheduleRepeatedTask(initialDelay: .minutes(1), delay: .minutes(10)) {
      [weak self] _ in self?.assumeIsolated { $0.collectAssets() }
    }
  }

  /// Removes what is half here of files that are not to be fetched any more.
  func forgetParts() {
    let reader = reader
    assets.forgetParts { try reader.wanted($0) }
  }

  /// Removes files that nothing needs any more, step by step, so that everything else gets its turn.
  func collectAssets() {
    do {
      // Nothing comes between the rows' end and the files': both are this executor's.
      let digests = try replica.collectAssets(now: SystemClock.now())
      for digest in digests { assets.files.remove(digest) }
      guard digests.count == DeviceLimits.assetsPerCollection else { return }
      loop.scheduleTask(in: .milliseconds(20)) { [weak self] in
        self?.assumeIsolated { $0.collectAssets() }
      }
    } catch {
      logger.error("Cannot delete unused files", metadata: ["error": "\(error.logText)"])
    }
  }
}

/// Those who wait for files.
struct AssetFetches {
  private typealias Continuation = AsyncStream<RecordsError?>.Continuation

  private var waiting: [AssetDigest: [UInt64: Continuation]] = [:]
  private var last: UInt64 = 0

  /// Begins a wait.
  mutating func begin(_ digest: AssetDigest) -> (id: UInt64, done: AsyncStream<RecordsError?>) {
    last += 1
    let (stream, continuation) = AsyncStream.makeStream(
      of: RecordsError?.self, bufferingPolicy: .bufferingNewest(1))
    waiting[digest, default: [:]][last] = continuation
    return (last, stream)
  }

  /// Ends all waits for a file.
  mutating func end(_ digest: AssetDigest, because error: RecordsError?) {
    for continuation in (waiting.removeValue(forKey: digest) ?? [:]).values {
      continuation.yield(error)
      continuation.finish()
    }
  }

  /// Gives one wait up.
  mutating func forget(_ digest: AssetDigest, _ id: UInt64) {
    waiting[digest]?.removeValue(forKey: id)?.finish()
    if waiting[digest]?.isEmpty == true { waiting[digest] = nil }
  }
}
