// What the system says about a file, as the kinds of failure that everything else about disks is
// told in.

import Glibc
import Records

extension StoreError {
  /// A failure of a system call: `what` happened, and the system's reason.
  init(errno number: Int32, _ what: String) {
    switch number {
    case ENOSPC, EDQUOT, EFBIG: self.init(.full, "\(what): the disk is full.")
    case EACCES, EPERM, ENOTDIR, EISDIR, ELOOP:
      self.init(.unreadable, "\(what): \(systemText(number)).")
    default: self.init(.disk, "\(what): \(systemText(number)).")
    }
  }
}

/// What the system says about `number`.
func systemText(_ number: Int32) -> String {
  String(cString: strerror(number))
}

/// What the system says about its last failure.
func errnoText() -> String { systemText(errno) }
