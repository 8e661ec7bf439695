// Memory of one kind of plain values, grown as needed and handed out in runs. The index keeps
// millions of small things: no reference counts, no headers, no pointer but one. What is given back
// goes onto a list by its length and is handed out again before the slab grows. Large slabs lie in
// large pages: looking anywhere in a hundred megabytes would else wait for the table of pages first.

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
      return Int(index)
    }
    let index = count
    precondition(index + length <= Int(UInt32.max), "A slab is indexed by 32 bits.")
    reserve(index + length)
    count = index + length
    return index
  }

  /// Takes a run back.
  mutating func release(_ index: Int, _ length: Int) {
    free[length, default: []].append(UInt32(index))
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
