import Glibc

/// A file's inode, length and times. Two equal identities mean that the file was neither written to nor
/// renamed in between.
package struct FileIdentity: Hashable {
  /// The length of the file.
  let byteCount: Int
  /// Whether the file still has a name.
  let isNamed: Bool
  private let device: UInt
  private let inode: UInt
  private let modified: Time
  private let changed: Time

  private struct Time: Hashable {
    let seconds: Int
    let nanoseconds: Int

    init(_ time: timespec) { (seconds, nanoseconds) = (time.tv_sec, time.tv_nsec) }
  }

  /// Reads the identity of an open file.
  init(of file: Int32) {
    var status = stat()
    // If the call fails, the identity has no name and equals no named file.
    let isKnown = fstat(file, &status) == 0
    byteCount = Int(status.st_size)
    isNamed = isKnown && status.st_nlink > 0
    device = UInt(status.st_dev)
    inode = UInt(status.st_ino)
    modified = Time(status.st_mtim)
    changed = Time(status.st_ctim)
  }
}
