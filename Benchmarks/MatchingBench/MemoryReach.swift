// What looking anywhere costs: lines of 64 bytes, in random order, over as much memory as an index
// takes. However an index is built, what it finds for a change lies anywhere in it; this is the part
// of a match that no program can be without, and it grows with the memory, not with the program.

import CMemory

/// Memory of some size, and places in it in random order.
final class MemoryReach {
  private let start: UnsafeMutableRawPointer
  private let byteCount: Int
  private var state: UInt64 = 11

  /// Memory of `bytes`, in large pages as an index has it.
  init(bytes: Int) {
    let step = Int(MEMORY_STEP_BYTES)
    byteCount = (bytes + step - 1) & -step
    guard let start = memory_allocate(byteCount) else {
      preconditionFailure("The system has no memory to measure.")
    }
    self.start = start
    for offset in stride(from: 0, to: byteCount, by: 64) {
      start.storeBytes(of: UInt64(offset), toByteOffset: offset, as: UInt64.self)
    }
  }

  deinit {
    memory_release(start, byteCount)
  }

  /// The nanoseconds of a line, two next to each other at a time, none of which waits for another.
  func measured() -> Double {
    let pairs = 100_000
    var sum: UInt64 = 0
    let begin = processorTime()
    for _ in 0..<pairs {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let place = Int((state >> 20) % UInt64(byteCount / 64 - 1)) * 64
      sum &+= start.load(fromByteOffset: place, as: UInt64.self)
      sum &+= start.load(fromByteOffset: place + 64, as: UInt64.self)
    }
    let nanoseconds = Double(processorTime() - begin)
    precondition(sum != 1, "The sum is only there to be needed.")
    return nanoseconds / Double(2 * pairs)
  }
}
