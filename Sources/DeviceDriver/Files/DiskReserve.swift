import Glibc

/// A file that reserves disk space and is deleted when the disk is full.
///
/// On a full disk a program could not store the outcomes of requests that it has already sent. It then
/// deletes this file to have space for them, and begins no new work until the file can be allocated again.
package struct DiskReserve: Sendable {
  /// The default size, enough for a few thousand small transactions.
  package static let usualBytes = 4 << 20

  private let path: String
  private let byteCount: Int
  /// Whether the space is reserved.
  package private(set) var isHeld = false

  /// Creates a reserve at `path` without allocating it.
  package init(path: String, byteCount: Int = Self.usualBytes) {
    self.path = path
    self.byteCount = byteCount
  }

  /// Reserves the space unless it is reserved already. Returns `false` if the disk has no room for it.
  package mutating func hold() -> Bool {
    if isHeld { return true }
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    // NB: blocks that the file already has, from an earlier run, are not allocated twice.
    isHeld = posix_fallocate(descriptor, 0, off_t(byteCount)) == 0
    if !isHeld { unlink(path) }
    return isHeld
  }

  /// Deletes the file, which frees the space for writes that cannot wait.
  package mutating func giveBack() {
    unlink(path)
    isHeld = false
  }
}
