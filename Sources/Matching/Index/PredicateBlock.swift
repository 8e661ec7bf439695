// A predicate in the index is a block: a header, instructions and constants in one run of memory, so that
// evaluating a candidate reads consecutive memory. A block's number is its offset, in units of 16 bytes.

import Predicates

/// The unit of allocation of blocks: 16 bytes.
struct BlockUnit: BitwiseCopyable {
  var low: UInt64 = 0
  var high: UInt64 = 0
}

/// The first 32 bytes of a block.
struct BlockHeader: BitwiseCopyable {
  /// The number of the last event that the block was a candidate of.
  var stamp: UInt32 = 0
  /// The only subscriber, as a `SubscriberEntry`, or the offset of the list of subscribers.
  var subscriber: UInt32 = 0
  /// Bit n: the predicate reads some slot s with s mod 32 = n. All bits are set if it reads all texts.
  var slotMask: UInt32
  /// The length of the block, in units.
  var units: UInt32
  /// The symbol of the first posting list that contains the block; 0 for none.
  var symbol: UInt32 = 0
  /// The block's position in that list.
  var position: UInt32 = 0
  /// Further positions, a chain of `KeyEntry`; 0 for none.
  var entries: UInt32 = 0
  /// The number of instructions.
  var instructionCount: UInt16
  /// The union of the subscribers' firing options.
  var options: UInt8
  /// A combination of `hasList` and `hasAny`.
  var flags: UInt8 = 0

  static let unitCount = 2
  /// The flag of a block whose `subscriber` is a list.
  static let hasList: UInt8 = 1
  /// The flag of a block with at least one subscriber.
  static let hasAny: UInt8 = 4
}

/// A position of a block in a posting list or a table of bounds, in addition to the header's.
struct KeyEntry: BitwiseCopyable {
  /// The symbol that owns the list; 0 for a table of bounds.
  var symbol: UInt32
  /// The position in the posting list; for a table of bounds, its index in `PostingLists.thresholds`.
  var position: UInt32
  /// For a table of bounds, the bound; otherwise 0.
  var bound: UInt64
  /// The block's next entry; 0 for none.
  var next: UInt32
}

/// A block in a posting list.
struct Posting: BitwiseCopyable {
  var block: UInt32
  /// A second equality that the predicate requires, so that a posting can be skipped without reading its
  /// block: the slot in the low 8 bits, and above it the low 24 bits of the symbol. 0 for none.
  var signature: UInt32
}

/// An entry of the hash table that finds equal blocks. Block 0 marks an empty bucket.
struct BlockBucket: BitwiseCopyable {
  var block: UInt32
  var hash: UInt32
}

/// The blocks of a partition, and a hash table that finds a block by its program.
struct PredicateBlocks: ~Copyable {
  private(set) var units = Slab<BlockUnit>()
  private var buckets = Slab<BlockBucket>()
  private var bucketCount = 0
  /// The number of blocks.
  private(set) var count = 0

  init() {
    // No block begins at 0. The first begins at a cache line, and so do most others, because nearly all
    // blocks have 64 or 96 bytes.
    _ = units.allocate(4)
    setBuckets(16)
  }

  var byteCount: Int { units.byteCount + buckets.byteCount }

  @inline(__always)
  func header(_ block: UInt32) -> UnsafeMutablePointer<BlockHeader> {
    UnsafeMutableRawPointer(units.base + Int(block)).assumingMemoryBound(to: BlockHeader.self)
  }

  @inline(__always)
  func code(_ block: UInt32) -> UnsafePointer<Instruction> {
    UnsafePointer(
      UnsafeMutableRawPointer(units.base + Int(block) + BlockHeader.unitCount)
        .assumingMemoryBound(to: Instruction.self))
  }

  @inline(__always)
  func constants(_ block: UInt32, _ header: UnsafeMutablePointer<BlockHeader>) -> UnsafeRawPointer {
    UnsafeRawPointer(
      units.base + Int(block) + BlockHeader.unitCount + Int(header.pointee.instructionCount))
  }

  /// Returns the block with exactly this program, if there is one.
  func find(_ program: borrowing Program) -> UInt32? {
    let hash = Self.hash(program)
    var bucket = Int(hash) & (bucketCount - 1)
    while buckets[bucket].block != 0 {
      if buckets[bucket].hash == hash, runs(buckets[bucket].block, program) {
        return buckets[bucket].block
      }
      bucket = (bucket + 1) & (bucketCount - 1)
    }
    return nil
  }

  /// Adds a block for `program` and returns it.
  mutating func add(_ program: borrowing Program, slotMask: UInt32) -> UInt32 {
    let instructions = program.instructions.count
    let units = BlockHeader.unitCount + instructions + program.constants.count / 16
    let block = UInt32(self.units.allocate(units))
    header(block).initialize(
      to: BlockHeader(
        slotMask: slotMask, units: UInt32(units),
        instructionCount: UInt16(instructions), options: 0))
    let code = UnsafeMutableRawPointer(self.units.base + Int(block) + BlockHeader.unitCount)
    program.instructions.withUnsafeBytes { bytes in
      if let source = bytes.baseAddress { code.copyMemory(from: source, byteCount: bytes.count) }
    }
    program.constants.withUnsafeBytes { bytes in
      guard let source = bytes.baseAddress else { return }
      (code + instructions * 16).copyMemory(from: source, byteCount: bytes.count)
    }
    count += 1
    if count * 4 > bucketCount * 3 { rehash() }
    place(BlockBucket(block: block, hash: Self.hash(program)))
    return block
  }

  /// Removes a block and releases its memory.
  mutating func remove(_ block: UInt32) {
    let mask = bucketCount - 1
    var gap = Int(hash(of: block)) & mask
    while buckets[gap].block != block { gap = (gap + 1) & mask }
    var next = (gap + 1) & mask
    while buckets[next].block != 0 {
      let home = Int(buckets[next].hash) & mask
      if (next - home) & mask >= (next - gap) & mask {
        buckets[gap] = buckets[next]
        gap = next
      }
      next = (next + 1) & mask
    }
    buckets[gap] = BlockBucket(block: 0, hash: 0)
    units.release(Int(block), Int(header(block).pointee.units))
    count -= 1
  }

  /// Calls `body` with each block, in no order.
  func visit(_ body: (UInt32) -> Void) {
    for bucket in 0..<bucketCount where buckets[bucket].block != 0 {
      body(buckets[bucket].block)
    }
  }

  private func runs(_ block: UInt32, _ program: borrowing Program) -> Bool {
    let header = header(block)
    let count = program.instructions.count
    guard Int(header.pointee.instructionCount) == count,
      Int(header.pointee.units)
        == BlockHeader.unitCount + count + program.constants.count / 16
    else { return false }
    let code = UnsafeRawPointer(code(block))
    return program.instructions.withUnsafeBytes { isSame(code, $0) }
      && program.constants.withUnsafeBytes { isSame(constants(block, header), $0) }
  }

  private func isSame(_ memory: UnsafeRawPointer, _ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let start = bytes.baseAddress, !bytes.isEmpty else { return true }
    return equal(
      memory.assumingMemoryBound(to: UInt8.self), start.assumingMemoryBound(to: UInt8.self),
      count: bytes.count)
  }

  private static func hash(_ program: borrowing Program) -> UInt32 {
    program.instructions.withUnsafeBytes { hash($0.baseAddress, count: $0.count) }
      &+ program.constants.withUnsafeBytes { hash($0.baseAddress, count: $0.count) }
  }

  private func hash(of block: UInt32) -> UInt32 {
    let header = header(block)
    let count = Int(header.pointee.instructionCount)
    let constantUnits = Int(header.pointee.units) - BlockHeader.unitCount - count
    return Self.hash(UnsafeRawPointer(code(block)), count: count * 16)
      &+ Self.hash(constants(block, header), count: constantUnits * 16)
  }

  private static func hash(_ start: UnsafeRawPointer?, count: Int) -> UInt32 {
    let hash = ByteHash.hash(start?.assumingMemoryBound(to: UInt8.self), count: count, seed: 7)
    return UInt32(truncatingIfNeeded: hash ^ hash >> 32)
  }

  private mutating func rehash() {
    var all: [BlockBucket] = []
    all.reserveCapacity(count)
    for bucket in 0..<bucketCount where buckets[bucket].block != 0 { all.append(buckets[bucket]) }
    setBuckets(bucketCount * 2)
    for bucket in all { place(bucket) }
  }

  private func place(_ bucket: BlockBucket) {
    var index = Int(bucket.hash) & (bucketCount - 1)
    while buckets[index].block != 0 { index = (index + 1) & (bucketCount - 1) }
    buckets[index] = bucket
  }

  private mutating func setBuckets(_ count: Int) {
    bucketCount = count
    buckets = Slab<BlockBucket>(capacity: count)
    _ = buckets.allocate(count)
    buckets.base.update(repeating: BlockBucket(block: 0, hash: 0), count: count)
  }
}
