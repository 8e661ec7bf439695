// Converts asset messages. The length of a chunk is checked here, so a chunk in later code never has
// more than `Limits.assetPieceBytes`.

import FoundationEssentials
import Records
import SwiftProtobuf

extension Asset {
  init(_ wire: WireAsset) throws(RecordsError) {
    self.init(digest: try AssetDigest(wire: wire.digest).bytes, sizeBytes: wire.sizeBytes)
  }

  var wire: WireAsset {
    .with {
      $0.digest = Data(digest)
      $0.sizeBytes = sizeBytes
    }
  }
}

extension Asset {
  /// Decodes a page of assets, at most `Limits.wantedAssetsPerPage`.
  static func list(_ wire: [WireAsset]) throws(RecordsError) -> [Asset] {
    guard wire.count <= Limits.wantedAssetsPerPage else {
      throw .limit(
        "Assets of a page", limit: Limits.wantedAssetsPerPage, actual: wire.count)
    }
    var assets: [Asset] = []
    for asset in wire { assets.append(try Asset(asset)) }
    return assets
  }
}

extension AssetDigest {
  /// Returns the digest after which a page of lost assets begins, or `nil` for the first page.
  static func after(_ wire: WireFindWantedAssets) throws(RecordsError) -> AssetDigest? {
    wire.after.isEmpty ? nil : try AssetDigest(wire: wire.after)
  }

  static func find(after digest: AssetDigest?) -> WireFindWantedAssets {
    .with { $0.after = digest?.wire ?? Data() }
  }

  fileprivate init(wire bytes: Data) throws(RecordsError) {
    guard let digest = Self(bytes: bytes) else {
      throw .invalid("An asset's digest must be a SHA-256 digest of 32 bytes.")
    }
    self = digest
  }

  fileprivate var wire: Data { Data(bytes) }
}

extension AssetPiece {
  init(_ wire: WireAssetPiece) throws(RecordsError) {
    guard !wire.content.isEmpty else { throw .invalid("A chunk of an asset is empty.") }
    guard wire.content.count <= Limits.assetPieceBytes else {
      throw .limit(
        "Bytes of a chunk of an asset", limit: Limits.assetPieceBytes, actual: wire.content.count)
    }
    self.init(
      digest: try AssetDigest(wire: wire.digest), offset: try checkedOffset(wire.offset),
      content: Array(wire.content))
  }

  var wire: WireAssetPiece {
    .with {
      $0.digest = digest.wire
      $0.offset = UInt64(offset)
      $0.content = Data(content)
    }
  }
}

extension AssetFetch {
  init(_ wire: WireFetchAsset) throws(RecordsError) {
    let asked = Int(wire.byteCount)
    self.init(
      zone: try ZoneID(wire.zone), digest: try AssetDigest(wire: wire.digest),
      offset: try checkedOffset(wire.offset),
      byteCount: asked == 0 ? Limits.assetPieceBytes : min(asked, Limits.assetPieceBytes))
  }

  var wire: WireFetchAsset {
    .with {
      $0.zone = zone.wire
      $0.digest = digest.wire
      $0.offset = UInt64(offset)
      $0.byteCount = UInt32(byteCount)
    }
  }
}

extension AssetStanding {
  init(_ wire: WireAssetStanding) throws(RecordsError) {
    self.init(
      digest: try AssetDigest(wire: wire.digest), isHeld: wire.isHeld,
      offset: try checkedOffset(wire.offset))
  }

  var wire: WireAssetStanding {
    .with {
      $0.digest = digest.wire
      $0.isHeld = isHeld
      $0.offset = UInt64(offset)
    }
  }
}

/// Returns an offset in an asset as an integer. Rejects offsets of 2^48 or more, beyond any file.
func checkedOffset(_ offset: UInt64) throws(RecordsError) -> Int {
  guard offset < 1 << 48 else {
    throw .invalid("The offset \(offset) is beyond the end of any asset.")
  }
  return Int(offset)
}
