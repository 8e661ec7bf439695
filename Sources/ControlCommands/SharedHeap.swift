import CMemory

/// The C allocator's settings for a program that runs for a few milliseconds.
///
/// By default, each thread has a heap of its own, which grows by single pages, each with a system call. A list of a
/// thousand contacts made forty such calls.
package enum SharedHeap {
  /// The bytes by which the heap grows.
  private static let stepBytes: CInt = 1 << 20

  /// Makes all threads share one heap. Call it on the main thread, before others start.
  package static func use() {
    memory_share_heap(stepBytes)
  }
}
