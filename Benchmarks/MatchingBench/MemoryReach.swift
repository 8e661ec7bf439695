// The cost of random memory reads: lines of 64 bytes in random order, in as much memory as an index takes.
// The matches of a change can be anywhere in an index. No index can avoid these reads, and their cost grows
// with the memory.

import CMemory

/// A block of memory that is read in random order.
final class MemoryReach {
  private let start: UnsafeMutableRawPointer
  private let byteCount: Int
  private var state: UInt64 = 11

  /// Allocates `bytes` in large pages, as an index does.
  init(bytes: Int) {
    let step = Int(MEMORY_STEP_BYTES)
    byteCount = (bytes + step - 1) & -step
    guard let start = memory_allocate(byteCount) else {
      preconditionFailure("The system could not allocate memory.")
    }
    self.start = start
    for offset in stride(from: 0, to: byteCount, by: 64) {
      start.storeBytes(of: UInt64(offset), toByteOffset: offset, as: UInt64.self)
    }
  }

  deinit {
    memory_release(start, byteCount)
  }

  /// Returns the mean nanoseconds to read a line. Reads pairs of adjacent lines; no read depends on
  /// another.
  func lineNanoseconds() -> Double {
    let pairs = 100_000
    var sum: UInt64 = 0
    let begin = processorTime()
    for _ in 0..<pairs {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let offset = Int((state >> 20) % UInt64(byteCount / 64 - 1)) * 64
      sum &+= start.load(fromByteOffset: offset, as: UInt64.self)
      sum &+= start.load(fromByteOffset: offset + 64, as: UInt64.self)
    }
    let nanoseconds = Double(processorTime() - begin)
    precondition(sum != 1, "The sum must be used, or the reads are optimized away.")
    return nanoseconds / Double(2 * pairs)
  }
}
