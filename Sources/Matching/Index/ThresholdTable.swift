// One-sided ranges on one field, `rank >= 1000`: what a value hits is everything from one end up to
// it, so the bounds are kept sorted, in pieces, and whole pieces are handed over. Cost is that of
// the hits; adding moves at most one piece's worth of memory.

/// Blocks by a bound, of one slot and one direction.
struct ThresholdTable {
  /// The slot of the field.
  let slot: UInt16
  /// Whether the bounds are lower ones, hit by values at or above them.
  let isLower: Bool
  /// Sorted within and among each other.
  private var pieces: [Piece] = []

  /// Entries of neighbouring bounds.
  struct Piece {
    var bounds: [UInt64]
    var postings: [Posting]
  }

  private static let pieceEntriesMax = 512

  init(slot: UInt16, isLower: Bool) {
    self.slot = slot
    self.isLower = isLower
  }

  /// The bytes it takes.
  var byteCount: Int {
    pieces.reduce(0) { $0 + $1.bounds.capacity * 8 + $1.postings.capacity * 8 + 80 }
  }

  /// Files a block under a bound.
  mutating func insert(_ posting: Posting, at bound: UInt64) {
    guard !pieces.isEmpty else {
      pieces.append(Piece(bounds: [bound], postings: [posting]))
      return
    }
    let index = max(0, firstPiece(beginningAfter: bound) - 1)
    let place = Self.firstIndex(of: pieces[index].bounds) { $0 > bound }
    pieces[index].bounds.insert(bound, at: place)
    pieces[index].postings.insert(posting, at: place)
    guard pieces[index].bounds.count > Self.pieceEntriesMax else { return }
    let half = pieces[index].bounds.count / 2
    let upper = Piece(
      bounds: Array(pieces[index].bounds[half...]),
      postings: Array(pieces[index].postings[half...]))
    pieces[index].bounds.removeSubrange(half...)
    pieces[index].postings.removeSubrange(half...)
    pieces.insert(upper, at: index + 1)
  }

  /// Takes a block out from under a bound.
  mutating func remove(_ block: UInt32, at bound: UInt64) {
    // Equal bounds may reach over several pieces.
    var index = firstPiece(beginningAfter: bound) - 1
    while index >= 0 {
      let piece = pieces[index]
      var place = Self.firstIndex(of: piece.bounds) { $0 >= bound }
      while place < piece.bounds.count, piece.bounds[place] == bound {
        if piece.postings[place].block == block {
          pieces[index].bounds.remove(at: place)
          pieces[index].postings.remove(at: place)
          if pieces[index].bounds.isEmpty { pieces.remove(at: index) }
          return
        }
        place += 1
      }
      index -= 1
    }
  }

  /// Calls `body` with every run of postings that `value` hits.
  @inline(__always)
  func forEachHit(by value: UInt64, _ body: (UnsafeBufferPointer<Posting>) -> Void) {
    guard !pieces.isEmpty else { return }
    let boundary = max(0, firstPiece(beginningAfter: value) - 1)
    if isLower {
      for index in 0..<boundary { pieces[index].postings.withUnsafeBufferPointer(body) }
      let end = Self.firstIndex(of: pieces[boundary].bounds) { $0 > value }
      pieces[boundary].postings.withUnsafeBufferPointer {
        body(UnsafeBufferPointer(rebasing: $0[..<end]))
      }
    } else {
      // Bounds equal to the value may begin in pieces before the boundary.
      var start = boundary
      while start > 0, pieces[start].bounds[0] == value { start -= 1 }
      for index in start..<pieces.count {
        let first =
          index > boundary ? 0 : Self.firstIndex(of: pieces[index].bounds) { $0 >= value }
        pieces[index].postings.withUnsafeBufferPointer {
          body(UnsafeBufferPointer(rebasing: $0[first...]))
        }
      }
    }
  }

  private func firstPiece(beginningAfter bound: UInt64) -> Int {
    var low = 0
    var high = pieces.count
    while low < high {
      let middle = (low + high) / 2
      if pieces[middle].bounds[0] > bound { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private static func firstIndex(of bounds: [UInt64], where holds: (UInt64) -> Bool) -> Int {
    var low = 0
    var high = bounds.count
    while low < high {
      let middle = (low + high) / 2
      if holds(bounds[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
