// What is said about files. A device offers one and is told whether to send it, and from where; it
// asks for pieces and gets them. Each piece is a message of its own, so that whatever else is said
// on the connection stands between them.

/// A piece of an asset's content.
package struct AssetPiece: Hashable, Sendable {
  /// The asset.
  package let digest: AssetDigest
  /// Where the piece stands in the content.
  package let offset: Int
  /// The bytes, 1 to `Limits.assetPieceBytes`. A part of what was read, from a socket or a file: it
  /// is not copied on its way through.
  package let content: ArraySlice<UInt8>

  /// A piece.
  package init(digest: AssetDigest, offset: Int, content: ArraySlice<UInt8>) {
    self.digest = digest
    self.offset = offset
    self.content = content
  }

  /// A piece that stands alone.
  package init(digest: AssetDigest, offset: Int, content: [UInt8]) {
    self.init(digest: digest, offset: offset, content: content[...])
  }

  /// Where the next piece begins.
  package var end: Int { offset + content.count }
}

/// A question for a piece of an asset.
package struct AssetFetch: Hashable, Sendable {
  /// A zone with a record that names the asset: who may read the zone may have it.
  package let zone: ZoneID
  /// The asset.
  package let digest: AssetDigest
  /// Where the piece begins.
  package let offset: Int
  /// How long it is at most; 1 to `Limits.assetPieceBytes`.
  package let byteCount: Int

  /// Asks for a piece.
  package init(
    zone: ZoneID, digest: AssetDigest, offset: Int, byteCount: Int = Limits.assetPieceBytes
  ) {
    self.zone = zone
    self.digest = digest
    self.offset = offset
    self.byteCount = byteCount
  }
}

/// How the broker stands to an asset of the account that asks.
package struct AssetStanding: Hashable, Sendable {
  /// The asset.
  package let digest: AssetDigest
  /// Whether it is whole and on the broker's disk, so that records may name it.
  package let isHeld: Bool
  /// How much of it the broker has; the next piece begins there. 0 once it is held.
  package let offset: Int

  /// A standing.
  package init(digest: AssetDigest, isHeld: Bool, offset: Int) {
    self.digest = digest
    self.isHeld = isHeld
    self.offset = offset
  }
}
