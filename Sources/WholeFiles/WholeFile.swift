import Glibc
import SystemPackage

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

    init(number: Int32) { self.number = number }

    /// `error` is thrown by swift-system, whose calls throw nothing else than `Errno`.
    fileprivate init(_ error: any Error) { self.init(number: (error as? Errno)?.rawValue ?? EIO) }
  }

  private let path: FilePath
  private let partPath: FilePath
  private let file: FileDescriptor
  private var isOver = false

  /// Creates the temporary file in the directory of `path`.
  package init(at path: String) throws(Failure) {
    self.path = FilePath(path)
    var generator = SystemRandomNumberGenerator()
    let name = ".part-\(String(generator.next() as UInt64, radix: 36))"
    partPath = self.path.removingLastComponent().appending(name)
    do {
      file = try FileDescriptor.open(
        partPath, .writeOnly, options: [.create, .exclusiveCreate, .noFollow, .closeOnExec],
        permissions: .ownerReadWrite)
    } catch {
      throw Failure(error)
    }
  }

  /// Appends `bytes`.
  package func write(_ bytes: some Collection<UInt8>) throws(Failure) {
    do {
      try file.writeAll(bytes)
    } catch {
      throw Failure(error)
    }
  }

  /// Synchronizes the file to disk and moves it to its path. If this throws, the previous file is still
  /// in place; call `discard()` then.
  package func finish() throws(Failure) {
    // swift-system has neither call.
    guard fsync(file.rawValue) == 0, rename(partPath.string, path.string) == 0 else {
      throw .latest
    }
    isOver = true
    try? file.close()
    synchronizeFolder()
  }

  /// Deletes the temporary file. Does nothing after `finish()` has succeeded.
  package func discard() {
    guard !isOver else { return }
    isOver = true
    try? file.close()
    unlink(partPath.string)
  }

  /// Synchronizes the directory, which makes the new name durable. Errors are ignored, because the file
  /// itself is in place: the directory may be unreadable, or its file system may not support this.
  private func synchronizeFolder() {
    let folder = path.removingLastComponent()
    let descriptor = try? FileDescriptor.open(
      folder.isEmpty ? "." : folder, .readOnly, options: [.directory, .closeOnExec])
    guard let descriptor else { return }
    fsync(descriptor.rawValue)
    try? descriptor.close()
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
