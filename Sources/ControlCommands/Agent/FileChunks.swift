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
  /// - Throws: `notFound` or `inputOutput`, with a sentence.
  init(path: String) throws(ControlFailure) {
    counter = Counter()
    guard path != "-" else {
      handle = .standardInput
      sizeBytes = nil
      return
    }
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw .error(.unknownItem, "There is no file “\(path)”.")
    }
    guard !isFolder.boolValue else {
      throw .error(.invalidArguments, "“\(path)” is a folder.", hint: "Name the files in it.")
    }
    do {
      handle = try FileHandle(forReadingFrom: URL(filePath: path))
      let end = try handle.seekToEnd()
      try handle.seek(toOffset: 0)
      sizeBytes = end > 0 ? Int64(end) : nil
    } catch {
      throw ControlFailure(
        code: "inputOutput", message: "“\(path)” cannot be read.",
        hint: "Are you permitted to?", exitCode: .inputOutput)
    }
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
