// A key has a small number, its symbol, as long as a predicate uses it. So comparing a field with a
// constant compares two numbers, and a key's posting list is found by its symbol. Resolving a record
// takes one probe of one hash table for each field.

import CMemory
import Predicates
import Records

/// A key with its reference count and posting list.
struct Symbol: BitwiseCopyable {
  var hash: UInt32
  var slot: UInt16
  var kind: UInt8
  /// 1 if predicates are filed under pairs of this symbol with others.
  var hasPairs: UInt8 = 0
  /// The key's 64 bits, or its bytes as `KeyBytes`.
  var bits: UInt64
  /// The reference count: predicates that compare with the symbol or are filed under it.
  var uses: UInt32 = 0
  /// The offset of the posting list.
  var list: UInt32 = 0
  /// The number of postings in the list.
  var listCount: UInt32 = 0
  /// The capacity of the list, a power of two or 0.
  var listCapacity: UInt32 = 0
}

/// An entry of the hash table. It has the hash of its key, so that most other keys are rejected without
/// reading their symbol. Number 0 marks an empty bucket.
struct SymbolBucket: BitwiseCopyable {
  var number: UInt32
  var hash: UInt32
}

/// The bytes of a key as 64 bits. Up to seven bytes are stored inline, with their count in the highest
/// byte, so that looking up a short text reads only its symbol. More bytes are stored in the table's
/// `bytes`, with their offset in the upper half and their count in the lower.
struct KeyBytes {
  let bits: UInt64

  /// Stores the bytes of `key` inline; `nil` if there are more than seven.
  @inline(__always)
  init?(_ key: SymbolKey) {
    guard key.count < 8 else { return nil }
    var bits = UInt64(0x80 | key.count) << 56
    if let start = key.start {
      for index in 0..<key.count { bits |= UInt64(start[index]) << UInt64(8 * index) }
    }
    self.bits = bits
  }

  /// Refers to `count` bytes, eight or more, at `offset`.
  init(offset: Int, count: Int) {
    precondition(offset < 1 << 31, "Keys take at most 2 GiB.")
    bits = UInt64(offset) << 32 | UInt64(count)
  }

  @inline(__always)
  init(bits: UInt64) {
    self.bits = bits
  }

  @inline(__always)
  var isInline: Bool { bits >> 63 != 0 }
  @inline(__always)
  var offset: Int { Int(bits >> 32) }
  @inline(__always)
  var count: Int { Int(bits & 0xFFFF_FFFF) }
}

/// The keys in use, by symbol. Symbol 0 means no key.
struct SymbolTable: ~Copyable {
  private(set) var symbols = Slab<Symbol>()
  private var buckets = Slab<SymbolBucket>()
  private var bucketCount = 0
  private var bytes = Slab<UInt8>()
  /// The number of keys.
  private(set) var count = 0

  init() {
    _ = symbols.allocate(1)
    symbols[0] = Symbol(hash: 0, slot: 0, kind: 0, bits: 0)
    setBuckets(16)
  }

  /// The memory in use, in bytes.
  var byteCount: Int { symbols.byteCount + buckets.byteCount + bytes.byteCount }

  @inline(__always)
  subscript(number: UInt32) -> Symbol {
    get { symbols[Int(number)] }
    nonmutating set { symbols[Int(number)] = newValue }
  }

  /// Returns the symbol of a key; 0 if no predicate uses it.
  @inline(__always)
  func find(_ key: SymbolKey) -> UInt32 {
    find(key, hash: key.hash)
  }

  /// Returns the symbol of a key with this hash; 0 if no predicate uses it.
  @inline(__always)
  func find(_ key: SymbolKey, hash: UInt32) -> UInt32 {
    var bucket = Int(hash) & (bucketCount - 1)
    while true {
      let found = buckets[bucket]
      if found.number == 0 || found.hash == hash && isSame(symbols[Int(found.number)], key) {
        return found.number
      }
      bucket = (bucket + 1) & (bucketCount - 1)
    }
  }

  // A lookup reads three cache lines in a chain: bucket, symbol, list. To overlap the cache misses of
  // several keys, prefetch all buckets, then all symbols, then find the keys.

  /// Prefetches the bucket of a hash.
  @inline(__always)
  func prefetch(hash: UInt32) {
    memory_prefetch(buckets.base + (Int(hash) & (bucketCount - 1)))
  }

  /// Prefetches the symbol in the bucket of a hash.
  @inline(__always)
  func prefetchSymbol(hash: UInt32) {
    let found = buckets[Int(hash) & (bucketCount - 1)]
    if found.hash == hash { memory_prefetch(symbols.base + Int(found.number)) }
  }

  /// Returns the symbol of a key with a new reference, creating it if there is none.
  mutating func acquire(_ key: SymbolKey) -> UInt32 {
    let hash = key.hash
    let found = find(key, hash: hash)
    if found != 0 {
      symbols.base[Int(found)].uses += 1
      return found
    }
    var symbol = Symbol(hash: hash, slot: key.slot, kind: key.kind, bits: key.bits, uses: 1)
    if key.hasBytes { symbol.bits = store(key).bits }
    let number = symbols.allocate(1)
    symbols[number] = symbol
    count += 1
    if count * 4 > bucketCount * 3 { rehash() } else { insert(UInt32(number), hash: hash) }
    return UInt32(number)
  }

  /// Adds a reference to a symbol.
  func retain(_ number: UInt32) {
    symbols.base[Int(number)].uses += 1
  }

  /// Releases a reference to a symbol, and with the last one the symbol. Its list must be empty then;
  /// the caller releases the list's memory.
  mutating func release(_ number: UInt32) {
    symbols.base[Int(number)].uses -= 1
    let symbol = symbols[Int(number)]
    guard symbol.uses == 0 else { return }
    remove(number)
    let stored = KeyBytes(bits: symbol.bits)
    if isKeyOfBytes(symbol.kind), !stored.isInline {
      bytes.release(stored.offset, Self.padded(stored.count))
    }
    symbols.release(Int(number), 1)
    count -= 1
  }

  @inline(__always)
  private func isSame(_ symbol: Symbol, _ key: SymbolKey) -> Bool {
    guard symbol.kind == key.kind, symbol.slot == key.slot else { return false }
    guard key.hasBytes else { return symbol.bits == key.bits }
    if let short = KeyBytes(key) { return short.bits == symbol.bits }
    let stored = KeyBytes(bits: symbol.bits)
    guard let start = key.start, !stored.isInline, stored.count == key.count else { return false }
    return equal(UnsafePointer(bytes.base + stored.offset), start, count: key.count)
  }

  private mutating func store(_ key: SymbolKey) -> KeyBytes {
    if let short = KeyBytes(key) { return short }
    let offset = bytes.allocate(Self.padded(key.count))
    if let start = key.start { (bytes.base + offset).update(from: start, count: key.count) }
    return KeyBytes(offset: offset, count: key.count)
  }

  private static func padded(_ count: Int) -> Int { (count + 7) & ~7 }

  private func insert(_ number: UInt32, hash: UInt32) {
    var bucket = Int(hash) & (bucketCount - 1)
    while buckets[bucket].number != 0 { bucket = (bucket + 1) & (bucketCount - 1) }
    buckets[bucket] = SymbolBucket(number: number, hash: hash)
  }

  private mutating func rehash() {
    setBuckets(bucketCount * 2)
    // NB: a released symbol has no uses and is not in the table.
    for number in 1..<symbols.count where symbols[number].uses > 0 {
      insert(UInt32(number), hash: symbols[number].hash)
    }
  }

  private mutating func setBuckets(_ count: Int) {
    bucketCount = count
    buckets = Slab<SymbolBucket>(capacity: count)
    _ = buckets.allocate(count)
    buckets.base.update(repeating: SymbolBucket(number: 0, hash: 0), count: count)
  }

  /// Empties the bucket of a symbol. Later buckets move into the gap, so that no search ends early.
  private func remove(_ number: UInt32) {
    let mask = bucketCount - 1
    var gap = Int(symbols[Int(number)].hash) & mask
    while buckets[gap].number != number { gap = (gap + 1) & mask }
    var next = (gap + 1) & mask
    while buckets[next].number != 0 {
      let home = Int(buckets[next].hash) & mask
      if (next - home) & mask >= (next - gap) & mask {
        buckets[gap] = buckets[next]
        gap = next
      }
      next = (next + 1) & mask
    }
    buckets[gap] = SymbolBucket(number: 0, hash: 0)
  }
}
