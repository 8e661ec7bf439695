// A file on its way out. Its content is compared with its name before the first byte leaves: a disk
// that gives back something else than it was given is found and named, and never believed.

import Crypto
import Glibc
import Records

/// An asset's file, found to be what its name says. Used from one thread at a time.
package final class AssetContent {
  /// Its length.
  package let byteCount: Int
  private let path: String
  /// The bytes that are held as they were compared; 0 when none are.
  var heldByteCount: Int { held?.count ?? 0 }
  private let file: Int32
  /// The file as it was when it was opened.
  let identity: FileIdentity
  /// All of it, as it was compared, so that it need not be read again; see `letGo`.
  private var held: [UInt8]?

  /// Files up to here are held when they are opened: a photo, not a film.
  static let heldBytesMaximum = 4 << 20

  /// Opens a file.
  /// - Parameter verified: the file as it was when its content was last compared with its name. If it
  ///   is still that one it is not read.
  init(path: String, digest: AssetDigest, verified: FileIdentity?) throws {
    let file = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      guard errno == ENOENT else {
        throw StoreError(errno: errno, "The file \(path) cannot be opened")
      }
      throw RecordsError(.assetNotAvailable, "The file \(digest) is not here.")
    }
    self.file = file
    self.path = path
    identity = FileIdentity(of: file)
    if let verified, verified == identity {
      byteCount = identity.byteCount
      return
    }
    let whole: (digest: [UInt8], byteCount: Int, held: [UInt8]?)
    do {
      whole = try Self.compared(file, path: path, byteCount: identity.byteCount)
    } catch let error where error.kind == .damaged {
      close(file)
      throw RecordsError(
        .assetNotAvailable, "The file \(digest) cannot be read from its disk.",
        hint: "Take it from a backup, or set it again from its original.", reason: "damaged")
    } catch {
      close(file)
      throw error
    }
    guard whole.digest == digest.bytes else {
      close(file)
      throw RecordsError(
        .assetNotAvailable, "The file \(digest) is damaged: its content is not what it was.",
        hint: "Take it from a backup, or set it again from its original.", reason: "damaged")
    }
    byteCount = whole.byteCount
    held = whole.held
  }

  /// What a file's content is named, how long it is, and all of it where it is to be held.
  private static func compared(
    _ file: Int32, path: String, byteCount: Int
  ) throws(StoreError) -> (digest: [UInt8], byteCount: Int, held: [UInt8]?) {
    if byteCount <= heldBytesMaximum {
      // One more than there should be: a file that has grown is not what its name says either.
      let all = try FileReading.bytes(of: file, path: path, offset: 0, count: byteCount + 1)
      return (Array(SHA256.hash(data: all)), all.count, all)
    }
    var hash = SHA256()
    var count = 0
    try FileReading.each(of: file, path: path) { piece in
      hash.update(data: piece)
      count += piece.count
    }
    return (Array(hash.finalize()), count, nil)
  }

  /// Holds its bytes no longer; from here on they are read from the file.
  func letGo() { held = nil }

  deinit { close(file) }

  /// Whether the file still stands under its name, and nobody has written to it since it was opened.
  var isAsOpened: Bool {
    let now = FileIdentity(of: file)
    return now.isNamed && now == identity
  }

  /// The bytes from `offset` on, at most `count`, fewer only at the end.
  package func bytes(from offset: Int, count: Int) throws(StoreError) -> ArraySlice<UInt8> {
    guard offset < byteCount else { return [] }
    let count = min(count, byteCount - offset)
    if let held { return held[offset..<offset + count] }
    return try FileReading.bytes(of: file, path: path, offset: offset, count: count)[...]
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
