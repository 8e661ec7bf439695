// Every key gets a small number, its symbol, when the first predicate needs it and gives it back
// with the last. Comparing a field with a constant is then comparing two numbers, and a key's list
// of predicates is found by its number. One probe of one table per field of a record.

import CMemory
import Predicates
import Records

/// One key, where its list is, and how many need it.
struct Symbol: BitwiseCopyable {
  var hash: UInt32
  var slot: UInt16
  var kind: UInt8
  /// 1 where pairs of this symbol with others have lists of their own.
  var hasPairs: UInt8 = 0
  /// The key's 64 bits; of bytes, up to seven of them and their number, or where they are: see
  /// `KeptBytes`.
  var bits: UInt64
  /// The predicates that compare with it or are filed under it.
  var uses: UInt32 = 0
  /// Where the list of predicates filed under it begins.
  var list: UInt32 = 0
  /// The predicates in the list.
  var listCount: UInt32 = 0
  /// The room of the list, a power of two or 0.
  var listCapacity: UInt32 = 0
}

/// A number in the table, beside the hash of its key, so that another key is passed over without a
/// look at it; 0 for an empty place.
struct SymbolBucket: BitwiseCopyable {
  var number: UInt32
  var hash: UInt32
}

/// The bytes of a key as 64 bits. Up to seven are those bits, so that looking a short text up goes no
/// further than its symbol; of more it is their place in the upper half, their number in the lower.
struct KeptBytes {
  let bits: UInt64

  /// The bytes of `key` where they are few.
  @inline(__always)
  init?(_ key: SymbolKey) {
    guard key.count < 8 else { return nil }
    var bits = UInt64(0x80 | key.count) << 56
    if let start = key.start {
      for index in 0..<key.count { bits |= UInt64(start[index]) << UInt64(8 * index) }
    }
    self.bits = bits
  }

  /// `count` bytes, eight or more, at `place`.
  init(place: Int, count: Int) {
    precondition(place < 1 << 31, "Keys take at most 2 GiB.")
    bits = UInt64(place) << 32 | UInt64(count)
  }

  @inline(__always)
  init(bits: UInt64) {
    self.bits = bits
  }

  @inline(__always)
  var isInPlace: Bool { bits >> 63 != 0 }
  @inline(__always)
  var place: Int { Int(bits >> 32) }
  @inline(__always)
  var count: Int { Int(bits & 0xFFFF_FFFF) }
}

/// Keys by number. Number 0 is none.
struct SymbolTable: ~Copyable {
  private(set) var symbols = Slab<Symbol>()
  private var buckets = Slab<SymbolBucket>()
  private var bucketCount = 0
  private var bytes = Slab<UInt8>()
  /// The keys there are.
  private(set) var count = 0

  init() {
    _ = symbols.allocate(1)
    symbols[0] = Symbol(hash: 0, slot: 0, kind: 0, bits: 0)
    setBuckets(16)
  }

  /// The bytes it takes.
  var byteCount: Int { symbols.byteCount + buckets.byteCount + bytes.byteCount }

  @inline(__always)
  subscript(number: UInt32) -> Symbol {
    get { symbols[Int(number)] }
    nonmutating set { symbols[Int(number)] = newValue }
  }

  /// The number of a key; 0 where nobody needs it.
  @inline(__always)
  func find(_ key: SymbolKey) -> UInt32 {
    find(key, hash: key.hash)
  }

  /// The number of a key of this hash; 0 where nobody needs it.
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

  // The three looks that finding a list takes, each of which asks for what the next one needs. Who
  // looks several keys up does all first looks, then all second ones.

  /// Asks for the place where a key of this hash is if it is anywhere.
  @inline(__always)
  func prefetch(hash: UInt32) {
    memory_prefetch(buckets.base + (Int(hash) & (bucketCount - 1)))
  }

  /// Asks for the symbol that stands there.
  @inline(__always)
  func prefetchSymbol(hash: UInt32) {
    let found = buckets[Int(hash) & (bucketCount - 1)]
    if found.hash == hash { memory_prefetch(symbols.base + Int(found.number)) }
  }

  /// The number of a key for one more who needs it.
  mutating func acquire(_ key: SymbolKey) -> UInt32 {
    let hash = key.hash
    let found = find(key, hash: hash)
    if found != 0 {
      symbols.base[Int(found)].uses += 1
      return found
    }
    var symbol = Symbol(hash: hash, slot: key.slot, kind: key.kind, bits: key.bits, uses: 1)
    if key.hasBytes { symbol.bits = keep(key).bits }
    let number = symbols.allocate(1)
    symbols[number] = symbol
    count += 1
    if count * 4 > bucketCount * 3 { rehash() } else { place(UInt32(number), hash: hash) }
    return UInt32(number)
  }

  /// One more needs a key that is in the table.
  func retain(_ number: UInt32) {
    symbols.base[Int(number)].uses += 1
  }

  /// One who needed the key no longer does; the last one gives its number back. Its list is empty
  /// by then and belongs to whoever kept it.
  mutating func release(_ number: UInt32) {
    symbols.base[Int(number)].uses -= 1
    let symbol = symbols[Int(number)]
    guard symbol.uses == 0 else { return }
    remove(number)
    let kept = KeptBytes(bits: symbol.bits)
    if isKeyOfBytes(symbol.kind), !kept.isInPlace {
      bytes.release(kept.place, Self.room(kept.count))
    }
    symbols.release(Int(number), 1)
    count -= 1
  }

  @inline(__always)
  private func isSame(_ symbol: Symbol, _ key: SymbolKey) -> Bool {
    guard symbol.kind == key.kind, symbol.slot == key.slot else { return false }
    guard key.hasBytes else { return symbol.bits == key.bits }
    if let short = KeptBytes(key) { return short.bits == symbol.bits }
    let kept = KeptBytes(bits: symbol.bits)
    guard let start = key.start, !kept.isInPlace, kept.count == key.count else { return false }
    return equal(UnsafePointer(bytes.base + kept.place), start, count: key.count)
  }

  private mutating func keep(_ key: SymbolKey) -> KeptBytes {
    if let short = KeptBytes(key) { return short }
    let place = bytes.allocate(Self.room(key.count))
    if let start = key.start { (bytes.base + place).update(from: start, count: key.count) }
    return KeptBytes(place: place, count: key.count)
  }

  private static func room(_ count: Int) -> Int { (count + 7) & ~7 }

  private func place(_ number: UInt32, hash: UInt32) {
    var bucket = Int(hash) & (bucketCount - 1)
    while buckets[bucket].number != 0 { bucket = (bucket + 1) & (bucketCount - 1) }
    buckets[bucket] = SymbolBucket(number: number, hash: hash)
  }

  private mutating func rehash() {
    setBuckets(bucketCount * 2)
    // NB: a number that was given back has no uses; it is not in the table.
    for number in 1..<symbols.count where symbols[number].uses > 0 {
      place(UInt32(number), hash: symbols[number].hash)
    }
  }

  private mutating func setBuckets(_ count: Int) {
    bucketCount = count
    buckets = Slab<SymbolBucket>(capacity: count)
    _ = buckets.allocate(count)
    buckets.base.update(repeating: SymbolBucket(number: 0, hash: 0), count: count)
  }

  /// Takes a number out of its bucket and closes the gap, so that no search ends early.
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
