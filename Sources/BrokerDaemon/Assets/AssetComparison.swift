// Looks whether the broker's files are what their names say: at a start which of them are there at all,
// then a little at a time of their content, over and over. What is lost is named in the journal once; the
// mark that says so is the database's. Its rows are read before the files, so a file that is collected
// in between has no row any more when it is to be marked.

import AssetFiles
import BrokerCore
import BrokerStore
import Logging
import Records

/// The broker's files beside their names. Used from one thread at a time.
struct AssetComparison {
  let files: AssetFiles
  let store: any RecordStore
  let logger: Logger
  /// Behind which file reading goes on; at first anywhere, so that a broker that is started often comes
  /// to all of them.
  private var place = AssetDigest(
    bytes: (0..<AssetDigest.byteCount).map { _ in UInt8.random(in: UInt8.min...UInt8.max) })

  init(files: AssetFiles, store: any RecordStore, logger: Logger) {
    self.files = files
    self.store = store
    self.logger = logger
  }

  /// Names a file that is lost.
  func logLoss(of digest: AssetDigest, _ error: RecordsError) {
    logger.error(
      "a file is lost; devices that have it are asked for it",
      metadata: ["file": "\(files.path(of: digest))", "reason": "\(error.message)"])
  }

  /// What a step of comparing looks at: files by their lengths, or bytes.
  private static let filesPerGlance = 1000
  private static let filesPerLook = 16
  private static let bytesPerComparison = 16 << 20

  /// Looks which of the files behind a digest are there at all, as long as they should be.
  /// - Returns: what was found, and behind which digest to go on; `nil` at the end.
  func glance(after digest: AssetDigest?) -> (AssetResult, next: AssetDigest?) {
    var (lost, found): ([AssetDigest], [AssetDigest]) = ([], [])
    let kept = self.kept(after: digest, countMaximum: Self.filesPerGlance)
    for one in kept where one.isLost || !files.holds(one.asset) {
      compare(one, &lost, &found)
    }
    return (
      .compared(lost: lost, found: found),
      kept.count == Self.filesPerGlance ? kept.last?.asset.id : nil
    )
  }

  /// Reads some files whole, those behind the ones read last, and begins again behind the last of all.
  mutating func compareContents() -> AssetResult {
    var (lost, found): ([AssetDigest], [AssetDigest]) = ([], [])
    let start = place
    var hasTurned = start == nil
    var byteCount = 0
    reading: while byteCount < Self.bytesPerComparison {
      let kept = self.kept(after: place, countMaximum: Self.filesPerLook)
      if kept.isEmpty {
        guard !hasTurned else { break }
        hasTurned = true
        place = nil
      }
      for one in kept {
        if hasTurned, let start, one.asset.id > start { break reading }
        compare(one, &lost, &found)
        place = one.asset.id
        byteCount += one.asset.byteCount
        if byteCount >= Self.bytesPerComparison { break }
      }
    }
    return .compared(lost: lost, found: found)
  }

  private func kept(after digest: AssetDigest?, countMaximum: Int) -> [KeptAsset] {
    do {
      return try store.keptAssets(after: digest, countMaximum: countMaximum)
    } catch {
      logger.error("files were not compared", metadata: ["reason": "\(error.logText)"])
      return []
    }
  }

  private func compare(
    _ kept: KeptAsset, _ lost: inout [AssetDigest], _ found: inout [AssetDigest]
  ) {
    let digest = kept.asset.id
    do {
      _ = try files.open(digest)
      guard kept.isLost else { return }
      logger.info(
        "a file that was lost is back", metadata: ["file": "\(files.path(of: digest))"])
      found.append(digest)
    } catch let error as RecordsError where error.code == .assetNotAvailable {
      guard !kept.isLost else { return }
      logLoss(of: digest, error)
      lost.append(digest)
    } catch {
      logger.error("a file could not be read", metadata: ["reason": "\(error.logText)"])
    }
  }
}
