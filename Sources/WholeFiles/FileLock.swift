import Glibc

/// An exclusive lock of a process on a file. The kernel releases it when the process ends, in any way, or when the
/// value is released.
///
/// The file contains the process id of the holder, for error messages, and lines of the holder.
package final class FileLock: Sendable {
  /// Why a file cannot be locked.
  package enum Failure: Error, Hashable {
    /// Another process, or another part of this one, holds the lock. Its process id, if it is known.
    case held(by: Int32?)
    /// A system call failed with this error number.
    case system(Int32)
  }

  private let descriptor: Int32

  /// Locks the file at `path`, and creates it with mode 0600 if it is missing.
  package init(at path: String) throws(Failure) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .system(errno) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let number = errno
      let holder = Self.lines(of: descriptor).first.flatMap { Int32($0) }
      close(descriptor)
      throw number == EWOULDBLOCK ? .held(by: holder) : .system(number)
    }
    self.descriptor = descriptor
    write([])
  }

  deinit {
    // NB: a child that another thread starts has a copy of the descriptor until it executes its program. The lock
    // would be held until then.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Writes lines to the file, after the process id. Errors are ignored: the lines only inform other processes.
  package func write(_ lines: [String]) {
    let text = Array(([String(getpid())] + lines).map { $0 + "\n" }.joined().utf8)
    ftruncate(descriptor, 0)
    _ = text.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
  }

  /// Returns the lines of the process that has locked the file at `path`, without its process id; `nil` if no
  /// process has locked it, even if the file has lines of an earlier holder.
  package static func lines(ofHolder path: String) -> [String]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_SH | LOCK_NB) != 0 else { return nil }
    return Array(lines(of: descriptor).dropFirst())
  }

  private static func lines(of descriptor: Int32) -> [String] {
    var buffer = [UInt8](repeating: 0, count: 256)
    let count = max(0, pread(descriptor, &buffer, buffer.count, 0))
    return String(decoding: buffer.prefix(count), as: UTF8.self).split(separator: "\n").map(
      String.init)
  }
}
