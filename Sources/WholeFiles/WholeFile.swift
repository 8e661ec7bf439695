import Glibc

/// A file that is written atomically: it replaces an existing file only once it is complete and on disk.
///
/// The content is first written to a temporary file in the same directory, which has a random name, mode
/// 0600, and follows no symbolic link. `finish()` synchronizes and renames it. Until then the previous file
/// stays in place, also after a crash.
package final class WholeFile {
  /// An error of a system call.
  package struct Failure: Error, Hashable, CustomStringConvertible {
    /// The error number, `errno`.
    package let number: Int32

    /// The system's text for the error number.
    package var description: String { String(cString: strerror(number)) }

    fileprivate static var latest: Failure { Failure(number: errno) }
  }

  private let path: String
  private let partPath: String
  private let descriptor: Int32
  private var isOver = false

  /// Creates the temporary file in the directory of `path`.
  package init(at path: String) throws(Failure) {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    var generator = SystemRandomNumberGenerator()
    self.path = path
    partPath = "\(folder).part-\(String(generator.next() as UInt64, radix: 36))"
    descriptor = open(
      partPath, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .latest }
  }

  /// Appends `bytes`.
  package func write(_ bytes: some Collection<UInt8>) throws(Failure) {
    let all = Array(bytes)
    var rest = all[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 || errno == EINTR else { throw .latest }
      rest = rest.dropFirst(max(0, count))
    }
  }

  /// Synchronizes the file to disk and moves it to its path. If this throws, the previous file is still
  /// in place; call `discard()` then.
  package func finish() throws(Failure) {
    guard fsync(descriptor) == 0, rename(partPath, path) == 0 else { throw .latest }
    isOver = true
    close(descriptor)
    synchronizeFolder()
  }

  /// Deletes the temporary file. Does nothing after `finish()` has succeeded.
  package func discard() {
    guard !isOver else { return }
    isOver = true
    close(descriptor)
    unlink(partPath)
  }

  /// Synchronizes the directory, which makes the new name durable. Errors are ignored, because the file
  /// itself is in place: the directory may be unreadable, or its file system may not support this.
  private func synchronizeFolder() {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}

extension WholeFile {
  /// Writes `bytes` to the file at `path` atomically. If this throws, the previous file is still in place.
  package static func put(_ bytes: some Collection<UInt8>, at path: String) throws(Failure) {
    let file = try WholeFile(at: path)
    do {
      try file.write(bytes)
      try file.finish()
    } catch {
      file.discard()
      throw error
    }
  }
}
