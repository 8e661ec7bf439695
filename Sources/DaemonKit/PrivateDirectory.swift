// Directories that only their owner may enter. Made by hand rather than by Foundation, which loses
// the system's reason on its way.

import Glibc

/// Makes directories of mode 0700.
enum PrivateDirectory {
  /// Makes the directory at `path` and those above it where they are missing; leaves those that
  /// exist as they are.
  /// - Returns: The system's error number, 0 if the directory is there now.
  static func make(_ path: String) -> Int32 {
    var prefix = path.hasPrefix("/") ? "/" : ""
    for component in path.split(separator: "/") {
      prefix += prefix.isEmpty || prefix.hasSuffix("/") ? component : "/\(component)"
      guard mkdir(prefix, 0o700) == 0 || errno == EEXIST || isDirectory(prefix) else {
        return errno
      }
    }
    return isDirectory(path) ? 0 : ENOTDIR
  }

  static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    let number = errno
    defer { errno = number }
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
