// The one directory a daemon keeps its files in. It is locked for as long as the process lives, so
// that two daemons never write the same database; the kernel gives the lock back however the process
// ends. The lock file names its holder, for people.

import Glibc

/// A directory that belongs to this process alone.
package final class StateDirectory: Sendable {
  /// Where it is.
  package let path: String
  private let lock: Int32

  /// Makes the directory (mode 0700) where it is missing and takes it for this process. Files made
  /// by the process from here on can be read by its user only.
  /// - Throws: `tryLater` when another process has it, `cannotCreate` when it cannot be made or
  ///   is not a directory, `notPermitted` when it may not be used.
  package init(path: String) throws(DaemonError) {
    umask(0o077)
    try Self.make(path)
    let file = "\(path)/lock"
    let lock = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard lock >= 0 else { throw Self.unusable(path, errno) }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      let error = errno == EWOULDBLOCK ? Self.taken(path, by: lock) : Self.unusable(path, errno)
      close(lock)
      throw error
    }
    let holder = Array("\(getpid())\n".utf8)
    ftruncate(lock, 0)
    _ = holder.withUnsafeBytes { pwrite(lock, $0.baseAddress, $0.count, 0) }
    self.path = path
    self.lock = lock
  }

  deinit { close(lock) }

  /// Writes down where this process can be reached, behind its number.
  package func noteSocket(_ socket: String) {
    let text = Array("\(getpid())\n\(socket)\n".utf8)
    ftruncate(lock, 0)
    _ = text.withUnsafeBytes { pwrite(lock, $0.baseAddress, $0.count, 0) }
  }

  /// The socket that the process which has the directory at `path` wrote down; `nil` where no process
  /// has it now, whatever an earlier one left in the file.
  package static func socket(ofHolder path: String) -> String? {
    let lock = open("\(path)/lock", O_RDONLY | O_CLOEXEC)
    guard lock >= 0 else { return nil }
    defer { close(lock) }
    guard flock(lock, LOCK_SH | LOCK_NB) != 0 else { return nil }
    var buffer = [UInt8](repeating: 0, count: 256)
    let count = max(0, pread(lock, &buffer, buffer.count, 0))
    let lines = String(decoding: buffer.prefix(count), as: UTF8.self).split(separator: "\n")
    return lines.count == 2 ? String(lines[1]) : nil
  }

  /// The path of the file `name` in the directory.
  package func file(_ name: String) -> String { "\(path)/\(name)" }

  private static func make(_ path: String) throws(DaemonError) {
    let number = PrivateDirectory.make(path)
    guard number == 0 else {
      throw DaemonError(
        number == EACCES || number == EPERM || number == EROFS ? .notPermitted : .cannotCreate,
        "The state directory “\(path)” cannot be made: \(systemText(number)).",
        hint: "Choose another with --state.")
    }
  }

  private static func taken(_ path: String, by lock: Int32) -> DaemonError {
    var buffer = [UInt8](repeating: 0, count: 20)
    let count = max(0, pread(lock, &buffer, buffer.count, 0))
    let holder = Int32(String(decoding: buffer.prefix(count), as: UTF8.self).prefix { $0 != "\n" })
    let name = holder.map { "process \($0)" } ?? "another process"
    return DaemonError(
      .tryLater, "The state directory “\(path)” is in use by \(name).",
      hint: "Stop that one, or choose another directory with --state.")
  }

  private static func unusable(_ path: String, _ number: Int32) -> DaemonError {
    DaemonError(
      number == EACCES || number == EPERM || number == EROFS ? .notPermitted : .inputOutput,
      "The state directory “\(path)” cannot be used: \(systemText(number)).",
      hint: "Choose another with --state.")
  }
}
