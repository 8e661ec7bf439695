// The files of a broker or a device, beside its database. A file is named by the SHA-256 of what it
// holds and is never changed: it is written under another name, made durable, and then given its
// own, so whatever stands under a digest is whole. The database says which files are needed; a file
// goes only after the row that needed it, and never while somebody is about to enter one (pins).

import Glibc
import Records
import Synchronization

/// A directory of files named by their content. Calls block on the disk; not for an event loop.
package final class AssetFiles: Sendable {
  /// Where the files are.
  package let directory: String
  /// What stays free on the disk when files are written.
  package let reserveBytes: Int
  private let pins = Mutex<[AssetDigest: Int]>([:])

  /// Takes a directory, making it (mode 0700) where it is missing.
  /// - Parameter reserveBytes: what must stay free on the disk; a write that would leave less is
  ///   refused before it begins.
  /// - Throws: `unreadable` when it cannot be made.
  package init(directory: String, reserveBytes: Int) throws(StoreError) {
    self.directory = directory
    self.reserveBytes = reserveBytes
    for path in [directory, "\(directory)/incoming"] {
      guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
        throw StoreError(.unreadable, "The directory \(path) cannot be made: \(errnoText()).")
      }
    }
  }

  /// The file of an asset, whether it is there or not. 256 directories keep each of them short.
  package func path(of digest: AssetDigest) -> String {
    let name = digest.description
    return "\(directory)/\(name.prefix(2))/\(name)"
  }

  /// Whether there is a file of this name and length. Costs a look at the directory.
  package func holds(_ asset: Asset) -> Bool {
    var status = stat()
    return stat(path(of: asset.id), &status) == 0 && status.st_size == asset.byteCount
  }

  /// What is free on the disk; `nil` where the file system does not say.
  package var freeBytes: Int? {
    var status = statvfs()
    guard statvfs(directory, &status) == 0 else { return nil }
    return Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
  }

  /// Refuses what the disk has no room for.
  /// - Throws: `full`, with a sentence that says how much is left.
  package func requireRoom(forBytes count: Int) throws(StoreError) {
    guard let free = freeBytes, free - count < reserveBytes else { return }
    throw StoreError(
      .full,
      "The disk has \(free >> 20) MiB left, of which \(reserveBytes >> 20) MiB are kept free; a "
        + "file of \((count + (1 << 20) - 1) >> 20) MiB has no room.")
  }

  // MARK: Reading

  /// Opens an asset's file after its whole content was compared with its name.
  /// - Throws: `assetNotAvailable` when there is no such file, or, with the reason `damaged`, when
  ///   it holds something else than it should; a `StoreError` when the disk fails.
  package func open(_ digest: AssetDigest) throws -> AssetContent {
    try open(digest, verified: nil)
  }

  func open(_ digest: AssetDigest, verified: FileIdentity?) throws -> AssetContent {
    try AssetContent(path: path(of: digest), digest: digest, verified: verified)
  }

  // MARK: Writing

  /// A file to be written under the name `name` until it is whole; what an earlier attempt left
  /// there is gone on with. `name` is this program's own and holds no slash.
  package func part(named name: String) throws(StoreError) -> AssetPart {
    try AssetPart(path: partPath(name))
  }

  /// Gives a whole part its digest's name, durably. From here on the file is pinned: `unpin` when
  /// its row is entered, or will not be.
  /// - Throws: `invalidArguments` with the reason `wrongDigest` when it holds something else than
  ///   it should, and the part is gone; `StoreError` when the disk fails. Then nothing is pinned.
  package func publish(_ part: AssetPart, as asset: Asset) throws {
    guard part.byteCount == asset.byteCount, part.digest() == asset.id else {
      part.discard()
      throw RecordsError(
        .invalidArguments, "What was sent is not the file that was offered.",
        hint: "Send it again from the start.", reason: "wrongDigest")
    }
    try part.makeDurable()
    let path = path(of: asset.id)
    let parent = "\(directory)/\(asset.id.description.prefix(2))"
    if mkdir(parent, 0o700) == 0 { try Self.makeDurable(directory: directory) }
    pin(asset.id)
    guard rename(part.path, path) == 0 else {
      let error = StoreError(errno: errno, "The file \(path) cannot be given its name")
      unpin(asset.id)
      throw error
    }
    do {
      try Self.makeDurable(directory: parent)
    } catch {
      // Whole, but perhaps not there after a fall: nobody may enter it, and the next sweep has it.
      unpin(asset.id)
      throw error
    }
  }

  /// The parts whose names begin with `prefix`, those written last at the end.
  package func parts(prefix: String) -> [PartEntry] {
    Self.names(in: "\(directory)/incoming").filter { $0.hasPrefix(prefix) }.compactMap { name in
      var status = stat()
      guard stat(partPath(name), &status) == 0 else { return nil }
      return PartEntry(
        name: name, byteCount: Int(status.st_size), writtenSeconds: status.st_mtim.tv_sec)
    }.sorted { ($0.writtenSeconds, $0.name) < ($1.writtenSeconds, $1.name) }
  }

  /// Removes a part.
  @discardableResult
  package func removePart(named name: String) -> Bool {
    unlink(partPath(name)) == 0
  }

  private func partPath(_ name: String) -> String {
    precondition(!name.contains("/"), "A part's name holds no slash.")
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

  /// Keeps a file from being removed until `unpin`; pins are counted.
  package func pin(_ digest: AssetDigest) {
    pins.withLock { $0[digest, default: 0] += 1 }
  }

  /// Takes a pin back.
  package func unpin(_ digest: AssetDigest) {
    pins.withLock { pins in
      guard let count = pins[digest] else { return }
      pins[digest] = count > 1 ? count - 1 : nil
    }
  }

  /// Removes a file that no row needs, unless it is pinned: then whoever pinned it is about to
  /// enter a row. To be called where rows are removed, before the next transaction begins.
  package func remove(_ digest: AssetDigest) {
    pins.withLock { pins in
      guard pins[digest] == nil else { return }
      unlink(path(of: digest))
    }
  }

  /// The digests of all files there are, directory by directory, without those that are pinned: for
  /// a sweep at start. A file has its pin before it has its name, so whatever is told here has its
  /// row already, or will get none; ask for the rows afterwards, and pin nothing meanwhile.
  package func unpinned(inDirectory index: UInt8) -> [AssetDigest] {
    let name = String(index, radix: 16)
    let digests = Self.names(in: "\(directory)/\(index < 16 ? "0" : "")\(name)")
      .compactMap { AssetDigest($0) }
    // NB: behind the look at the directory, or one that came in between would count as not pinned.
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
