// A file as it is read, for sending it without holding it. How much of it is gone is counted, for
// whoever shows progress.

import Foundation
import NIOCore
import Records
import Synchronization

/// The bytes of a file or of stdin, in chunks.
struct FileChunks: AsyncSequence, Sendable {
  private static let chunkBytes = 64 << 10

  /// Its size; `nil` where that is not known beforehand.
  let sizeBytes: Int64?
  private let handle: FileHandle
  private let counter: Counter

  fileprivate final class Counter: Sendable {
    let bytes = Atomic<Int64>(0)
  }

  /// Opens the file at `path`; `-` is stdin.
  /// - Throws: what `InputFile.open` throws.
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

  /// How much of it has been read.
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
