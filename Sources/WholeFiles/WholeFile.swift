// A file that appears when it is whole, and that nobody but its owner may read. It is written beside
// its place, under a name that is nobody else's and through no link that somebody laid there, made
// durable, and moved to its place: what stood there before is there until then, whatever happens.

import Glibc

/// A file that is being written.
package final class WholeFile {
  /// What the system said instead of doing it.
  package struct Failure: Error, Hashable, CustomStringConvertible {
    /// The system's number.
    package let number: Int32

    /// The system's words.
    package var description: String { String(cString: strerror(number)) }

    fileprivate static var latest: Failure { Failure(number: errno) }
  }

  private let path: String
  private let partPath: String
  private let descriptor: Int32
  private var isOver = false

  /// Begins a file that is to stand at `path`, in the folder where it will be.
  /// - Throws: when nothing can be made there.
  package init(at path: String) throws(Failure) {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    var dice = SystemRandomNumberGenerator()
    self.path = path
    partPath = "\(folder).part-\(String(dice.next() as UInt64, radix: 36))"
    descriptor = open(
      partPath, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .latest }
  }

  /// Writes all of `bytes`, behind what was written before.
  package func write(_ bytes: some Collection<UInt8>) throws(Failure) {
    let all = Array(bytes)
    var rest = all[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 || errno == EINTR else { throw .latest }
      rest = rest.dropFirst(max(0, count))
    }
  }

  /// Makes it appear, once it is on the disk. Where this throws, what was there before is there
  /// still, and `discard` is to be called.
  package func finish() throws(Failure) {
    guard fsync(descriptor) == 0, rename(partPath, path) == 0 else { throw .latest }
    isOver = true
    close(descriptor)
    keepFolder()
  }

  /// Leaves everything as it was before; nothing where it has appeared already.
  package func discard() {
    guard !isOver else { return }
    isOver = true
    close(descriptor)
    unlink(partPath)
  }

  /// A new name is durable when its folder is. A folder that cannot be opened, or is on a disk that
  /// does not know this, keeps nobody from the file, which is there.
  private func keepFolder() {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}

extension WholeFile {
  /// Puts a whole file with this content at `path`.
  /// - Throws: when that is not possible; then what was there before is there still.
  package static func put(_ bytes: some Collection<UInt8>, at path: String) throws(Failure) {
    let file = try WholeFile(at: path)
    do {
      try file.write(bytes)
      try file.finish()
    } catch {
      file.discard()
      throw error
    }
  }
}
