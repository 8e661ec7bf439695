// Memory for what lives as long as one record is looked at: its copy, its folded texts. It is taken
// from the front and given back all at once, so looking at a record asks the allocator for nothing.

/// Memory that is given back as a whole, or back to a mark.
struct ByteArena: ~Copyable {
  private var chunks: [UnsafeMutableBufferPointer<UInt8>] = []
  private var place = Mark(chunk: 0, used: 0)

  /// A place to go back to.
  struct Mark {
    fileprivate var chunk: Int
    fileprivate var used: Int
  }

  /// Where the next piece begins.
  var mark: Mark { place }

  init() {}

  deinit {
    for chunk in chunks { chunk.deallocate() }
  }

  /// A piece of so many bytes, not set to anything, that stays where it is until it is given back.
  mutating func allocate(_ count: Int) -> UnsafeMutableBufferPointer<UInt8> {
    while place.chunk < chunks.count {
      let chunk = chunks[place.chunk]
      if chunk.count - place.used >= count {
        let piece = UnsafeMutableBufferPointer(rebasing: chunk[place.used..<place.used + count])
        place.used += count
        return piece
      }
      place = Mark(chunk: place.chunk + 1, used: 0)
    }
    chunks.append(.allocate(capacity: max(count, 16 << 10)))
    return allocate(count)
  }

  /// Gives back everything since `mark`.
  mutating func release(to mark: Mark) {
    place = mark
  }

  /// Gives everything back, and to the system what one large record made necessary.
  mutating func reset() {
    place = Mark(chunk: 0, used: 0)
    guard chunks.count > 1 else { return }
    while chunks.count > 1 { chunks.removeLast().deallocate() }
  }
}
