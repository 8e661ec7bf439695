// A connection is an open file. The usual limit of 1,024 is for programs that use `select`; ours do
// not, so they take what the administrator allows.

import Glibc

/// The limit on a process's open files.
package enum OpenFiles {
  /// The files that this process may have open at once.
  package static var limit: Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
    return Int(clamping: limit.rlim_cur)
  }

  /// Raises the soft limit to the hard one. A kernel that refuses leaves it as it was.
  package static func raiseLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
