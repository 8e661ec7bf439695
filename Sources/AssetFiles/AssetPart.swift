// The unfinished files of uploads and downloads, in the directory “incoming”.

import Crypto
import Glibc
import Records

/// An incomplete asset file that is being received. Used from one thread at a time.
///
/// Chunks are appended in order and hashed as they arrive. The file is not synchronized to disk before it
/// is complete: a power cut may leave garbage in it, which the digest detects. The descriptor is open only
/// during each read or write, because there may be more unfinished uploads than a process may have open
/// files.
package final class AssetPart {
  /// The path of the file.
  package let path: String
  /// The number of bytes received.
  package private(set) var byteCount = 0
  private var hash = SHA256()

  /// Opens or creates the file, and hashes the content from an earlier attempt.
  init(path: String) throws(StoreError) {
    self.path = path
    let file = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw StoreError(errno: errno, "The file \(path) cannot be created") }
    defer { close(file) }
    try FileReader.forEachChunk(of: file, path: path) { chunk in
      hash.update(data: chunk)
      byteCount += chunk.count
    }
  }

  private func withFile<Result>(
    _ body: (Int32) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let file = Glibc.open(path, O_RDWR | O_CLOEXEC)
    guard file >= 0 else { throw StoreError(errno: errno, "The file \(path) cannot be opened") }
    defer { close(file) }
    return try body(file)
  }

  /// Appends bytes.
  /// - Throws: `full` or `disk`; the part then has its previous length.
  package func append(_ bytes: ArraySlice<UInt8>) throws(StoreError) {
    try withFile { (file) throws(StoreError) in try write(bytes, to: file) }
    hash.update(data: bytes)
    byteCount += bytes.count
  }

  private func write(_ bytes: ArraySlice<UInt8>, to file: Int32) throws(StoreError) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        pwrite(
          file, buffer.baseAddress.map { $0 + written }, buffer.count - written,
          off_t(byteCount + written))
      }
      guard count > 0 else {
        let error = StoreError(errno: errno, "The file \(path) cannot be written")
        ftruncate(file, off_t(byteCount))
        throw error
      }
      written += count
    }
  }

  /// Returns the digest of the content.
  package func digest() -> AssetDigest {
    AssetDigest(of: hash)
  }

  /// Checks that the content is that of `asset`. If it is not, deletes the part.
  /// - Throws: `invalidArguments` with the reason `wrongDigest`.
  package func requireContent(of asset: Asset) throws(RecordsError) {
    guard byteCount == asset.byteCount, digest() == asset.id else {
      discard()
      throw .wrongContent
    }
  }

  /// Returns up to `count` bytes from the start.
  package func head(bytes count: Int) throws(StoreError) -> [UInt8] {
    try bytes(from: 0, count: count)
  }

  /// Returns up to `count` bytes at `offset`; fewer only at the end of the file.
  package func bytes(from offset: Int, count: Int) throws(StoreError) -> [UInt8] {
    guard offset >= 0, offset < byteCount else { return [] }
    return try withFile { (file) throws(StoreError) in
      try FileReader.bytes(
        of: file, path: path, offset: offset, count: min(count, byteCount - offset))
    }
  }

  /// Deletes the file.
  package func discard() {
    unlink(path)
  }

  func makeDurable() throws(StoreError) {
    try withFile { (file) throws(StoreError) in
      guard fdatasync(file) == 0 else {
        throw StoreError(errno: errno, "The file \(path) cannot be written")
      }
    }
  }
}
