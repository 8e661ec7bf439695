import Glibc

/// The directory of a daemon's files, locked for this process.
///
/// The lock is held as long as the process runs, so that two daemons never write to the same database. The
/// kernel releases it when the process ends, in any way. The lock file contains the process id.
package final class StateDirectory: Sendable {
  /// The path of the directory.
  package let path: String
  private let lock: Int32

  /// Creates the directory with mode 0700 if it is missing, and locks it. Also sets the umask, so that only
  /// the process's user can read the files it creates.
  /// - Throws: `tryLater` if another process has locked it; `cannotCreate` if it cannot be created or is not
  ///   a directory; `notPermitted` if permissions are missing.
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

  /// Writes the path of this process's socket to the lock file, after the process id.
  package func noteSocket(_ socket: String) {
    let text = Array("\(getpid())\n\(socket)\n".utf8)
    ftruncate(lock, 0)
    _ = text.withUnsafeBytes { pwrite(lock, $0.baseAddress, $0.count, 0) }
  }

  /// Returns the socket of the process that has locked the directory at `path`; `nil` if no process has
  /// locked it, even if the lock file still contains an earlier one.
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

  /// Returns the path of the file `name` in the directory.
  package func file(_ name: String) -> String { "\(path)/\(name)" }

  private static func make(_ path: String) throws(DaemonError) {
    let number = PrivateDirectory.make(path)
    guard number == 0 else {
      throw DaemonError(
        number == EACCES || number == EPERM || number == EROFS ? .notPermitted : .cannotCreate,
        "Cannot create the state directory “\(path)”: \(systemText(number)).",
        hint: "Check its owner and permissions, or choose another directory with --state.")
    }
  }

  private static func taken(_ path: String, by lock: Int32) -> DaemonError {
    var buffer = [UInt8](repeating: 0, count: 20)
    let count = max(0, pread(lock, &buffer, buffer.count, 0))
    let holder = Int32(String(decoding: buffer.prefix(count), as: UTF8.self).prefix { $0 != "\n" })
    let name = holder.map { "process \($0)" } ?? "another process"
    return DaemonError(
      .tryLater, "The state directory “\(path)” is in use by \(name).",
      hint: "Stop that process, or choose another directory with --state.")
  }

  private static func unusable(_ path: String, _ number: Int32) -> DaemonError {
    DaemonError(
      number == EACCES || number == EPERM || number == EROFS ? .notPermitted : .inputOutput,
      "Cannot lock the state directory “\(path)”: \(systemText(number)).",
      hint: "Check its owner and permissions, or choose another directory with --state.")
  }
}
