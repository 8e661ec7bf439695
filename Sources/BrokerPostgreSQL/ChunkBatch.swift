import AssetFiles
import BrokerStore
import PostgreSQLConnections
import Records
import SQLConnections

/// Successive chunks of a file, which are written in one transaction.
struct ChunkBatch {
  /// The number of chunks in a batch, which bounds the memory of a transaction: 4 MiB.
  static let chunksMaximum = 16

  private let digest: AssetDigest
  private let firstNumber: Int
  private var chunks: [[UInt8]] = []

  /// Reads the chunks of `asset` after those in `digests`, and appends theirs.
  init(
    of asset: Asset, after digests: inout ChunkDigests,
    read: (_ offset: Int, _ count: Int) throws -> [UInt8]
  ) throws {
    digest = asset.id
    firstNumber = digests.byteCount / ChunkDigests.chunkByteCount
    while digests.byteCount < asset.byteCount, chunks.count < Self.chunksMaximum {
      let count = min(ChunkDigests.chunkByteCount, asset.byteCount - digests.byteCount)
      let chunk = try read(digests.byteCount, count)
      guard chunk.count == count else { throw RecordsError.wrongContent }
      digests.append(chunk)
      chunks.append(chunk)
    }
  }

  /// Writes the chunks. A chunk that the database has already is compared and not written again, so that a file of many
  /// accounts is written once.
  func insert(in db: PostgreSQLConnection) throws {
    for (number, chunk) in zip(firstNumber..., chunks) {
      try db.run(
        """
        INSERT INTO asset_chunk AS chunk (digest, number, bytes) VALUES (?, ?, ?)
        ON CONFLICT (digest, number) DO UPDATE SET bytes = excluded.bytes
        WHERE chunk.bytes IS DISTINCT FROM excluded.bytes
        """, [digest.bytes, number, chunk])
    }
  }

  /// Deletes what the database has of the chunks.
  func delete(in db: PostgreSQLConnection) throws {
    try db.run(
      "DELETE FROM asset_chunk WHERE digest = ? AND number >= ? AND number < ?",
      [digest.bytes, firstNumber, firstNumber + chunks.count])
  }
}
