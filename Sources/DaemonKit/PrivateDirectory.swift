import Glibc

/// Creates directories with mode 0700, which only their owner may enter. It calls `mkdir` because Foundation
/// does not report the system's error number.
enum PrivateDirectory {
  /// Creates the directory at `path` and its missing parents. Existing directories stay unchanged.
  /// - Returns: The system's error number; 0 if the directory exists afterwards.
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
