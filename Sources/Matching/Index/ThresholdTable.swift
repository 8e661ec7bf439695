// One-sided ranges on one field, such as `rank >= 1000`. A value satisfies all bounds on one side of
// it. The bounds are therefore sorted, in chunks, and a lookup returns whole chunks. It costs a binary
// search and time proportional to its results. An insert moves at most one chunk's postings.

/// The one-sided ranges of one slot in one direction, sorted by bound.
struct ThresholdTable {
  /// The slot of the field.
  let slot: UInt16
  /// Whether the bounds are lower bounds, which values at or above them satisfy.
  let isLower: Bool
  /// Sorted by bound, within a chunk and across chunks.
  private var chunks: [Chunk] = []

  /// Consecutive bounds and their postings.
  struct Chunk {
    var bounds: [UInt64]
    var postings: [Posting]
  }

  private static let chunkEntriesMax = 512

  init(slot: UInt16, isLower: Bool) {
    self.slot = slot
    self.isLower = isLower
  }

  /// The memory in use, in bytes.
  var byteCount: Int {
    chunks.reduce(0) { $0 + $1.bounds.capacity * 8 + $1.postings.capacity * 8 + 80 }
  }

  /// Adds a posting at a bound.
  mutating func insert(_ posting: Posting, at bound: UInt64) {
    guard !chunks.isEmpty else {
      chunks.append(Chunk(bounds: [bound], postings: [posting]))
      return
    }
    let index = max(0, firstChunk(beginningAfter: bound) - 1)
    let position = Self.firstIndex(of: chunks[index].bounds) { $0 > bound }
    chunks[index].bounds.insert(bound, at: position)
    chunks[index].postings.insert(posting, at: position)
    guard chunks[index].bounds.count > Self.chunkEntriesMax else { return }
    let half = chunks[index].bounds.count / 2
    let upper = Chunk(
      bounds: Array(chunks[index].bounds[half...]),
      postings: Array(chunks[index].postings[half...]))
    chunks[index].bounds.removeSubrange(half...)
    chunks[index].postings.removeSubrange(half...)
    chunks.insert(upper, at: index + 1)
  }

  /// Removes the posting of a block at a bound.
  mutating func remove(_ block: UInt32, at bound: UInt64) {
    // Equal bounds can span several chunks.
    var index = firstChunk(beginningAfter: bound) - 1
    while index >= 0 {
      let chunk = chunks[index]
      var position = Self.firstIndex(of: chunk.bounds) { $0 >= bound }
      while position < chunk.bounds.count, chunk.bounds[position] == bound {
        if chunk.postings[position].block == block {
          chunks[index].bounds.remove(at: position)
          chunks[index].postings.remove(at: position)
          if chunks[index].bounds.isEmpty { chunks.remove(at: index) }
          return
        }
        position += 1
      }
      index -= 1
    }
  }

  /// Calls `body` with each run of postings whose bound `value` satisfies.
  @inline(__always)
  func forEachMatch(of value: UInt64, _ body: (UnsafeBufferPointer<Posting>) -> Void) {
    guard !chunks.isEmpty else { return }
    let boundary = max(0, firstChunk(beginningAfter: value) - 1)
    if isLower {
      for index in 0..<boundary { chunks[index].postings.withUnsafeBufferPointer(body) }
      let end = Self.firstIndex(of: chunks[boundary].bounds) { $0 > value }
      chunks[boundary].postings.withUnsafeBufferPointer {
        body(UnsafeBufferPointer(rebasing: $0[..<end]))
      }
    } else {
      // Bounds equal to the value can begin in chunks before the boundary.
      var start = boundary
      while start > 0, chunks[start].bounds[0] == value { start -= 1 }
      for index in start..<chunks.count {
        let first =
          index > boundary ? 0 : Self.firstIndex(of: chunks[index].bounds) { $0 >= value }
        chunks[index].postings.withUnsafeBufferPointer {
          body(UnsafeBufferPointer(rebasing: $0[first...]))
        }
      }
    }
  }

  private func firstChunk(beginningAfter bound: UInt64) -> Int {
    var low = 0
    var high = chunks.count
    while low < high {
      let middle = (low + high) / 2
      if chunks[middle].bounds[0] > bound { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private static func firstIndex(of bounds: [UInt64], where isMet: (UInt64) -> Bool) -> Int {
    var low = 0
    var high = bounds.count
    while low < high {
      let middle = (low + high) / 2
      if isMet(bounds[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
