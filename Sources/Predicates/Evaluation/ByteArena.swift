/// A bump allocator for data that is valid while one record is evaluated: its copy and its folded texts.
/// Chunks are reused, so that loading another record allocates no memory.
struct ByteArena: ~Copyable {
  private var chunks: [UnsafeMutableBufferPointer<UInt8>] = []
  /// The end of the allocated bytes.
  private(set) var mark = Mark(chunk: 0, used: 0)

  /// A position in an arena.
  struct Mark {
    fileprivate var chunk: Int
    fileprivate var used: Int
  }

  init() {}

  deinit {
    for chunk in chunks { chunk.deallocate() }
  }

  /// Allocates `count` uninitialized bytes. Their address is stable until they are released.
  mutating func allocate(_ count: Int) -> UnsafeMutableBufferPointer<UInt8> {
    while mark.chunk < chunks.count {
      let chunk = chunks[mark.chunk]
      if chunk.count - mark.used >= count {
        let bytes = UnsafeMutableBufferPointer(rebasing: chunk[mark.used..<mark.used + count])
        mark.used += count
        return bytes
      }
      mark = Mark(chunk: mark.chunk + 1, used: 0)
    }
    chunks.append(.allocate(capacity: max(count, 16 << 10)))
    return allocate(count)
  }

  /// Releases all bytes allocated since `mark`.
  mutating func release(to mark: Mark) {
    self.mark = mark
  }

  /// Releases all bytes, and frees all chunks but the first.
  mutating func reset() {
    mark = Mark(chunk: 0, used: 0)
    guard chunks.count > 1 else { return }
    while chunks.count > 1 { chunks.removeLast().deallocate() }
  }
}
