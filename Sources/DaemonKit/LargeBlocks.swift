// A page of changes or a piece of a file takes a block of some hundred kilobytes, and many of them one
// after the other. The system's allocator gives such a block back to the kernel with every use and
// takes it anew, each of its pages touched for the first time again: a quarter of the time of sending
// photos. So a little more stays with the process.

import CMemory

/// What the allocator does with large blocks.
package enum LargeBlocks {
  /// Blocks below so many bytes are parts of the heap, not mappings of their own.
  private static let mappedBytes: CInt = 8 << 20
  /// What may be free at the heap's end before it goes back to the kernel.
  private static let spareBytes: CInt = 8 << 20

  /// Keeps what is let go for the next one, as far as `spareBytes` reaches. To be called once, before
  /// there are threads.
  package static func keep() {
    memory_keep_blocks(mappedBytes, spareBytes)
  }
}
