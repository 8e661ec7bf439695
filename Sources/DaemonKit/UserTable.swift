// The machine's users by name, for settings that people write: units run as users whose numbers
// nobody knows before they are made.

import Glibc

/// The machine's users.
enum UserTable {
  /// The number of the user `name`; `nil` if there is none.
  static func number(of name: String) -> UInt32? {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    // What Linux's own tools take for a long entry; one that is longer is not found.
    var buffer = [CChar](repeating: 0, count: 64 << 10)
    guard getpwnam_r(name, &entry, &buffer, buffer.count, &found) == 0, found != nil else {
      return nil
    }
    return entry.pw_uid
  }
}
