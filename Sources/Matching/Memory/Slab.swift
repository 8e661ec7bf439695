// An allocator of runs of plain values. The index has millions of small values, so they have no headers,
// reference counts or pointers of their own. Released runs are in free lists by length and are reused
// before the slab grows. If more than half of a slab is free, adjacent runs are joined and can be split,
// so that lengths that are no longer used occupy no memory. Large slabs use huge pages, because random
// access to hundreds of megabytes would otherwise miss the TLB.

import CMemory

/// Plain values in contiguous memory, allocated in runs and addressed by index.
struct Slab<Element: BitwiseCopyable>: ~Copyable {
  /// The address of the first value. It changes when the slab grows.
  private(set) var base: UnsafeMutablePointer<Element>
  /// The number of values that are in use or in a free list.
  private(set) var count = 0
  private var capacity: Int
  /// The bytes at `base` if they are mapped pages; 0 if they come from the heap.
  private var mappedBytes = 0
  /// The free lists: the indexes of free runs, by length.
  private var free: [Int: [UInt32]] = [:]
  /// The number of values in free lists.
  private var freeCount = 0
  /// The number of values released since adjacent runs were last joined.
  private var releasedCount = 0

  /// With fewer free values, splitting a longer run is not worth the search.
  private static var splitFreeCountMin: Int { 4096 }

  /// Creates a slab with room for `capacity` values.
  init(capacity: Int = 0) {
    self.capacity = 0
    base = .allocate(capacity: 0)
    reserve(capacity)
  }

  deinit {
    if mappedBytes > 0 { memory_release(base, mappedBytes) } else { base.deallocate() }
  }

  /// The allocated memory, in bytes.
  var byteCount: Int {
    let lists = free.values.reduce(0) { $0 + $1.capacity * 4 + 32 }
    return capacity * MemoryLayout<Element>.stride + lists
  }

  @inline(__always)
  subscript(index: Int) -> Element {
    get { base[index] }
    nonmutating set { base[index] = newValue }
  }

  /// Allocates a run of `length` uninitialized values. Returns its index.
  mutating func allocate(_ length: Int) -> Int {
    if let index = free[length]?.popLast() {
      freeCount -= length
      return Int(index)
    }
    if freeCount > max(Self.splitFreeCountMin, count / 2), let index = split(length) {
      return index
    }
    let index = count
    precondition(index + length <= Int(UInt32.max), "A slab is indexed by 32 bits.")
    reserve(index + length)
    count = index + length
    return index
  }

  /// Frees a run.
  mutating func release(_ index: Int, _ length: Int) {
    free[length, default: []].append(UInt32(index))
    freeCount += length
    releasedCount += length
  }

  /// Allocates a run of `length` values from the shortest free run that is long enough; `nil` if there
  /// is none.
  private mutating func split(_ length: Int) -> Int? {
    if releasedCount > freeCount / 2 { joinRuns() }
    let fitting = free.lazy.filter { $0.key >= length && !$0.value.isEmpty }.map(\.key).min()
    guard let fitting, let index = free[fitting]?.popLast() else { return nil }
    freeCount -= length
    if fitting > length { free[fitting - length, default: []].append(index + UInt32(length)) }
    return Int(index)
  }

  /// Joins adjacent free runs. A free run at the end is removed from the slab.
  private mutating func joinRuns() {
    let runs = free.flatMap { length, indexes in
      indexes.map { (start: Int($0), end: Int($0) + length) }
    }.sorted { $0.start < $1.start }
    free = [:]
    (freeCount, releasedCount) = (0, 0)
    var joined = runs.first ?? (start: count, end: count)
    for run in runs.dropFirst() {
      if run.start == joined.end {
        joined.end = run.end
      } else {
        addFree(joined)
        joined = run
      }
    }
    if joined.end == count { count = joined.start } else { addFree(joined) }
  }

  private mutating func addFree(_ run: (start: Int, end: Int)) {
    free[run.end - run.start, default: []].append(UInt32(run.start))
    freeCount += run.end - run.start
  }

  /// Appends a value.
  mutating func append(_ element: Element) {
    let index = count
    reserve(index + 1)
    count = index + 1
    base[index] = element
  }

  /// Appends a run of `length` uninitialized values and returns its index. Remove the unused rest with
  /// `truncate(to:)`.
  mutating func allocateRun(_ length: Int) -> Int {
    let index = count
    reserve(index + length)
    count = index + length
    return index
  }

  /// Removes the values from index `count` on.
  mutating func truncate(to count: Int) {
    self.count = count
  }

  /// Removes all values and retains the memory.
  mutating func removeAll() {
    count = 0
  }

  /// Extends the capacity to at least `wanted` values. It grows by half, or by an eighth if the slab is
  /// mapped and large.
  private mutating func reserve(_ wanted: Int) {
    guard wanted > capacity else { return }
    let isLarge = mappedBytes > Self.mappedBytesMin
    let grown = max(wanted, capacity + (isLarge ? capacity / 8 : capacity / 2), 8)
    guard grown * MemoryLayout<Element>.stride < Self.mappedBytesMin else { return map(grown) }
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: grown)
    larger.initialize(from: base, count: count)
    base.deallocate()
    base = larger
    capacity = grown
  }

  /// The size in bytes from which a slab uses mapped memory in huge pages, which grows without a copy.
  private static var mappedBytesMin: Int { 2 * Int(MEMORY_STEP_BYTES) }

  private mutating func map(_ wanted: Int) {
    let step = Int(MEMORY_STEP_BYTES)
    let bytes = (wanted * MemoryLayout<Element>.stride + step - 1) & -step
    let start =
      mappedBytes > 0
      ? memory_resize(base, mappedBytes, bytes) : memory_allocate(bytes)
    guard let start else { preconditionFailure("The system has no memory for the index.") }
    let larger = start.bindMemory(to: Element.self, capacity: bytes / MemoryLayout<Element>.stride)
    if mappedBytes == 0 {
      larger.initialize(from: base, count: count)
      base.deallocate()
    }
    base = larger
    mappedBytes = bytes
    capacity = bytes / MemoryLayout<Element>.stride
  }
}
