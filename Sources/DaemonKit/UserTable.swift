import Glibc

/// The users of this machine. Settings name users, because the uid of a unit's user is not known before
/// systemd creates it.
package enum UserTable {
  /// Returns the uid of the user `name`; `nil` if there is no such user.
  package static func number(of name: String) -> UInt32? {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    // Entries that need a larger buffer are not found.
    var buffer = [CChar](repeating: 0, count: 64 << 10)
    guard getpwnam_r(name, &entry, &buffer, buffer.count, &found) == 0, found != nil else {
      return nil
    }
    return entry.pw_uid
  }
}
