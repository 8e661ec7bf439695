// Room on the disk that is kept for the moment when there is none. A full disk would stop a program
// also from noting what it must note to come to rest: answers to what it sent, what came in meanwhile.
// So a file is kept that is worth nothing, and given back then; until there is room for it again,
// nothing new is begun.

import Glibc

/// A file that can be given up.
package struct DiskReserve: Sendable {
  /// Enough for a few thousand small transactions.
  package static let usualBytes = 4 << 20

  private let path: String
  private let byteCount: Int
  /// Whether the room is there.
  package private(set) var isHeld = false

  /// A reserve at `path`, which is not held yet.
  package init(path: String, byteCount: Int = Self.usualBytes) {
    self.path = path
    self.byteCount = byteCount
  }

  /// Takes the room, if it is not held. Returns whether it is held now; costs nothing if it was.
  package mutating func hold() -> Bool {
    if isHeld { return true }
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    // NB: blocks of a file that is there already, from a run before, are kept and not taken twice.
    isHeld = posix_fallocate(descriptor, 0, off_t(byteCount)) == 0
    if !isHeld { unlink(path) }
    return isHeld
  }

  /// Gives the room back, for what has to be written.
  package mutating func giveBack() {
    unlink(path)
    isHeld = false
  }
}
