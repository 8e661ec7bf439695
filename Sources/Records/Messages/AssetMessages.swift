// Messages that transfer assets. A device offers an asset; the answer says whether to send it and
// from which offset. A device fetches an asset chunk by chunk. Each chunk is a message of its own,
// so other messages can be sent between them.

/// A chunk of an asset's content.
package struct AssetPiece: Hashable, Sendable {
  /// The asset's digest.
  package let digest: AssetDigest
  /// The chunk's offset in the asset.
  package let offset: Int
  /// The chunk's bytes, 1 to `Limits.assetPieceBytes`. A slice of the buffer that was read from a
  /// socket or file, so that the content is not copied.
  package let content: ArraySlice<UInt8>

  package init(digest: AssetDigest, offset: Int, content: ArraySlice<UInt8>) {
    self.digest = digest
    self.offset = offset
    self.content = content
  }

  /// Creates a chunk from a whole array.
  package init(digest: AssetDigest, offset: Int, content: [UInt8]) {
    self.init(digest: digest, offset: offset, content: content[...])
  }

  /// The offset of the next chunk.
  package var end: Int { offset + content.count }
}

/// A request for a chunk of an asset.
package struct AssetFetch: Hashable, Sendable {
  /// A zone with a record that names the asset. The broker sends the asset to every account that may
  /// read the zone.
  package let zone: ZoneID
  /// The asset's digest.
  package let digest: AssetDigest
  /// The offset of the chunk.
  package let offset: Int
  /// The most bytes to return, 1 to `Limits.assetPieceBytes`.
  package let byteCount: Int

  package init(
    zone: ZoneID, digest: AssetDigest, offset: Int, byteCount: Int = Limits.assetPieceBytes
  ) {
    self.zone = zone
    self.digest = digest
    self.offset = offset
    self.byteCount = byteCount
  }
}

/// The broker's status of an asset for the requesting account.
package struct AssetStanding: Hashable, Sendable {
  /// The asset's digest.
  package let digest: AssetDigest
  /// Whether the asset is complete and on the broker's disk, so that records may name it.
  package let isHeld: Bool
  /// The number of bytes the broker has, which is the offset of the next chunk. 0 if `isHeld`.
  package let offset: Int

  package init(digest: AssetDigest, isHeld: Bool, offset: Int) {
    self.digest = digest
    self.isHeld = isHeld
    self.offset = offset
  }
}
