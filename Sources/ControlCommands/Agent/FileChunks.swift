// A file that is sent while it is read, without loading it into memory. It counts the bytes read, for a
// progress display.

import Foundation
import NIOCore
import Records
import Synchronization

/// The bytes of a file or of stdin, in chunks.
struct FileChunks: AsyncSequence, Sendable {
  private static let chunkBytes = 64 << 10

  /// Its size; `nil` if unknown.
  let sizeBytes: Int64?
  private let handle: FileHandle
  private let counter: Counter

  fileprivate final class Counter: Sendable {
    let bytes = Atomic<Int64>(0)
  }

  /// Opens the file at `path`; `-` is stdin.
  /// - Throws: Any error of `InputFile.open`.
  init(path: String) throws(ControlFailure) {
    counter = Counter()
    handle = try InputFile.open(path)
    var status = stat()
    guard fstat(handle.fileDescriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      path != "-"
    else {
      sizeBytes = nil
      return
    }
    sizeBytes = status.st_size > 0 ? Int64(status.st_size) : nil
  }

  /// The number of bytes read so far.
  var readBytes: Int64 { counter.bytes.load(ordering: .relaxed) }

  func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(handle: handle, counter: counter)
  }

  struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let handle: FileHandle
    fileprivate let counter: Counter

    mutating func next() async throws -> ByteBuffer? {
      guard let chunk = try handle.read(upToCount: FileChunks.chunkBytes), !chunk.isEmpty else {
        return nil
      }
      counter.bytes.add(Int64(chunk.count), ordering: .relaxed)
      return ByteBuffer(bytes: chunk)
    }
  }
}
