import Glibc

/// The limit on the open files of this process.
///
/// Each connection is an open file. The usual soft limit of 1,024 exists for programs that use `select`.
/// These daemons do not, so they raise it to the hard limit, which the operator sets.
package enum OpenFiles {
  /// Raises the soft limit to the hard limit. Errors are ignored.
  package static func raiseLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
