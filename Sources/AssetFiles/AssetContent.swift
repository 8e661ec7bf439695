// A file on its way out. Its content is compared with its name before the first byte leaves: a disk
// that gives back something else than it was given is found and named, and never believed.

import Crypto
import Glibc
import Records
import SQLiteFile

/// An asset's file, found to be what its name says. Used from one thread at a time.
package final class AssetContent {
  /// Its length.
  package let byteCount: Int
  private let path: String
  private let file: Int32
  private let opened: stat

  init(path: String, digest: AssetDigest) throws {
    let file = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      guard errno == ENOENT else {
        throw StoreError(errno: errno, "The file \(path) cannot be opened")
      }
      throw RecordsError(.assetNotAvailable, "The file \(digest) is not here.")
    }
    var opened = stat()
    fstat(file, &opened)
    var hash = SHA256()
    var count = 0
    do {
      try FileReading.each(of: file, path: path) { piece in
        hash.update(data: piece)
        count += piece.count
      }
    } catch let error where error.kind == .damaged {
      close(file)
      throw RecordsError(
        .assetNotAvailable, "The file \(digest) cannot be read from its disk.",
        hint: "Take it from a backup, or set it again from its original.", reason: "damaged")
    } catch {
      close(file)
      throw error
    }
    guard Array(hash.finalize()) == digest.bytes else {
      close(file)
      throw RecordsError(
        .assetNotAvailable, "The file \(digest) is damaged: its content is not what it was.",
        hint: "Take it from a backup, or set it again from its original.", reason: "damaged")
    }
    self.file = file
    self.opened = opened
    self.path = path
    byteCount = count
  }

  deinit { close(file) }

  /// Whether the file still stands under its name, and nobody has written to it since it was opened.
  var isAsOpened: Bool {
    var now = stat()
    return fstat(file, &now) == 0 && now.st_nlink > 0 && now.st_size == opened.st_size
      && now.st_mtim.tv_sec == opened.st_mtim.tv_sec
      && now.st_mtim.tv_nsec == opened.st_mtim.tv_nsec
  }

  /// The bytes from `offset` on, at most `count`, fewer only at the end.
  package func bytes(from offset: Int, count: Int) throws(StoreError) -> [UInt8] {
    guard offset < byteCount else { return [] }
    return try FileReading.bytes(
      of: file, path: path, offset: offset, count: min(count, byteCount - offset))
  }
}

/// Reads of a descriptor.
enum FileReading {
  private static let pieceBytes = 256 << 10

  /// Calls `body` with the content, piece by piece.
  static func each(
    of file: Int32, path: String, _ body: ([UInt8]) -> Void
  ) throws(StoreError) {
    var offset = 0
    while true {
      let piece = try bytes(of: file, path: path, offset: offset, count: pieceBytes)
      guard !piece.isEmpty else { return }
      body(piece)
      offset += piece.count
    }
  }

  /// The bytes at a place; fewer than asked for only at the end.
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
