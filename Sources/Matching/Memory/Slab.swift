// Memory of one kind of plain values, grown as needed and handed out in runs. The index keeps
// millions of small things: no reference counts, no headers, no pointer but one. What is given back
// goes onto a list by its length and is handed out again before the slab grows; where more is free
// than in use, neighbouring runs are joined and cut anew, so that lengths that nothing has any more
// keep no memory. Large slabs lie in large pages: looking anywhere in a hundred megabytes would else
// wait for the table of pages first.

import CMemory

/// Plain values in one run of memory, by index.
struct Slab<Element: BitwiseCopyable>: ~Copyable {
  /// The values; moves when the slab grows.
  private(set) var base: UnsafeMutablePointer<Element>
  /// How many are in use or on a list of free ones.
  private(set) var count = 0
  private var capacity: Int
  /// The bytes at `base` where they are pages of the system's; 0 where they are not.
  private var mappedBytes = 0
  private var free: [Int: [UInt32]] = [:]
  /// The values on those lists.
  private var freeCount = 0
  /// The values given back since neighbouring runs were last joined.
  private var releasedCount = 0

  /// Fewer free values are not worth a search for a run that can be cut.
  private static var cutFreeCountMin: Int { 4096 }

  /// A slab with room for `capacity` values.
  init(capacity: Int = 0) {
    self.capacity = 0
    base = .allocate(capacity: 0)
    reserve(capacity)
  }

  deinit {
    if mappedBytes > 0 { memory_release(base, mappedBytes) } else { base.deallocate() }
  }

  /// The bytes it takes from the system.
  var byteCount: Int {
    let lists = free.values.reduce(0) { $0 + $1.capacity * 4 + 32 }
    return capacity * MemoryLayout<Element>.stride + lists
  }

  @inline(__always)
  subscript(index: Int) -> Element {
    get { base[index] }
    nonmutating set { base[index] = newValue }
  }

  /// A run of `length` values, not set to anything.
  mutating func allocate(_ length: Int) -> Int {
    if let index = free[length]?.popLast() {
      freeCount -= length
      return Int(index)
    }
    if freeCount > max(Self.cutFreeCountMin, count / 2), let index = cut(length) { return index }
    let index = count
    precondition(index + length <= Int(UInt32.max), "A slab is indexed by 32 bits.")
    reserve(index + length)
    count = index + length
    return index
  }

  /// Takes a run back.
  mutating func release(_ index: Int, _ length: Int) {
    free[length, default: []].append(UInt32(index))
    freeCount += length
    releasedCount += length
  }

  /// A run of `length` values from a longer one that is free; `nil` where there is none.
  private mutating func cut(_ length: Int) -> Int? {
    if releasedCount > freeCount / 2 { joinRuns() }
    let fitting = free.lazy.filter { $0.key >= length && !$0.value.isEmpty }.map(\.key).min()
    guard let fitting, let index = free[fitting]?.popLast() else { return nil }
    freeCount -= length
    if fitting > length { free[fitting - length, default: []].append(index + UInt32(length)) }
    return Int(index)
  }

  /// Makes one run of free ones that lie next to each other; the last values are given up.
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
        keep(joined)
        joined = run
      }
    }
    if joined.end == count { count = joined.start } else { keep(joined) }
  }

  private mutating func keep(_ run: (start: Int, end: Int)) {
    free[run.end - run.start, default: []].append(UInt32(run.start))
    freeCount += run.end - run.start
  }

  /// Adds a value at the end.
  mutating func append(_ element: Element) {
    let index = count
    reserve(index + 1)
    count = index + 1
    base[index] = element
  }

  /// Room for a run at the end, not set to anything; `truncate` gives back what is not used of it.
  mutating func allocateRun(_ length: Int) -> Int {
    let index = count
    reserve(index + length)
    count = index + length
    return index
  }

  /// Forgets the values from `count` on.
  mutating func truncate(to count: Int) {
    self.count = count
  }

  /// Forgets all values and keeps the memory.
  mutating func removeAll() {
    count = 0
  }

  /// Room for so many values in all. Grows by half, by an eighth where that is many megabytes.
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

  /// From so many bytes on, memory comes in large pages and grows without being copied.
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
