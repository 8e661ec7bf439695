// Assets and their pieces. A piece's length is checked here, so that nobody behind this holds more
// than a piece on a peer's word.

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
  /// A list, which may be no longer than a page.
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
  /// Behind which digest lost files are asked for.
  static func after(_ wire: WireFindWantedAssets) throws(RecordsError) -> AssetDigest? {
    wire.after.isEmpty ? nil : try AssetDigest(wire: wire.after)
  }

  static func find(after digest: AssetDigest?) -> WireFindWantedAssets {
    .with { $0.after = digest?.wire ?? Data() }
  }

  fileprivate init(wire bytes: Data) throws(RecordsError) {
    guard let digest = Self(bytes: bytes) else {
      throw .invalid("An asset is named by a SHA-256 digest of 32 bytes.")
    }
    self = digest
  }

  fileprivate var wire: Data { Data(bytes) }
}

extension AssetPiece {
  init(_ wire: WireAssetPiece) throws(RecordsError) {
    guard !wire.content.isEmpty else { throw .invalid("A piece of an asset is empty.") }
    guard wire.content.count <= Limits.assetPieceBytes else {
      throw .limit(
        "Bytes of a piece of an asset", limit: Limits.assetPieceBytes, actual: wire.content.count)
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

/// A place in a file; further than any file may be long is a mistake.
func checkedOffset(_ offset: UInt64) throws(RecordsError) -> Int {
  guard offset < 1 << 48 else {
    throw .invalid("There is no offset \(offset) in an asset.")
  }
  return Int(offset)
}
