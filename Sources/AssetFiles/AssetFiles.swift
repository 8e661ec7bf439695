// The asset files of a broker or a device. A file's name is the SHA-256 digest of its content, and the
// file never changes. It is written under a temporary name, synchronized to disk and then renamed, so
// every file with a digest as its name is complete. The database knows which files are needed. A file is
// deleted only after the last row that refers to it, and not while it is pinned because a row is about to
// be inserted.

import ByteCounts
import Glibc
import Records

/// A directory of asset files. Its functions block on the disk; do not call them on an event loop.
package final class AssetFiles: CompleteFiles {
  /// The path of the directory.
  package let directory: String
  /// The number of bytes that must stay free on the disk when files are written.
  package let reserveBytes: Int
  package let pins = AssetPins()

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

  package func logName(of digest: AssetDigest) -> String { path(of: digest) }

  package func holds(_ asset: Asset) -> Bool {
    var status = stat()
    return stat(path(of: asset.id), &status) == 0 && status.st_size == asset.byteCount
  }

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
  package func open(_ digest: AssetDigest) throws -> FileContent {
    try FileContent(path: path(of: digest), digest: digest, verified: nil)
  }

  package func open(_ digest: AssetDigest, verified: FileIdentity?) throws -> any AssetContent {
    try FileContent(path: path(of: digest), digest: digest, verified: verified)
  }

  package func verify(_ digest: AssetDigest) throws {
    _ = try open(digest)
  }

  // MARK: Writing

  /// Opens an incomplete file with the temporary name `name`, or creates it. Content from an earlier
  /// attempt is kept, and writing continues after it.
  /// - Precondition: `name` contains no slash.
  package func part(named name: String) throws(StoreError) -> AssetPart {
    try AssetPart(path: partPath(name))
  }

  /// Renames a complete part to its digest.
  package func publish(_ part: AssetPart, as asset: Asset) throws {
    try part.requireContent(of: asset)
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

  /// What an interrupted call has left is deleted by the next one for the same file.
  package func add(
    _ asset: Asset, read: (_ offset: Int, _ count: Int) throws -> [UInt8]
  ) throws {
    let name = "copy-\(asset.id)"
    removePart(named: name)
    let part = try part(named: name)
    do {
      while part.byteCount < asset.byteCount {
        let count = min(ChunkDigests.chunkByteCount, asset.byteCount - part.byteCount)
        let chunk = try read(part.byteCount, count)
        guard chunk.count == count else { throw RecordsError.wrongContent }
        try part.append(chunk[...])
      }
      try publish(part, as: asset)
    } catch {
      part.discard()
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

  /// Deletes a file that no row refers to, unless it is pinned because a row is about to be inserted. Call it
  /// on the thread that deletes rows, before the next transaction begins.
  package func remove(_ digest: AssetDigest) { remove([digest]) }

  package func remove(_ digests: [AssetDigest]) {
    pins.withUnpinned(of: digests) { for digest in $0 { unlink(path(of: digest)) } }
  }

  package func unpinned(inDirectory index: UInt8) -> [AssetDigest] {
    let name = String(index, radix: 16)
    let digests = Self.names(in: "\(directory)/\(index < 16 ? "0" : "")\(name)")
      .compactMap { AssetDigest($0) }
    // NB: read the pins after the directory, or a file published in between would count as unpinned.
    return pins.unpinned(of: digests)
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
