// Verifies the broker's assets against their digests. At the start it checks that all files exist; then it
// reads their contents, a few files at a time, repeatedly. A loss is logged once and marked in the
// database. A page of rows is read before its files, so an asset that is collected meanwhile has no row
// left to mark.

import AssetFiles
import BrokerCore
import BrokerStore
import Logging
import Records

/// Verifies that asset files exist and match their digests. Used from one thread at a time.
struct AssetVerifier {
  let files: any CompleteFiles
  let store: any RecordStore
  let logger: Logger
  /// The asset that was verified last; `nil` at the start of a round. The first position is random, so that
  /// a broker that restarts often still verifies all assets over time.
  private var position = AssetDigest(
    bytes: (0..<AssetDigest.byteCount).map { _ in UInt8.random(in: UInt8.min...UInt8.max) })

  init(files: any CompleteFiles, store: any RecordStore, logger: Logger) {
    self.files = files
    self.store = store
    self.logger = logger
  }

  /// Logs the loss of an asset, and what was wrong with it.
  func logLoss(of digest: AssetDigest, reason: String) {
    logger.error(
      "a file is missing or damaged; the broker asks devices for it",
      metadata: ["file": "\(files.logName(of: digest))", "reason": "\(reason)"])
  }

  /// The sizes of one step: files whose length is checked, and files and bytes that are read.
  private static let filesPerPresenceStep = 1000
  private static let filesPerPage = 16
  private static let bytesPerContentStep = 16 << 20

  /// Checks that the assets after `digest` exist and have the right length.
  /// - Returns: lost and recovered assets, and the digest to continue after; `nil` after the last asset.
  func verifyPresence(after digest: AssetDigest?) -> (AssetResult, next: AssetDigest?) {
    var (lost, found): ([AssetDigest], [AssetDigest]) = ([], [])
    let assets = self.assets(after: digest, countMaximum: Self.filesPerPresenceStep)
    for one in assets where one.isLost || !isPresent(one.asset) {
      guard verify(one, &lost, &found) else { break }
    }
    return (
      .compared(lost: lost, found: found),
      assets.count == Self.filesPerPresenceStep ? assets.last?.asset.id : nil
    )
  }

  /// Reads and verifies some assets, starting after the last one read. Continues at the first asset after
  /// the last one.
  mutating func verifyContents() -> AssetResult {
    var (lost, found): ([AssetDigest], [AssetDigest]) = ([], [])
    let start = position
    var hasWrapped = start == nil
    var byteCount = 0
    scan: while byteCount < Self.bytesPerContentStep {
      let assets = self.assets(after: position, countMaximum: Self.filesPerPage)
      if assets.isEmpty {
        guard !hasWrapped else { break }
        hasWrapped = true
        position = nil
      }
      for one in assets {
        if hasWrapped, let start, one.asset.id > start { break scan }
        guard verify(one, &lost, &found) else { break scan }
        position = one.asset.id
        byteCount += one.asset.byteCount
        if byteCount >= Self.bytesPerContentStep { break }
      }
    }
    return .compared(lost: lost, found: found)
  }

  private func assets(after digest: AssetDigest?, countMaximum: Int) -> [StoredAsset] {
    do {
      return try store.storedAssets(after: digest, countMaximum: countMaximum)
    } catch {
      logger.error(
        "cannot verify files: the database failed", metadata: ["reason": "\(error.logText)"])
      return []
    }
  }

  /// Whether the file has the right length. If the disk or the database fails, `verify` finds out what is wrong.
  private func isPresent(_ asset: Asset) -> Bool { (try? files.holds(asset)) ?? false }

  /// Returns `false` if the database cannot be reached. Each further file could then wait for a connection.
  private func verify(
    _ entry: StoredAsset, _ lost: inout [AssetDigest], _ found: inout [AssetDigest]
  ) -> Bool {
    let digest = entry.asset.id
    do {
      try files.verify(digest)
      guard entry.isLost else { return true }
      logger.info(
        "a lost file was recovered", metadata: ["file": "\(files.logName(of: digest))"])
      found.append(digest)
    } catch let error as RecordsError where error.code == .assetNotAvailable {
      guard !entry.isLost else { return true }
      logLoss(of: digest, reason: error.message)
      lost.append(digest)
    } catch {
      logger.error("cannot read a file", metadata: ["reason": "\(error.logText)"])
      return (error as? StoreError)?.kind != .unreachable
    }
    return true
  }
}
