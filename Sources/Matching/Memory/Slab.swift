// Memory of one kind of plain values, grown as needed and handed out in runs. The index keeps
// millions of small things: no reference counts, no headers, no pointer but one. What is given back
// goes onto a list by its length and is handed out again before the slab grows.

/// Plain values in one run of memory, by index.
struct Slab<Element: BitwiseCopyable>: ~Copyable {
  /// The values; moves when the slab grows.
  private(set) var base: UnsafeMutablePointer<Element>
  /// How many are in use or on a list of free ones.
  private(set) var count = 0
  private var capacity: Int
  private var free: [Int: [UInt32]] = [:]

  /// A slab with room for `capacity` values.
  init(capacity: Int = 0) {
    self.capacity = capacity
    base = .allocate(capacity: capacity)
  }

  deinit {
    base.deallocate()
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
    let isLarge = capacity * MemoryLayout<Element>.stride > 4 << 20
    let grown = max(wanted, capacity + (isLarge ? capacity / 8 : capacity / 2), 8)
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: grown)
    larger.initialize(from: base, count: count)
    base.deallocate()
    base = larger
    capacity = grown
  }
}
