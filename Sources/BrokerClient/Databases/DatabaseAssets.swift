// Files beside the database: sent before the record that names them, fetched by what it says.

import Crypto
import Records

extension Database {
  /// Sends a file, so that records may name it; costs little where the account has sent it before.
  /// A file that no record names goes after a day. CloudKit: `CKAsset(fileURL:)` in a save.
  /// - Throws: `limitExceeded` beyond what the broker takes (50 MiB, unless set otherwise);
  ///   `quotaExceeded`.
  public func upload(_ content: [UInt8]) async throws(RecordError) -> Asset {
    let asset = Asset(digest: Array(SHA256.hash(data: content)), byteCount: content.count)
    var standing = try await offer(asset)
    var offers = 1
    let pieceBytes = try await session.welcome().assetPieceBytes
    while !standing.isHeld {
      let end = min(standing.offset + pieceBytes, content.count)
      let piece = AssetPiece(
        digest: asset.stored.id, offset: standing.offset,
        content: content[standing.offset..<end])
      do throws(RecordError) {
        standing = try await self.standing(after: .assetPiece(piece))
      } catch {
        // NB: on another connection a file has to be offered again, and goes on where it stopped.
        guard error.reason == "notOffered" || error.reason == "wrongOffset", offers < 10 else {
          throw error
        }
        offers += 1
        standing = try await offer(asset)
      }
    }
    return asset
  }

  /// The content of a file that a record of the zone names, compared with its digest.
  /// - Throws: `assetNotAvailable` where the broker does not have it, or no record of the zone names
  ///   it.
  public func content(
    of asset: Asset, inZone zone: ZoneID = .standard
  ) async throws(RecordError) -> [UInt8] {
    let place = try place(of: zone)
    var content: [UInt8] = []
    while content.count < asset.byteCount {
      let question = AssetFetch(
        zone: place, digest: asset.stored.id, offset: content.count)
      guard case .assetPiece(let piece) = try await session.ask(.fetchAsset(question)),
        piece.offset == content.count, !piece.content.isEmpty
      else { throw Self.strange }
      content += piece.content
    }
    guard Array(SHA256.hash(data: content)) == asset.digest else {
      throw RecordError(
        .assetNotAvailable, "The broker sent a different file.", hint: "Ask again.")
    }
    return content
  }

  private func offer(_ asset: Asset) async throws(RecordError) -> AssetStanding {
    try await standing(after: .offerAsset(asset.stored))
  }

  private func standing(
    after message: ClientMessage
  ) async throws(RecordError) -> AssetStanding {
    guard case .assetStanding(let standing) = try await session.ask(message) else {
      throw Self.strange
    }
    return standing
  }
}
