import CMemory

/// The C allocator's settings for large blocks.
///
/// A page of changes or a chunk of a file needs a block of a few hundred kilobytes, many in a row. By
/// default the allocator maps each such block and unmaps it after use. The page faults of the new mappings
/// took a quarter of the time of sending photos. These settings let the process reuse the memory.
package enum LargeBlocks {
  /// The size in bytes below which blocks come from the heap instead of mappings of their own.
  private static let mappedBytes: CInt = 8 << 20
  /// The number of free bytes at the end of the heap above which they are returned to the kernel.
  private static let spareBytes: CInt = 8 << 20

  /// Makes the allocator retain up to `spareBytes` of freed memory. Call it once, before threads start.
  package static func keep() {
    memory_keep_blocks(mappedBytes, spareBytes)
  }
}
