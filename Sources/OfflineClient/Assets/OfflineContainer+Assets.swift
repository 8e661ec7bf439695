import AssetFiles
import BrokerClient
import ByteCounts
import DeviceDriver
import DeviceStore
import Records
import Synchronization

extension OfflineContainer {
  /// The files that can be added before a record refers to them.
  private static let newAssetsMaximum = 1_000
  /// The bytes that are read from the disk at once.
  private static let chunkBytes = 1 << 20

  /// Stores a file on this device, so that records can refer to it. CloudKit: `CKAsset(fileURL:)`.
  ///
  /// The file is durable when the function returns. It is uploaded when a record that refers to it is sent. A file
  /// to which no record refers is deleted after the container is closed.
  /// - Throws: `invalidArguments` for an empty file; `limitExceeded` for a file larger than the broker allows (50 MiB
  ///   by default), or if 1,000 files have no record; `quotaExceeded`, reason `diskFull`.
  public func addAsset(_ content: [UInt8]) async throws(RecordsError) -> Asset {
    try checkIsOpen()
    return try await RecordsError.converting {
      guard !content.isEmpty else { throw RecordsError.invalid("The file is empty.") }
      let limit = try driver.reader.assetBytesMaximum()
      guard content.count <= limit else {
        throw RecordsError(
          .limitExceeded,
          "The file is too large: \(ByteCount(content.count)); "
            + "the limit is \(ByteCount(limit).limit).")
      }
      guard newAssets.withLock({ $0.count }) < Self.newAssetsMaximum else {
        throw RecordsError(
          .limitExceeded, "Too many files without a record; the limit is \(Self.newAssetsMaximum).",
          hint: "Save the records of the files that were added.")
      }
      let asset = try await driver.files.save(content)
      let isNew = newAssets.withLock { $0.insert(asset.id).inserted }
      // Each call pins the file; one pin is enough.
      if !isNew { driver.files.disk.unpin(asset.id) }
      return Asset(asset)
    }
  }

  /// Returns the content of an asset. If the file is not on this device, it is downloaded first.
  /// - Parameters:
  ///   - asset: An asset that a record of the zone refers to.
  ///   - zone: The zone of that record.
  ///   - waitSeconds: How long to wait for a download.
  /// - Throws: `assetNotAvailable` if the broker does not have the file; `serviceUnavailable` if the download is not
  ///   complete in time. It then continues when the broker can be reached.
  public func content(
    of asset: Asset, inZone zone: ZoneID = .standard, in scope: DatabaseScope = .private,
    waitSeconds: Double = 30
  ) async throws(RecordsError) -> [UInt8] {
    let request = AssetRequest(
      asset: asset.stored, zone: scope == .public ? .public : zone.stored,
      waitSeconds: waitSeconds)
    try checkIsOpen()
    return try await RecordsError.converting { try await read(request) }
  }

  private func read(_ request: AssetRequest) async throws -> [UInt8] {
    let byteCount = try await driver.open(
      request.asset, in: request.zone, waitSeconds: request.waitSeconds)
    var content: [UInt8] = []
    content.reserveCapacity(byteCount)
    while content.count < byteCount {
      let chunk = try await driver.files.bytes(
        of: request.asset.id, from: content.count,
        count: min(Self.chunkBytes, byteCount - content.count))
      guard !chunk.isEmpty else {
        throw RecordsError(.assetNotAvailable, "The file \(request.asset.id) was shortened.")
      }
      content += chunk
    }
    return content
  }

  /// Unpins the files that records refer to now.
  func release(_ entered: Set<AssetDigest>) async {
    let released = newAssets.withLock { new in
      let released = new.intersection(entered)
      new.subtract(released)
      return released
    }
    for digest in released { driver.files.disk.unpin(digest) }
  }
}

/// What is read of a file.
///
/// NB: one value, because an unoptimized asynchronous closure whose captures do not fit into six registers may crash
/// (Swift 6.3, x86-64).
private struct AssetRequest: Sendable {
  let asset: Records.Asset
  let zone: Records.ZoneID
  let waitSeconds: Double
}
