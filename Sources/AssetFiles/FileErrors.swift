import Glibc
import Records

extension StoreError {
  /// Creates the error for a failed system call: the sentence `what`, followed by the system's reason.
  init(errno number: Int32, _ what: String) {
    switch number {
    case ENOSPC, EDQUOT, EFBIG: self.init(.full, "\(what): the disk is full.")
    case EACCES, EPERM, ENOTDIR, EISDIR, ELOOP:
      self.init(.unreadable, "\(what): \(systemText(number)).")
    default: self.init(.disk, "\(what): \(systemText(number)).")
    }
  }
}

/// Returns the system's text for an error number.
func systemText(_ number: Int32) -> String {
  String(cString: strerror(number))
}

/// Returns the system's text for `errno`.
func errnoText() -> String { systemText(errno) }
