import AssetFiles
import BrokerStore
import Records

/// The asset files that a store's rows name, and their way from one place to another.
package struct CopiedFiles {
  /// The rows that are read at once.
  private static let rowsPerPage = 1000

  /// The files of a copy.
  package struct Count: Hashable, Sendable {
    /// The files that are intact at the target.
    package fileprivate(set) var files = 0
    /// Their bytes.
    package fileprivate(set) var bytes = 0
    /// The files that the broker knows to be lost, and that are missing or damaged at the source.
    package fileprivate(set) var lost = 0
  }

  /// The database with the rows.
  let rows: any CopyDatabase
  /// The files of the source.
  let source: any CompleteFiles
  /// The files of the copy.
  let target: any CompleteFiles

  /// Copies the files that the target does not have, and compares each file there with its digest.
  /// - Parameter observe: Is called after each file that was written.
  /// - Throws: `Refusal`, if files are missing or damaged. All others are copied then.
  func copy(_ observe: (Asset) throws -> Void) throws -> Count {
    var count = Count()
    var missing: [AssetDigest] = []
    var last: AssetDigest?
    while true {
      let page = try files(after: last)
      guard let end = page.last else { break }
      for file in page {
        do {
          if try copy(file.asset) { try observe(file.asset) }
          count.files += 1
          count.bytes += file.asset.byteCount
        } catch is SourceLoss {
          // The broker asks devices for a file that it knows to be lost, at the target as at the source.
          if file.isLost { count.lost += 1 } else { missing.append(file.asset.id) }
        }
      }
      last = end.asset.id
    }
    guard let first = missing.first else { return count }
    throw StoreCopy.Refusal.lostFiles(first: source.logName(of: first), count: missing.count)
  }

  private func files(after last: AssetDigest?) throws -> [StoredAsset] {
    try rows.read {
      try LostAssetTable(db: $0).files(after: last, countMaximum: Self.rowsPerPage)
    }
  }

  /// Makes sure that the target has the file, intact. Returns whether it was written.
  private func copy(_ asset: Asset) throws -> Bool {
    guard try !isIntact(asset) else { return false }
    let content = try reading { try source.open(asset.id, verified: nil) }
    guard content.byteCount == asset.byteCount else { throw SourceLoss() }
    try target.add(asset) { offset, count in
      Array(try reading { try content.bytes(from: offset, count: count) })
    }
    target.unpin(asset.id)
    guard try isIntact(asset) else {
      throw StoreCopy.Refusal.fileDiffers(target.logName(of: asset.id))
    }
    return true
  }

  private func isIntact(_ asset: Asset) throws -> Bool {
    guard try target.holds(asset) else { return false }
    do {
      try target.verify(asset.id)
      return true
    } catch let error as RecordsError where error.code == .assetNotAvailable {
      return false
    }
  }

  // MARK: Losses

  /// Thrown for a file of the source that is missing or damaged.
  private struct SourceLoss: Error {}

  /// Runs `body`, which reads from the source.
  private func reading<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as RecordsError where error.code == .assetNotAvailable {
      throw SourceLoss()
    } catch let error as StoreError where error.kind == .damaged {
      throw SourceLoss()
    }
  }
}
