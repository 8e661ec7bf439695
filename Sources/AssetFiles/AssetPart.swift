// A file on its way in. Pieces are appended in order and hashed as they come, so at the end only the
// last one has still to be looked at. Nothing is made durable before it is whole: after a power cut
// the file may hold rubbish behind some point, and the digest finds that out. The file is open only
// while it is read or written: uploads wait for their peers, and there may be more of them than a
// process may have open files.

import Crypto
import Glibc
import Records

/// A file that is being written. Used from one thread at a time.
package final class AssetPart {
  /// Where it is.
  package let path: String
  /// How many bytes it has.
  package private(set) var byteCount = 0
  private var hash = SHA256()

  /// Finds or makes the file; what it holds already is read and hashed.
  init(path: String) throws(StoreError) {
    self.path = path
    let file = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw StoreError(errno: errno, "The file \(path) cannot be made") }
    defer { close(file) }
    try FileReading.each(of: file, path: path) { piece in
      hash.update(data: piece)
      byteCount += piece.count
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
  /// - Throws: `full` or `disk`; then the part is as long as before.
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

  /// The digest of what it holds.
  package func digest() -> AssetDigest {
    guard let digest = AssetDigest(bytes: Array(hash.finalize())) else {
      preconditionFailure("A SHA-256 has 32 bytes.")
    }
    return digest
  }

  /// The first bytes, at most `count`.
  package func head(bytes count: Int) throws(StoreError) -> [UInt8] {
    try bytes(from: 0, count: count)
  }

  /// At most `count` bytes from `offset` on; fewer at the end.
  package func bytes(from offset: Int, count: Int) throws(StoreError) -> [UInt8] {
    guard offset >= 0, offset < byteCount else { return [] }
    return try withFile { (file) throws(StoreError) in
      try FileReading.bytes(
        of: file, path: path, offset: offset, count: min(count, byteCount - offset))
    }
  }

  /// Removes it.
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
