// Every key gets a small number, its symbol, when the first predicate needs it and gives it back
// with the last. Comparing a field with a constant is then comparing two numbers, and a key's list
// of predicates is found by its number. One probe of one table per field of a record.

import Predicates
import Records

/// One key, where its list is, and how many need it.
struct Symbol: BitwiseCopyable {
  var hash: UInt32
  var slot: UInt16
  var kind: UInt8
  /// 1 where pairs of this symbol with others have lists of their own.
  var hasPairs: UInt8 = 0
  /// The key's 64 bits; for bytes their place in the upper half and their number in the lower.
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

/// Keys by number. Number 0 is none.
struct SymbolTable: ~Copyable {
  private(set) var symbols = Slab<Symbol>()
  private var buckets = Slab<UInt32>()
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
    let hash = key.hash
    var bucket = Int(hash) & (bucketCount - 1)
    while true {
      let number = buckets[bucket]
      if number == 0 || symbols.base[Int(number)].hash == hash && isSame(symbols[Int(number)], key)
      {
        return number
      }
      bucket = (bucket + 1) & (bucketCount - 1)
    }
  }

  /// The number of a key for one more who needs it.
  mutating func acquire(_ key: SymbolKey) -> UInt32 {
    let found = find(key)
    if found != 0 {
      symbols.base[Int(found)].uses += 1
      return found
    }
    var symbol = Symbol(hash: key.hash, slot: key.slot, kind: key.kind, bits: key.bits, uses: 1)
    if key.hasBytes { symbol.bits = keep(key) }
    let number = symbols.allocate(1)
    symbols[number] = symbol
    count += 1
    if count * 4 > bucketCount * 3 { rehash() } else { place(UInt32(number), hash: symbol.hash) }
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
    if isKeyOfBytes(symbol.kind), symbol.bits & 0xFFFF_FFFF > 0 {
      bytes.release(Int(symbol.bits >> 32), Self.room(Int(symbol.bits & 0xFFFF_FFFF)))
    }
    symbols.release(Int(number), 1)
    count -= 1
  }

  @inline(__always)
  private func isSame(_ symbol: Symbol, _ key: SymbolKey) -> Bool {
    guard symbol.kind == key.kind, symbol.slot == key.slot else { return false }
    guard key.hasBytes else { return symbol.bits == key.bits }
    guard Int(symbol.bits & 0xFFFF_FFFF) == key.count else { return false }
    guard let start = key.start, key.count > 0 else { return key.count == 0 }
    return equal(UnsafePointer(bytes.base + Int(symbol.bits >> 32)), start, count: key.count)
  }

  private mutating func keep(_ key: SymbolKey) -> UInt64 {
    guard let start = key.start, key.count > 0 else { return 0 }
    let place = bytes.allocate(Self.room(key.count))
    (bytes.base + place).update(from: start, count: key.count)
    return UInt64(place) << 32 | UInt64(key.count)
  }

  private static func room(_ count: Int) -> Int { (count + 7) & ~7 }

  private func place(_ number: UInt32, hash: UInt32) {
    var bucket = Int(hash) & (bucketCount - 1)
    while buckets[bucket] != 0 { bucket = (bucket + 1) & (bucketCount - 1) }
    buckets[bucket] = number
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
    buckets = Slab<UInt32>(capacity: count)
    _ = buckets.allocate(count)
    buckets.base.update(repeating: 0, count: count)
  }

  /// Takes a number out of its bucket and closes the gap, so that no search ends early.
  private func remove(_ number: UInt32) {
    let mask = bucketCount - 1
    var gap = Int(symbols[Int(number)].hash) & mask
    while buckets[gap] != number { gap = (gap + 1) & mask }
    var next = (gap + 1) & mask
    while buckets[next] != 0 {
      let home = Int(symbols[Int(buckets[next])].hash) & mask
      if (next - home) & mask >= (next - gap) & mask {
        buckets[gap] = buckets[next]
        gap = next
      }
      next = (next + 1) & mask
    }
    buckets[gap] = 0
  }
}
