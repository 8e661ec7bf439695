import Crypto
import Records

extension Database {
  /// Uploads a file so that records can refer to it. CloudKit: `CKAsset(fileURL:)` in a save.
  ///
  /// Upload a file before you save the record that refers to it. If the broker already has the file from this
  /// account, the content is not sent. The broker deletes a file to which no record refers after one day.
  /// - Throws: `limitExceeded` if the file is larger than the broker allows (50 MiB by default);
  ///   `quotaExceeded`.
  public func upload(_ content: [UInt8]) async throws(RecordsError) -> Asset {
    let asset = Asset(digest: Array(SHA256.hash(data: content)), byteCount: content.count)
    var status = try await offer(asset)
    var offers = 1
    let chunkBytes = try await session.welcome().assetPieceBytes
    while !status.isHeld {
      let end = min(status.offset + chunkBytes, content.count)
      let chunk = AssetPiece(
        digest: asset.stored.id, offset: status.offset,
        content: content[status.offset..<end])
      do throws(RecordsError) {
        status = try await self.status(after: .assetPiece(chunk))
      } catch {
        // NB: after a reconnection the file must be offered again; the upload then continues at the
        // offset that the broker reports.
        guard error.reason == "notOffered" || error.reason == "wrongOffset", offers < 10 else {
          throw error
        }
        offers += 1
        status = try await offer(asset)
      }
    }
    return asset
  }

  /// Downloads the content of an asset and verifies it against the asset's digest.
  /// - Parameters:
  ///   - asset: An asset that a record of the zone refers to.
  ///   - zone: The zone of that record.
  /// - Throws: `assetNotAvailable` if the broker does not have the file, if no record of the zone refers
  ///   to it, or if the content does not match the digest.
  public func content(
    of asset: Asset, inZone zone: ZoneID = .standard
  ) async throws(RecordsError) -> [UInt8] {
    let zoneID = try storedZone(zone)
    var content: [UInt8] = []
    while content.count < asset.byteCount {
      let fetch = AssetFetch(
        zone: zoneID, digest: asset.stored.id, offset: content.count)
      guard case .assetPiece(let chunk) = try await session.ask(.fetchAsset(fetch)),
        chunk.offset == content.count, !chunk.content.isEmpty
      else { throw Self.unexpectedAnswer }
      content += chunk.content
    }
    guard Array(SHA256.hash(data: content)) == asset.digest else {
      throw RecordsError(
        .assetNotAvailable, "The broker sent a different file.", hint: "Download it again.")
    }
    return content
  }

  private func offer(_ asset: Asset) async throws(RecordsError) -> AssetStanding {
    try await status(after: .offerAsset(asset.stored))
  }

  private func status(
    after message: ClientMessage
  ) async throws(RecordsError) -> AssetStanding {
    guard case .assetStanding(let status) = try await session.ask(message) else {
      throw Self.unexpectedAnswer
    }
    return status
  }
}
