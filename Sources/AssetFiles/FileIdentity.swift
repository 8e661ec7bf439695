// Whether a file is the one that was looked at before, as the system tells it: every write and every
// change of its name shows in one of these.

import Glibc

/// A file's inode, length and times.
struct FileIdentity: Hashable {
  /// Its length.
  let byteCount: Int
  /// Whether it has a name.
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

  /// The identity of an open file.
  init(of file: Int32) {
    var status = stat()
    // What cannot be asked has no name and equals no file that has one.
    let isKnown = fstat(file, &status) == 0
    byteCount = Int(status.st_size)
    isNamed = isKnown && status.st_nlink > 0
    device = UInt(status.st_dev)
    inode = UInt(status.st_ino)
    modified = Time(status.st_mtim)
    changed = Time(status.st_ctim)
  }
}
