import Glibc
import WholeFiles

/// The directory of a daemon's files, locked for this process.
///
/// The lock is held as long as the process runs, so that two daemons never write to the same database. The
/// kernel releases it when the process ends, in any way. The lock file contains the process id.
package final class StateDirectory: Sendable {
  /// The path of the directory.
  package let path: String
  private let lock: FileLock

  /// Creates the directory with mode 0700 if it is missing, and locks it. Also sets the umask, so that only
  /// the process's user can read the files it creates.
  /// - Throws: `tryLater` if another process has locked it; `cannotCreate` if it cannot be created or is not
  ///   a directory; `notPermitted` if permissions are missing.
  package init(path: String) throws(DaemonError) {
    umask(0o077)
    try Self.make(path)
    do {
      lock = try FileLock(at: "\(path)/lock")
    } catch {
      throw Self.unusable(path, error)
    }
    self.path = path
  }

  /// Writes the path of this process's socket to the lock file, after the process id.
  package func noteSocket(_ socket: String) { lock.write([socket]) }

  /// Returns the socket of the process that has locked the directory at `path`; `nil` if no process has
  /// locked it, even if the lock file still contains an earlier one.
  package static func socket(ofHolder path: String) -> String? {
    FileLock.lines(ofHolder: "\(path)/lock")?.first
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

  private static func unusable(_ path: String, _ failure: FileLock.Failure) -> DaemonError {
    switch failure {
    case .held(let holder):
      let name = holder.map { "process \($0)" } ?? "another process"
      return DaemonError(
        .tryLater, "The state directory “\(path)” is in use by \(name).",
        hint: "Stop that process, or choose another directory with --state.")
    case .system(let number):
      return DaemonError(
        number == EACCES || number == EPERM || number == EROFS ? .notPermitted : .inputOutput,
        "Cannot lock the state directory “\(path)”: \(systemText(number)).",
        hint: "Check its owner and permissions, or choose another directory with --state.")
    }
  }
}
