// The asset files of a broker or a device. A file's name is the SHA-256 digest of its content, and the
// file never changes. It is written under a temporary name, synchronized to disk and then renamed, so
// every file with a digest as its name is complete. The database knows which files are needed. A file is
// deleted only after the last row that refers to it, and not while it is pinned because a row is about to
// be inserted.

import ByteCounts
import Glibc
import Records
import Synchronization

/// A directory of asset files. Its functions block on the disk; do not call them on an event loop.
package final class AssetFiles: Sendable {
  /// The path of the directory.
  package let directory: String
  /// The number of bytes that must stay free on the disk when files are written.
  package let reserveBytes: Int
  private let pins = Mutex<[AssetDigest: Int]>([:])

  /// Opens a directory, and creates it with mode 0700 if it is missing.
  /// - Parameters:
  ///   - directory: The path of the directory.
  ///   - reserveBytes: The number of bytes that must stay free on the disk.
  /// - Throws: `unreadable` if the directory cannot be created.
  package init(directory: String, reserveBytes: Int) throws(StoreError) {
    self.directory = directory
    self.reserveBytes = reserveBytes
    for path in [directory, "\(directory)/incoming"] {
      guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
        throw StoreError(.unreadable, "Cannot create the directory \(path): \(errnoText()).")
      }
    }
  }

  /// Returns the path of an asset's file, whether or not the file exists. Files are distributed over 256
  /// subdirectories to keep each one small.
  package func path(of digest: AssetDigest) -> String {
    let name = digest.description
    return "\(directory)/\(name.prefix(2))/\(name)"
  }

  /// Whether the asset's file exists and has the right length. Does not read the content.
  package func holds(_ asset: Asset) -> Bool {
    var status = stat()
    return stat(path(of: asset.id), &status) == 0 && status.st_size == asset.byteCount
  }

  /// The number of free bytes on the disk; `nil` if the file system does not report it.
  package var freeBytes: Int? {
    var status = statvfs()
    guard statvfs(directory, &status) == 0 else { return nil }
    return Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
  }

  /// Checks that a file of `count` bytes leaves the reserve free.
  /// - Throws: `full`, with a message that states the free space.
  package func requireRoom(forBytes count: Int) throws(StoreError) {
    guard let free = freeBytes, free - count < reserveBytes else { return }
    throw StoreError(
      .full,
      "There is no room for a file of \(ByteCount(count)): the disk has "
        + "\(ByteCount(free).limit) left, and \(ByteCount(reserveBytes)) must stay free.")
  }

  // MARK: Reading

  /// Opens an asset's file after verifying its whole content against the digest.
  /// - Throws: `assetNotAvailable` if there is no such file, or, with the reason `damaged`, if the content
  ///   does not match; `StoreError` if the disk fails.
  package func open(_ digest: AssetDigest) throws -> AssetContent {
    try open(digest, verified: nil)
  }

  func open(_ digest: AssetDigest, verified: FileIdentity?) throws -> AssetContent {
    try AssetContent(path: path(of: digest), digest: digest, verified: verified)
  }

  // MARK: Writing

  /// Opens an incomplete file with the temporary name `name`, or creates it. Content from an earlier
  /// attempt is kept, and writing continues after it.
  /// - Precondition: `name` contains no slash.
  package func part(named name: String) throws(StoreError) -> AssetPart {
    try AssetPart(path: partPath(name))
  }

  /// Renames a complete part to its digest, durably, and pins the file. Call `unpin(_:)` after the row that
  /// refers to it is inserted, or when none will be.
  /// - Throws: `invalidArguments` with the reason `wrongDigest` if the content does not match the asset; the
  ///   part is deleted then. `StoreError` if the disk fails. After an error the file is not pinned.
  package func publish(_ part: AssetPart, as asset: Asset) throws {
    guard part.byteCount == asset.byteCount, part.digest() == asset.id else {
      part.discard()
      throw RecordsError(
        .invalidArguments, "The uploaded content does not match the digest of the offered file.",
        hint: "Send it again from the start.", reason: "wrongDigest")
    }
    try part.makeDurable()
    let path = path(of: asset.id)
    let parent = "\(directory)/\(asset.id.description.prefix(2))"
    if mkdir(parent, 0o700) == 0 { try Self.makeDurable(directory: directory) }
    pin(asset.id)
    guard rename(part.path, path) == 0 else {
      let error = StoreError(errno: errno, "The complete file \(path) cannot be moved to its name")
      unpin(asset.id)
      throw error
    }
    do {
      try Self.makeDurable(directory: parent)
    } catch {
      // The file is complete, but its name may be lost in a power cut. No row may refer to it; the check
      // at the next start deletes it.
      unpin(asset.id)
      throw error
    }
  }

  /// Returns the parts whose names begin with `prefix`, the least recently written first.
  package func parts(prefix: String) -> [PartEntry] {
    Self.names(in: "\(directory)/incoming").filter { $0.hasPrefix(prefix) }.compactMap { name in
      var status = stat()
      guard stat(partPath(name), &status) == 0 else { return nil }
      return PartEntry(
        name: name, byteCount: Int(status.st_size), writtenSeconds: status.st_mtim.tv_sec)
    }.sorted { ($0.writtenSeconds, $0.name) < ($1.writtenSeconds, $1.name) }
  }

  /// Deletes a part. Returns `false` if there is no such part.
  @discardableResult
  package func removePart(named name: String) -> Bool {
    unlink(partPath(name)) == 0
  }

  private func partPath(_ name: String) -> String {
    precondition(!name.contains("/"), "A part's name contains no slash.")
    return "\(directory)/incoming/\(name)"
  }

  private static func makeDurable(directory: String) throws(StoreError) {
    let file = Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard file >= 0 else {
      throw StoreError(errno: errno, "The directory \(directory) cannot be opened")
    }
    defer { close(file) }
    guard fsync(file) == 0 else {
      throw StoreError(errno: errno, "The directory \(directory) cannot be written")
    }
  }

  // MARK: Removing

  /// Prevents the deletion of a file until `unpin(_:)` was called as often.
  package func pin(_ digest: AssetDigest) {
    pins.withLock { $0[digest, default: 0] += 1 }
  }

  /// Removes one pin of a file.
  package func unpin(_ digest: AssetDigest) {
    pins.withLock { pins in
      guard let count = pins[digest] else { return }
      pins[digest] = count > 1 ? count - 1 : nil
    }
  }

  /// Deletes a file that no row refers to, unless it is pinned because a row is about to be inserted. Call it
  /// on the thread that deletes rows, before the next transaction begins.
  package func remove(_ digest: AssetDigest) {
    pins.withLock { pins in
      guard pins[digest] == nil else { return }
      unlink(path(of: digest))
    }
  }

  /// Returns the digests of the unpinned files in one of the 256 subdirectories, for the check at start that
  /// deletes unused files.
  ///
  /// A file is pinned before it gets its name. A file returned here therefore has its row already, or
  /// will never have one. Read the rows after this call, and pin no file in between.
  package func unpinned(inDirectory index: UInt8) -> [AssetDigest] {
    let name = String(index, radix: 16)
    let digests = Self.names(in: "\(directory)/\(index < 16 ? "0" : "")\(name)")
      .compactMap { AssetDigest($0) }
    // NB: read the pins after the directory, or a file published in between would count as unpinned.
    return pins.withLock { pins in digests.filter { pins[$0] == nil } }
  }

  private static func names(in path: String) -> [String] {
    guard let stream = opendir(path) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }
}
