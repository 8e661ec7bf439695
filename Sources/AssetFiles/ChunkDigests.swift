import Crypto
import Records

/// The SHA-256 digests of a file's chunks, with which a single chunk can be compared.
///
/// Computed from the chunks, they come with the digest of the whole file, which shows that they belong to it.
package struct ChunkDigests: Sendable {
  /// The length of every chunk but the last one.
  package static let chunkByteCount = 256 << 10

  /// The digests, one after the other.
  package private(set) var bytes: [UInt8] = []
  /// The number of bytes of all chunks appended so far.
  package private(set) var byteCount = 0
  private var whole = SHA256()

  /// Creates an empty list, to which the chunks of a file are appended.
  package init() {}

  /// Creates the list from the digests of a file of `byteCount` bytes; returns `nil` if their number is wrong.
  package init?(_ bytes: [UInt8], byteCount: Int) {
    guard byteCount >= 0,
      bytes.count == Self.chunkCount(ofBytes: byteCount) * AssetDigest.byteCount
    else { return nil }
    self.bytes = bytes
    self.byteCount = byteCount
  }

  /// Returns the number of chunks of a file of `byteCount` bytes.
  package static func chunkCount(ofBytes byteCount: Int) -> Int {
    byteCount / chunkByteCount + (byteCount.isMultiple(of: chunkByteCount) ? 0 : 1)
  }

  /// Appends the next chunk of the file.
  package mutating func append(_ chunk: [UInt8]) {
    bytes += SHA256.hash(data: chunk)
    whole.update(data: chunk)
    byteCount += chunk.count
  }

  /// The digest of the chunks appended so far, as one file.
  package var fileDigest: AssetDigest { AssetDigest(of: whole) }

  /// Whether `chunk` is the chunk `number` of the file, counted from 0.
  package func match(_ chunk: [UInt8], number: Int) -> Bool {
    let start = number * AssetDigest.byteCount
    guard number >= 0, start < bytes.count,
      chunk.count == min(Self.chunkByteCount, byteCount - number * Self.chunkByteCount)
    else { return false }
    return bytes[start..<start + AssetDigest.byteCount].elementsEqual(SHA256.hash(data: chunk))
  }
}

extension AssetDigest {
  /// The digest of what was hashed so far.
  init(of hash: SHA256) {
    guard let digest = Self(bytes: Array(hash.finalize())) else {
      preconditionFailure("A SHA-256 has 32 bytes.")
    }
    self = digest
  }
}
