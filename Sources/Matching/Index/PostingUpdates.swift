// Adds blocks to the posting lists of their keys and removes them. A block knows its positions in
// posting lists, so the cost does not depend on their length: a removed posting is replaced by the last
// one of its list, whose block gets the new position. Tables of bounds are sorted and searched instead.

import Predicates
import Records

extension Partition {
  /// Files a block under the keys of its predicate's cover, or under the key that every record has if
  /// there is no cover or it is too large.
  func addKeys(of block: UInt32, _ predicate: Predicate) throws(RecordsError) {
    let cover = try cover(of: block, predicate)
    addUses()
    guard let cover, cover.keys.count <= Cover.keysMax else {
      return add(block, under: .bits(kind: KeyKind.always, slot: 0, 0), signature: 0)
    }
    for key in cover.keys { add(block, under: key, signature: cover.signature) }
  }

  /// Removes a block from all posting lists and tables of bounds.
  func removeKeys(of block: UInt32) {
    let header = blocks.header(block)
    if header.pointee.symbol != 0 {
      remove(at: header.pointee.position, fromListOf: header.pointee.symbol)
    }
    var next = header.pointee.entries
    while next != 0 {
      let entry = lists.entries[Int(next)]
      if entry.symbol != 0 {
        remove(at: entry.position, fromListOf: entry.symbol)
      } else {
        lists.thresholds[Int(entry.position)].remove(block, at: entry.bound)
        release(slot: lists.thresholds[Int(entry.position)].slot)
      }
      lists.entries.release(Int(next), 1)
      next = entry.next
    }
    header.pointee.symbol = 0
    header.pointee.entries = 0
  }

  private func add(_ block: UInt32, under key: CoverKey, signature: UInt32) {
    switch key {
    case .symbol(let symbol):
      symbols.retain(symbol)
      append(block, toListOf: symbol, signature)
    case .bits(let kind, let slot, let bits):
      markInUse(kind: kind, slot: slot, count: 0)
      append(block, toListOf: symbols.acquire(SymbolKey(kind, slot: slot, bits: bits)), signature)
    case .bytes(let kind, let slot, let bytes):
      markInUse(kind: kind, slot: slot, count: bytes.count)
      if kind == KeyKind.trigram {
        let bits = Trigram.bits(bytes)
        addToTrigramFilter(bits, slot: slot)
        append(block, toListOf: symbols.acquire(SymbolKey(kind, slot: slot, bits: bits)), signature)
        return
      }
      let symbol = bytes.withUnsafeBufferPointer {
        symbols.acquire(SymbolKey(kind, slot: slot, start: $0.baseAddress, count: $0.count))
      }
      append(block, toListOf: symbol, signature)
    case .threshold(let slot, let isLower, let bound):
      let number = thresholdTable(ofSlot: slot, isLower: isLower)
      lists.thresholds[number].insert(Posting(block: block, signature: signature), at: bound)
      retain(slot: slot)
      addEntry(
        of: block, KeyEntry(symbol: 0, position: UInt32(number), bound: bound, next: 0))
    }
  }

  /// Appends a block to the list of a symbol, or of its pair if the key is hot. The caller's reference
  /// to the symbol passes to the list.
  private func append(_ block: UInt32, toListOf symbol: UInt32, _ signature: UInt32) {
    if symbols[symbol].hasPairs != 0, let pair = pair(of: symbol, with: signature) {
      symbols.release(symbol)
      append(Posting(block: block, signature: 0), toListOf: pair)
      return
    }
    append(Posting(block: block, signature: signature), toListOf: symbol)
    if symbols[symbol].listCount == Self.hotListCount { splitIntoPairs(symbol) }
  }

  private func append(_ posting: Posting, toListOf number: UInt32) {
    var symbol = symbols[number]
    if symbol.listCount == symbol.listCapacity {
      resizeList(of: &symbol, to: max(1, symbol.listCapacity * 2))
    }
    lists.postings[Int(symbol.list + symbol.listCount)] = posting
    addPosition(symbol.listCount, inListOf: number, to: posting.block)
    retain(slot: symbol.slot)
    symbol.listCount += 1
    symbols[number] = symbol
  }

  private func resizeList(of symbol: inout Symbol, to capacity: UInt32) {
    let list = lists.postings.allocate(Int(capacity))
    (lists.postings.base + list).update(
      from: lists.postings.base + Int(symbol.list), count: Int(symbol.listCount))
    if symbol.listCapacity > 0 {
      lists.postings.release(Int(symbol.list), Int(symbol.listCapacity))
    }
    symbol.list = UInt32(list)
    symbol.listCapacity = capacity
  }

  private func remove(at position: UInt32, fromListOf number: UInt32) {
    var symbol = symbols[number]
    symbol.listCount -= 1
    let last = lists.postings[Int(symbol.list + symbol.listCount)]
    if position != symbol.listCount {
      lists.postings[Int(symbol.list + position)] = last
      move(last.block, inListOf: number, from: symbol.listCount, to: position)
    }
    if symbol.listCount == 0 {
      lists.postings.release(Int(symbol.list), Int(symbol.listCapacity))
      symbol.listCapacity = 0
    } else if symbol.listCount * 4 <= symbol.listCapacity, symbol.listCapacity > 4 {
      resizeList(of: &symbol, to: symbol.listCapacity / 2)
    }
    symbols[number] = symbol
    release(slot: symbol.slot)
    symbols.release(number)
  }

  /// Moves a block from one list to another.
  func move(_ block: UInt32, at position: UInt32, from number: UInt32, to other: UInt32) {
    removePosition(position, inListOf: number, from: block)
    remove(at: position, fromListOf: number)
    append(Posting(block: block, signature: 0), toListOf: other)
  }

  private func removePosition(
    _ position: UInt32, inListOf symbol: UInt32, from block: UInt32
  ) {
    let header = blocks.header(block)
    if header.pointee.symbol == symbol, header.pointee.position == position {
      header.pointee.symbol = 0
      return
    }
    var previous: UInt32 = 0
    var next = header.pointee.entries
    while next != 0 {
      let entry = lists.entries[Int(next)]
      if entry.symbol == symbol, entry.position == position {
        if previous == 0 {
          header.pointee.entries = entry.next
        } else {
          lists.entries.base[Int(previous)].next = entry.next
        }
        lists.entries.release(Int(next), 1)
        return
      }
      previous = next
      next = entry.next
    }
  }

  private func addPosition(_ position: UInt32, inListOf symbol: UInt32, to block: UInt32) {
    let header = blocks.header(block)
    guard header.pointee.symbol != 0 else {
      header.pointee.symbol = symbol
      header.pointee.position = position
      return
    }
    addEntry(of: block, KeyEntry(symbol: symbol, position: position, bound: 0, next: 0))
  }

  private func addEntry(of block: UInt32, _ entry: KeyEntry) {
    let header = blocks.header(block)
    let index = lists.entries.allocate(1)
    var entry = entry
    entry.next = header.pointee.entries
    lists.entries[index] = entry
    header.pointee.entries = UInt32(index)
  }

  private func move(
    _ block: UInt32, inListOf symbol: UInt32, from position: UInt32, to newPosition: UInt32
  ) {
    let header = blocks.header(block)
    if header.pointee.symbol == symbol, header.pointee.position == position {
      header.pointee.position = newPosition
      return
    }
    var next = header.pointee.entries
    while next != 0 {
      if lists.entries[Int(next)].symbol == symbol, lists.entries[Int(next)].position == position {
        lists.entries.base[Int(next)].position = newPosition
        return
      }
      next = lists.entries[Int(next)].next
    }
  }

  private func thresholdTable(ofSlot slot: UInt16, isLower: Bool) -> Int {
    uses.base[Int(slot)].kinds |= SlotUse.Kinds.range
    let known = isLower ? uses[Int(slot)].lowerBounds : uses[Int(slot)].upperBounds
    if known != 0 { return Int(known) - 1 }
    let table = ThresholdTable(slot: slot, isLower: isLower)
    let number = lists.freeThresholds.popLast() ?? lists.thresholds.count
    if number == lists.thresholds.count {
      lists.thresholds.append(table)
    } else {
      lists.thresholds[number] = table
    }
    if isLower {
      uses.base[Int(slot)].lowerBounds = UInt32(number + 1)
    } else {
      uses.base[Int(slot)].upperBounds = UInt32(number + 1)
    }
    return number
  }

  /// Marks a kind of key as in use for a slot, so that the values of records are looked up by that kind.
  private func markInUse(kind: UInt8, slot: UInt16, count: Int) {
    let use = uses.base + Int(slot)
    switch kind {
    case KeyKind.prefix:
      use.pointee.kinds |= SlotUse.Kinds.prefix
      use.pointee.prefixLengths |= 1 << UInt32(count - 1)
    case KeyKind.suffix:
      use.pointee.kinds |= SlotUse.Kinds.suffix
      use.pointee.suffixLengths |= 1 << UInt32(count - 1)
    case KeyKind.trigram: use.pointee.kinds |= SlotUse.Kinds.trigram
    case KeyKind.presence: use.pointee.kinds |= SlotUse.Kinds.presence
    case KeyKind.cell: use.pointee.kinds |= SlotUse.Kinds.cell
    case KeyKind.wholeCell..<KeyKind.wholeCell + 64:
      use.pointee.kinds |= SlotUse.Kinds.range
      use.pointee.wholeLevels |= 1 << UInt64(kind - KeyKind.wholeCell)
    case KeyKind.realCell..<KeyKind.realCell + 64:
      use.pointee.kinds |= SlotUse.Kinds.range
      use.pointee.realLevels |= 1 << UInt64(kind - KeyKind.realCell)
    case KeyKind.word, KeyKind.always, KeyKind.pair: break
    default: use.pointee.kinds |= SlotUse.Kinds.value
    }
  }

  private func addToTrigramFilter(_ bits: UInt64, slot: UInt16) {
    if uses[Int(slot)].trigramFilter == 0 {
      let filter = lists.filters.allocate(Trigram.filterBytes)
      (lists.filters.base + filter).update(repeating: 0, count: Trigram.filterBytes)
      uses.base[Int(slot)].trigramFilter = UInt32(filter + 1)
    }
    let bit = Trigram.filterBit(bits)
    lists.filters.base[Int(uses[Int(slot)].trigramFilter) - 1 + bit / 8] |= 1 << UInt8(bit & 7)
  }
}

/// Three consecutive bytes of a text. Each slot has a Bloom filter of the trigrams filed under it, with
/// one hash function, so that most trigrams of a record need no lookup.
enum Trigram {
  static let filterBytes = 8192

  static func bits(_ bytes: [UInt8]) -> UInt64 {
    UInt64(bytes[0]) << 16 | UInt64(bytes[1]) << 8 | UInt64(bytes[2])
  }

  /// The index of a trigram's bit in a filter.
  @inline(__always)
  static func filterBit(_ bits: UInt64) -> Int {
    Int(truncatingIfNeeded: (bits &* 0x9E37_79B9_7F4A_7C15) >> 48)
  }
}
