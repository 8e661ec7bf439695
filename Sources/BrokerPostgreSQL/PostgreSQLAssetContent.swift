import AssetFiles
import BrokerStore
import Records
import SQLConnections

/// The content of a file in a database. Each chunk is compared with its digest whenever it is read, so a damaged one is
/// never returned, and opening a film does not read all of it first.
final class PostgreSQLAssetContent: AssetContent {
  let byteCount: Int
  let identity: FileIdentity? = nil
  /// The digest names the content, and each chunk is compared: no other file can take its place.
  let isAsOpened = true

  private let digest: AssetDigest
  private let digests: ChunkDigests
  private let connections: PostgreSQLConnectionPool
  /// The chunk that was read last, since devices on slow connections ask for a part of one at a time.
  private var last: (number: Int, bytes: [UInt8])?

  init(
    of digest: AssetDigest, _ digests: ChunkDigests, in connections: PostgreSQLConnectionPool
  ) {
    self.digest = digest
    self.digests = digests
    self.connections = connections
    byteCount = digests.byteCount
  }

  var cachedByteCount: Int { last?.bytes.count ?? 0 }

  func discardCache() { last = nil }

  func bytes(from offset: Int, count: Int) throws(StoreError) -> ArraySlice<UInt8> {
    guard offset >= 0, offset < byteCount, count > 0 else { return [] }
    let end = offset + min(count, byteCount - offset)
    let first = offset / ChunkDigests.chunkByteCount
    var bytes = try part(of: first, from: offset, to: end)
    while offset + bytes.count < end {
      let next = offset + bytes.count
      bytes += try part(of: next / ChunkDigests.chunkByteCount, from: next, to: end)
    }
    return bytes
  }

  /// Returns what the chunk has of the range from `start` to `end` of the file.
  private func part(
    of number: Int, from start: Int, to end: Int
  ) throws(StoreError) -> ArraySlice<UInt8> {
    let chunk = try chunk(number)
    let chunkStart = number * ChunkDigests.chunkByteCount
    return chunk[start - chunkStart..<min(end - chunkStart, chunk.count)]
  }

  private func chunk(_ number: Int) throws(StoreError) -> [UInt8] {
    if let last, last.number == number { return last.bytes }
    let found: [UInt8]? = try connections.use { db in
      try db.value(
        "SELECT bytes FROM asset_chunk WHERE digest = ? AND number = ?",
        [digest.bytes, number])
    }
    guard let found else {
      throw StoreError(.damaged, "The file \(digest) is damaged: chunk \(number) is missing.")
    }
    guard digests.match(found, number: number) else {
      throw StoreError(.damaged, "The file \(digest) is damaged: chunk \(number) has changed.")
    }
    last = (number, found)
    return found
  }
}
