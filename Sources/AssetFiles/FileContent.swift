// Reading an asset from a disk. The file's content is compared with its digest before the first byte is returned, so
// data that the disk has corrupted is reported and never delivered.

import Crypto
import Glibc
import Records

/// An open file on a disk whose whole content matches its digest.
package final class FileContent: AssetContent {
  package let byteCount: Int
  private let path: String
  /// The number of cached bytes: the whole file, or 0.
  package var cachedByteCount: Int { cachedBytes?.count ?? 0 }
  private let file: Int32
  private let opened: FileIdentity
  package var identity: FileIdentity? { opened }
  /// The whole content as it was verified, so that it is not read twice.
  private var cachedBytes: [UInt8]?

  /// The largest file that is cached when it is opened: large enough for a photo, not for a video.
  static let cachedBytesMaximum = 4 << 20

  /// Opens a file and verifies its content.
  /// - Parameter verified: The file's identity when its content was last verified. If the file still has
  ///   it, the content is not read again.
  init(path: String, digest: AssetDigest, verified: FileIdentity?) throws {
    let file = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      guard errno == ENOENT else {
        throw StoreError(errno: errno, "The file \(path) cannot be opened")
      }
      throw RecordsError.missing(digest)
    }
    self.file = file
    self.path = path
    opened = FileIdentity(of: file)
    if let verified, verified == opened {
      byteCount = opened.byteCount
      return
    }
    let actual: (digest: [UInt8], byteCount: Int, cachedBytes: [UInt8]?)
    do {
      actual = try Self.digest(of: file, path: path, byteCount: opened.byteCount)
    } catch let error where error.kind == .damaged {
      close(file)
      throw RecordsError.unreadable(digest)
    } catch {
      close(file)
      throw error
    }
    guard actual.digest == digest.bytes else {
      close(file)
      throw RecordsError.changed(digest)
    }
    byteCount = actual.byteCount
    cachedBytes = actual.cachedBytes
  }

  /// Returns the digest and length of a file's content, and the content itself if it is to be cached.
  private static func digest(
    of file: Int32, path: String, byteCount: Int
  ) throws(StoreError) -> (digest: [UInt8], byteCount: Int, cachedBytes: [UInt8]?) {
    if byteCount <= cachedBytesMaximum {
      // One byte more than expected, so that the digest of a file that has grown does not match.
      let all = try FileReader.bytes(of: file, path: path, offset: 0, count: byteCount + 1)
      return (Array(SHA256.hash(data: all)), all.count, all)
    }
    var hash = SHA256()
    var count = 0
    try FileReader.forEachChunk(of: file, path: path) { chunk in
      hash.update(data: chunk)
      count += chunk.count
    }
    return (Array(hash.finalize()), count, nil)
  }

  package func discardCache() { cachedBytes = nil }

  deinit { close(file) }

  /// Whether the file still has its name and was not written to since it was opened.
  package var isAsOpened: Bool {
    let now = FileIdentity(of: file)
    return now.isNamed && now == opened
  }

  package func bytes(from offset: Int, count: Int) throws(StoreError) -> ArraySlice<UInt8> {
    guard offset < byteCount else { return [] }
    let count = min(count, byteCount - offset)
    if let cachedBytes { return cachedBytes[offset..<offset + count] }
    return try FileReader.bytes(of: file, path: path, offset: offset, count: count)[...]
  }
}

/// Reads from file descriptors, with errors that name the file.
enum FileReader {
  private static let chunkBytes = 256 << 10

  /// Calls `body` with each chunk of the content, in order.
  static func forEachChunk(
    of file: Int32, path: String, _ body: ([UInt8]) -> Void
  ) throws(StoreError) {
    var offset = 0
    while true {
      let chunk = try bytes(of: file, path: path, offset: offset, count: chunkBytes)
      guard !chunk.isEmpty else { return }
      body(chunk)
      offset += chunk.count
    }
  }

  /// Returns up to `count` bytes at `offset`; fewer only at the end of the file.
  static func bytes(
    of file: Int32, path: String, offset: Int, count: Int
  ) throws(StoreError) -> [UInt8] {
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count, let start = buffer.baseAddress {
        let read = pread(file, start + filled, count - filled, off_t(offset + filled))
        if read < 0 { failure = errno }
        guard read > 0 else { return }
        filled += read
      }
    }
    guard failure != EIO else {
      throw StoreError(.damaged, "The file \(path) cannot be read: \(systemText(failure)).")
    }
    guard failure == 0 else { throw StoreError(errno: failure, "The file \(path) cannot be read") }
    return bytes
  }
}
